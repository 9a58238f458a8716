import type { Client } from "@temporalio/client";
import { condition, defineSignal, proxyActivities, setHandler } from "@temporalio/workflow";
import type * as activities from "./settle.ts";

const { ask, settle } = proxyActivities<typeof activities>({ startToCloseTimeout: "1 minute" });
export const bell = defineSignal("bell");

/** A signal that comes early is counted, not lost; once an hour the workflow looks without one. */
export async function refund(order: string, amount: number): Promise<string> {
  let rings = 0;
  setHandler(bell, () => {
    rings += 1;
  });
  const holdId = await ask(order, amount);
  for (;;) {
    const heard = rings;
    const ended = await settle(holdId, order);
    if (ended !== null) return ended;
    await condition(() => rings > heard, "1 hour");
  }
}

/** In the handler of the webhook, with `refund:<order>` as the id of the workflow. */
export const ring = (client: Client, workflowId: string) =>
  client.workflow.getHandle(workflowId).signal(bell);
