/** An agent on Mastra: it proposes a refund, a person decides, and the refund is made once. */

import { appendFileSync } from "node:fs";
import { approvals, finishRun } from "@holdpoint/adapters/mastra";
import { Holdpoint } from "@holdpoint/sdk";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import * as z from "zod";
import { mockModel } from "./model.mjs";

const order = process.argv[2] ?? "1042";
const hp = new Holdpoint();
const people = approvals(hp);

const refund = createTool({
  id: "refund",
  description: "Refunds an order",
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  async execute({ order: paid, amount }) {
    appendFileSync("refunds.log", `${paid} ${amount}\n`);
    return `refunded ${amount} EUR for order ${paid}`;
  },
});
const ask = () => ({ prompt: `Refund order ${order}?`, timeout: "2h" });
const support = new Agent({
  id: "support",
  name: "support",
  instructions: "Help people.",
  model: mockModel(order),
  tools: people.wrap({ refund }, { ask }),
});
const storage = new LibSQLStore({ id: "support", url: "file:mastra.db" });
const mastra = new Mastra({ agents: { support }, storage, logger: false });

const run = people.run({
  key: `refund-by-mastra:${order}`,
  agent: mastra.getAgent("support"),
  messages: `Refund order ${order}.`,
});
console.log("waiting for a person, if nobody has answered yet: see the console");
console.log(`the agent says: ${(await finishRun(run, { holdpoint: hp })).text}`);
process.exit(0);
