/** An agent on the OpenAI Agents SDK: it proposes a refund, a person decides, and the refund is made once. */

import { appendFileSync } from "node:fs";
import { approvals, finishRun } from "@holdpoint/adapters/openai-agents";
import { Holdpoint } from "@holdpoint/sdk";
import { Agent, setTracingDisabled, tool } from "@openai/agents";
import * as z from "zod";
import { mockModel } from "./model.ts";

setTracingDisabled(true);
const order = process.argv[2] ?? "1042";
const hp = new Holdpoint();
const people = approvals(hp);

const refund = tool({
  name: "refund",
  description: "Refunds an order",
  parameters: z.object({ order: z.string(), amount: z.number() }),
  execute({ order: paid, amount }) {
    appendFileSync("refunds.log", `${paid} ${amount}\n`);
    return `refunded ${amount} EUR for order ${paid}`;
  },
});
const ask = () => ({ prompt: `Refund order ${order}?`, timeout: "2h" });
const agent = new Agent({ name: "support", model: mockModel(order), tools: people.wrap([refund], { ask }) });

const run = people.run({ key: `refund-by-openai-agents:${order}`, agent, input: `Refund order ${order}.` });
console.log("waiting for a person, if nobody has answered yet: see the console");
console.log(`the agent says: ${String((await finishRun(run, { holdpoint: hp })).output)}`);
