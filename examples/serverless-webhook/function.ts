/**
 * Two handlers of the kind that Next.js, Hono, Bun, Deno and Cloudflare Workers take. Neither waits for a person: the first asks and
 * returns, the second is called when the hold has ended, perhaps a week later in another process.
 */

import { Holdpoint } from "@holdpoint/sdk";
import { webhookHandler } from "@holdpoint/sdk/webhooks";

export interface Environment {
  /** Of the webhook's registration: `whsec_…`. */
  readonly webhookSecret: string;
  /** Stands for the payment. */
  readonly pay: (order: string) => string;
}

export function handlers(environment: Environment) {
  const hp = new Holdpoint();

  /** `POST { "order": "1042" }` asks. */
  async function ask(request: Request): Promise<Response> {
    const { order } = (await request.json()) as { readonly order: string };
    const hold = await hp.place({
      key: `refund-of-order:${order}`,
      type: "approval",
      prompt: `Refund order ${order}?`,
      metadata: { order },
    });
    return Response.json({ holdId: hold.id, review: hold.reviewUrl }, { status: 202 });
  }

  /** A message is a reason to look. The outcome is read from the server, and the work runs once although a message may come twice. */
  const webhook = webhookHandler({
    holdpoint: hp,
    secret: environment.webhookSecret,
    async onMessage(handle, { hold }) {
      const order = hold.metadata?.["order"];
      const outcome = await handle.outcome();
      if (typeof order !== "string" || outcome.kind !== "decided" || outcome.action !== "approve") return;
      await handle.runOnce(() => environment.pay(order));
    },
    onError: (error) => console.error(error),
  });

  return { ask, webhook };
}
