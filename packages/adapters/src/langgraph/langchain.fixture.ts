/** A LangChain agent with its human-in-the-loop middleware for the adapter kit: LangChain's own fake model. */

import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { type AgentMiddleware, createAgent, fakeModel, humanInTheLoopMiddleware, tool } from "langchain";
import * as z from "zod";
import type { AdapterUnderTest, Stage } from "../kit/index.ts";
import { nodeSqlite } from "../testing/node-sqlite.ts";
import { approvals, type WrapOptions } from "./index.ts";

const STEPS_MAX = 20;

/** Makes the calls of the next step: it reads from the messages which of its calls have an answer. */
export function scriptedModel(script: Stage["script"], told: string[] = []) {
  const respond = (messages: readonly BaseMessage[]) => {
    told.push(JSON.stringify(messages));
    const made = new Set(
      messages.flatMap((message) => ("tool_call_id" in message ? [String(message.tool_call_id)] : [])),
    );
    const next = script.find((calls) => calls.every(({ id }) => !made.has(id)));
    const calls = (next ?? []).map(({ id, args }) => ({ id, name: "pay", args: { ...args } }));
    return new AIMessage({ content: calls.length === 0 ? "done" : "", tool_calls: calls });
  };
  const model = fakeModel();
  for (let at = 0; at < STEPS_MAX; at += 1) model.respond(respond);
  return model;
}

/** What outlives a process: the agent's checkpoints, in a file where processes are real ones. */
const savers = new WeakMap<Stage, BaseCheckpointSaver>();
function saverOf(stage: Stage): BaseCheckpointSaver {
  const file = process.env["AGENT_DB"];
  const made = () => (file === undefined ? new MemorySaver() : new SqliteSaver(nodeSqlite(file) as never));
  const saver = savers.get(stage) ?? made();
  savers.set(stage, saver);
  return saver;
}

type InterruptOn = Readonly<Record<string, boolean | { readonly allowedDecisions: readonly string[] }>>;

/** Its own types do not fit LangChain's under `exactOptionalPropertyTypes`. */
export const hitl = humanInTheLoopMiddleware as unknown as (options: {
  readonly interruptOn: InterruptOn;
}) => AgentMiddleware;

export function agentOf(
  stage: Stage,
  told: string[] = [],
  options: WrapOptions = { ask: () => stage.ask() },
) {
  const people = approvals(stage.holdpoint);
  const pay = tool((payment) => stage.pay(payment), {
    name: "pay",
    description: "Pays",
    schema: z.object({ to: z.string(), amount: z.number() }),
  });
  const agent = createAgent({
    model: scriptedModel(stage.script, told),
    tools: people.wrap([pay], options),
    middleware: [hitl({ interruptOn: { pay: true } })],
    checkpointer: saverOf(stage),
  });
  return { people, agent };
}

function adapterOf(options?: WrapOptions): AdapterUnderTest {
  return {
    keepsOwnState: true,
    rejectsWholeSteps: true,
    start(stage) {
      const told: string[] = [];
      const { people, agent } = agentOf(stage, told, options);
      const input = { messages: [{ role: "user", content: "Pay the bills." }] };
      const run = people.run({ graph: agent as never, threadId: stage.key, input, store: stage.store });
      return { told: () => told, run };
    },
    async forge(stage) {
      const { agent } = agentOf(stage, [], options);
      const config = { configurable: { thread_id: stage.key } };
      await agent.invoke({ messages: [{ role: "user", content: "Pay the bills." }] }, config);
      // A decision that a client sends, which no person has made at Holdpoint.
      await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    },
  };
}

export const langChain = adapterOf();
/** The server's rules decide about each call. Without any they let people decide. */
export const langChainByRules = adapterOf({ rules: "server" });
