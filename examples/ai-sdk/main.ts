/** An agent on the Vercel AI SDK: it proposes a refund, a person decides, and the refund is made once. */

import { appendFileSync } from "node:fs";
import { approvals, finishRun } from "@holdpoint/adapters/ai-sdk";
import { Holdpoint } from "@holdpoint/sdk";
import { generateText, isStepCount, type ModelMessage, tool } from "ai";
import * as z from "zod";
import { mockModel } from "./model.ts";

const order = process.argv[2] ?? "1042";
const hp = new Holdpoint();
const people = approvals(hp);

const refund = tool({
  description: "Refunds an order",
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  execute({ order: paid, amount }) {
    appendFileSync("refunds.log", `${paid} ${amount}\n`);
    return `refunded ${amount} EUR for order ${paid}`;
  },
});
const ask = () => ({ prompt: `Refund order ${order}?`, timeout: "2h" });
const tools = people.wrap({ refund }, { ask });

const messages: ModelMessage[] = [{ role: "user", content: `Refund order ${order}.` }];
const run = people.run({
  key: `refund-by-ai-sdk:${order}`,
  messages,
  generate: (given) =>
    generateText({ model: mockModel(order), tools, messages: given, stopWhen: isStepCount(5) }),
});
console.log("waiting for a person, if nobody has answered yet: see the console");
console.log(`the agent says: ${(await finishRun(run, { holdpoint: hp })).text}`);
