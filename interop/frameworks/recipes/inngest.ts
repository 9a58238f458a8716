import { eventType, Inngest, staticSchema } from "inngest";
import { ask, settle } from "./settle.ts";

const inngest = new Inngest({ id: "shop" });
const asked = eventType("refund/asked", { schema: staticSchema<{ order: string; amount: number }>() });

/** An event that comes before the wait begins is missed, so that each round looks first and waits for an hour at most. */
export const refund = inngest.createFunction({ id: "refund", triggers: [asked] }, async ({ event, step }) => {
  const { order, amount } = event.data;
  const holdId = await step.run("ask", () => ask(order, amount));
  for (let round = 0; ; round += 1) {
    const ended = await step.run(`settle ${round}`, () => settle(holdId, order));
    if (ended !== null) return ended;
    const match = `async.data.holdId == "${holdId}"`;
    await step.waitForEvent(`bell ${round}`, { event: "hold/ended", timeout: "1h", if: match });
  }
});

/** In the handler of the webhook. */
export const ring = (holdId: string) => inngest.send({ name: "hold/ended", data: { holdId } });
