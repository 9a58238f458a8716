/** A LangChain agent with its human-in-the-loop middleware: it proposes a refund, a person decides, and the refund is made once. */

import { appendFileSync } from "node:fs";
import { approvals, finishRun } from "@holdpoint/adapters/langgraph";
import { Holdpoint } from "@holdpoint/sdk";
import { MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import * as z from "zod";
import { mockModel } from "./model.ts";

const order = process.argv[2] ?? "1042";
const hp = new Holdpoint();
const people = approvals(hp);

const refund = tool(
  ({ order: paid, amount }) => {
    appendFileSync("refunds.log", `${paid} ${amount}\n`);
    return `refunded ${amount} EUR for order ${paid}`;
  },
  {
    name: "refund",
    description: "Refunds an order",
    schema: z.object({ order: z.string(), amount: z.number() }),
  },
);
const ask = () => ({ prompt: `Refund order ${order}?`, timeout: "2h" });
const agent = createAgent({
  model: mockModel(order),
  tools: people.wrap([refund], { ask }),
  // LangChain's types do not fit each other under `exactOptionalPropertyTypes`; without it no cast is needed.
  middleware: [
    humanInTheLoopMiddleware({ interruptOn: { refund: true } } as never) as unknown as AgentMiddleware,
  ],
  checkpointer: new MemorySaver(),
});

const run = people.run<{ messages: { content: unknown }[] }>({
  graph: agent as never,
  threadId: `refund-by-langchain:${order}`,
  input: { messages: [{ role: "user", content: `Refund order ${order}.` }] },
});
console.log("waiting for a person, if nobody has answered yet: see the console");
const { messages } = await finishRun(run, { holdpoint: hp });
console.log(`the agent says: ${String(messages.at(-1)?.content)}`);
