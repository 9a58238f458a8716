/**
 * A refund agent that speaks OpenIntent. It thinks about whether to ask, suspends its intent, and goes on with the answer; killed
 * while it waits and started again, it finds the question it had asked and the answer that came meanwhile.
 *
 *   npm start                                        # in one terminal
 *   npm run holdpoint -- keys make agent:refunder    # once: a key
 *   HOLDPOINT_API_KEY=hp_… npm run ts -- examples/openintent-refund/main.ts
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInputTimeoutError, OpenIntentAgent } from "@holdpoint/openintent";

const ORDER = { order: "1042", amount: "80.00 EUR", customer: "Ada Park" };

const agent = new OpenIntentAgent({
  url: process.env["HOLDPOINT_URL"] ?? "http://localhost:4100",
  apiKey: process.env["HOLDPOINT_API_KEY"] ?? "",
  agentId: "refunder",
  hooks: { onInputRequested: (intent) => console.log(`asked: intent ${intent.id} is ${intent.status}`) },
});

/** An agent remembers what it was working on; a real one has a database for that. */
const notes = join(process.env["REFUND_FOLDER"] ?? ".", "refund-1042.json");
const intentId = existsSync(notes)
  ? (JSON.parse(readFileSync(notes, "utf8")) as { intentId: string }).intentId
  : await begin();

async function begin(): Promise<string> {
  const intent = await agent.client.createIntent({
    title: `Refund order ${ORDER.order}`,
    state: ORDER,
    status: "active",
  });
  writeFileSync(notes, JSON.stringify({ intentId: intent.id }));
  return intent.id;
}

const decision = await agent.shouldRequestInput(intentId, { confidence: 0.6, risk: 0.4, reversibility: 0.3 });
console.log(`engagement: ${decision.mode}`);

try {
  const answer = await agent.requestInput(intentId, {
    suspensionId: `refund-${ORDER.order}`, // the same question after a crash, not a second one
    question: `Refund ${ORDER.amount} to ${ORDER.customer}?`,
    choices: [
      { value: "approve", label: "Refund", style: "primary" },
      { value: "deny", label: "Do not refund", style: "danger" },
    ],
    context: ORDER,
    timeoutSeconds: 7200,
    decision,
  });
  const intent = await agent.client.getIntent(intentId);
  await agent.client.patchState(intentId, intent.version, [
    { op: "set", path: "/refunded", value: answer === "approve" },
  ]);
  console.log(answer === "approve" ? "refunded" : "not refunded");
} catch (error) {
  if (!isInputTimeoutError(error)) throw error;
  console.log("nobody answered; nothing was refunded");
}
