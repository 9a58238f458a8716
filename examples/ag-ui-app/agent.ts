/** An agent that wants to refund, and stops for a person before it does. No model: what matters here is the stop. */

import type { AgUiAgent } from "@holdpoint/adapters/ag-ui";

export const refundAgent: AgUiAgent = async function* (run) {
  yield "I can refund order 1042.";
  const outcome = await run.tool({
    name: "refund",
    args: { order: "1042", amount: 80 },
    editable: {
      type: "object",
      properties: { order: { type: "string" }, amount: { type: "number", maximum: 100 } },
      required: ["order", "amount"],
    },
    approval: { message: "Refund 80 EUR for order 1042?", timeout: "2h" },
    execute: ({ order, amount }) => `Refunded ${String(amount)} EUR for order ${String(order)}.`,
  });
  yield outcome.kind === "executed" ? "It is done." : "I did not refund anything.";
  return { refund: outcome.kind };
};
