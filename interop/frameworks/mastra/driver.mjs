/** An agent on Mastra for the adapter kit: Mastra's own mock model, its storage in a file. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approvals } from "@holdpoint/adapters/mastra";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { MastraLanguageModelV2Mock, simulateReadableStream } from "@mastra/core/test-utils/llm-mock";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import * as z from "zod";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const TEXT = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "done" },
  { type: "text-end", id: "t" },
];

/** Makes the calls of the next step: it reads from the prompt which of its calls are behind it. */
function scriptedModel(script, told) {
  const next = (prompt) => {
    told.push(JSON.stringify(prompt));
    const parts = prompt.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const made = new Set(parts.filter(({ type }) => type === "tool-call").map((part) => part.toolCallId));
    const calls = script.find((step) => step.some(({ id }) => !made.has(id))) ?? [];
    return calls.map(({ id, args }) => ({
      ...{ type: "tool-call", toolCallId: id, toolName: "pay", input: JSON.stringify(args) },
    }));
  };
  return new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }) => {
      const calls = next(prompt);
      const isDone = calls.length === 0;
      const content = isDone ? [{ type: "text", text: "done" }] : calls;
      return { content, finishReason: isDone ? "stop" : "tool-calls", usage, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const calls = next(prompt);
      const isDone = calls.length === 0;
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...(isDone ? TEXT : calls),
        { type: "finish", finishReason: isDone ? "stop" : "tool-calls", usage },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}

/** What outlives a process: the database of Mastra's storage. */
const folders = new WeakMap();
function databaseOf(stage) {
  if (process.env.AGENT_DB !== undefined) return `file:${process.env.AGENT_DB}`;
  const folder = folders.get(stage) ?? mkdtempSync(join(tmpdir(), "holdpoint-mastra-"));
  if (!folders.has(stage)) process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  folders.set(stage, folder);
  return `file:${join(folder, "mastra.db")}`;
}

function agentOf(stage, told = []) {
  const people = approvals(stage.holdpoint);
  const pay = createTool({
    id: "pay",
    description: "Pays",
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    execute: async (payment) => stage.pay(payment),
  });
  const payer = new Agent({
    id: "payer",
    name: "payer",
    instructions: "Pay the bills.",
    model: scriptedModel(stage.script, told),
    tools: people.wrap({ pay }, { ask: () => stage.ask() }),
  });
  const storage = new LibSQLStore({ id: "payer", url: databaseOf(stage) });
  const mastra = new Mastra({ agents: { payer }, storage, logger: false });
  return { people, agent: mastra.getAgent("payer") };
}

export const adapter = {
  keepsOwnState: true,
  start(stage) {
    const told = [];
    const { people, agent } = agentOf(stage, told);
    const run = people.run({ key: stage.key, store: stage.store, agent, messages: "Pay the bills." });
    return { run, told: () => told };
  },
  async forge(stage) {
    const { agent } = agentOf(stage);
    await agent.generate("Pay the bills.", { runId: "forged" });
    // An approval that a client sends, which no person has given at Holdpoint.
    await agent.approveToolCallGenerate({ runId: "forged", toolCallId: stage.script[0][0].id });
  },
};
