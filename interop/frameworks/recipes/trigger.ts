import { task, wait } from "@trigger.dev/sdk";
import { ask, settle } from "./settle.ts";

export const refund = task({
  id: "refund",
  run: async ({ order, amount }: { order: string; amount: number }) => {
    const bell = await wait.createToken({ timeout: "7d", idempotencyKey: `refund:${order}` });
    const holdId = await ask(order, amount, bell.id);
    await wait.forToken(bell.id);
    return (await settle(holdId, order)) ?? "not refunded: nobody decided in time";
  },
});

/** In the handler of the webhook: `bell` is in the hold's metadata. */
export const ring = (bell: string) => wait.completeToken(bell, {});
