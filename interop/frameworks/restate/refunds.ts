import { Holdpoint, isTerminalError } from "@holdpoint/sdk";
import { webhookHandler } from "@holdpoint/sdk/webhooks";
import * as restate from "@restatedev/restate-sdk";
import { pay } from "./pay.ts";

const hp = new Holdpoint();

export const refunds = restate.object({
  name: "refunds",
  handlers: {
    refund: async (ctx: restate.ObjectContext, amount: number) => {
      const bell = ctx.awakeable<null>();
      const prompt = `Refund ${amount} EUR for order ${ctx.key}?`;
      const question = {
        key: `refund:${ctx.key}`,
        type: "approval",
        prompt,
        metadata: { bell: bell.id },
      } as const;
      const holdId = await ctx.run("ask", async () => (await hp.place(question)).id);
      await bell.promise;
      return ctx.run("refund", () => settle(holdId, ctx.key, amount));
    },
  },
});

/** The bell says that something has happened. What, is read here, and the payment is made once however often this step is repeated. */
async function settle(holdId: string, order: string, amount: number): Promise<string> {
  const outcome = await hp.hold(holdId).wait();
  if (outcome.kind !== "decided" || outcome.action !== "approve") return `not refunded: ${outcome.kind}`;
  try {
    return await hp.runOnce(outcome, () => pay(order, amount));
  } catch (error) {
    // Repeating the step would not help: a person has to look whether it ran.
    throw isTerminalError(error) ? new restate.TerminalError(error.message) : error;
  }
}

/** For the address of a webhook on `hold.decided`, `hold.expired` and `hold.cancelled`. */
export const ring = (ingress: string, secret: string) =>
  webhookHandler({
    ...{ holdpoint: hp, secret },
    async onMessage(_handle, { hold }) {
      const url = `${ingress}/restate/awakeables/${String(hold.metadata?.["bell"])}/resolve`;
      await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "null" });
    },
  });
