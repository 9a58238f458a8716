/** Asks a person, and does something once when they say yes. */

import { appendFileSync } from "node:fs";
import { Holdpoint } from "@holdpoint/sdk";

const order = process.argv[2] ?? "1042";
const hp = new Holdpoint();

const hold = await hp.place({
  key: `refund:${order}`, // after a crash, a retry or a deploy: the same hold
  type: "approval",
  prompt: `Refund 80 EUR for order ${order} to Ada Park?`,
  context: { order, amount: "80 EUR", customer: "Ada Park" },
  timeout: "2h",
});
if (hold.status === "open") console.log(`waiting for a person: ${hold.reviewUrl ?? "see the console"}`);

const outcome = await hold.wait();
if (outcome.kind === "decided" && outcome.action === "approve") {
  const receipt = await hold.runOnce(() => refund(order));
  console.log(`refunded: ${receipt}`);
} else {
  console.log(`not refunded: ${outcome.kind === "decided" ? outcome.action : outcome.kind}`);
}

/** Stands for the payment. `refunds.log` has one line for each order, however often this is started. */
function refund(paid: string): string {
  appendFileSync("refunds.log", `${paid}\n`);
  return `receipt-${paid}`;
}
