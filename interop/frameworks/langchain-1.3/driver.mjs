/** An agent on an older LangChain, with its human-in-the-loop middleware, for the adapter kit. */

import { approvals } from "@holdpoint/adapters/langgraph";
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import * as z from "zod";

class ScriptedModel extends FakeListChatModel {
  constructor(script, told) {
    super({ responses: ["done"] });
    this.script = script;
    this.told = told;
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    this.told.push(JSON.stringify(messages));
    const made = new Set(messages.flatMap((message) => message.tool_call_id ?? []));
    const next = this.script.find((calls) => calls.every(({ id }) => !made.has(id))) ?? [];
    const tool_calls = next.map(({ id, args }) => ({ id, name: "pay", args: { ...args } }));
    const message = new AIMessage({ content: next.length === 0 ? "done" : "", tool_calls });
    return { generations: [{ text: "", message }] };
  }
}

const savers = new WeakMap();
function saverOf(stage) {
  if (!savers.has(stage)) savers.set(stage, new MemorySaver());
  return savers.get(stage);
}

const INPUT = { messages: [{ role: "user", content: "Pay the bills." }] };

function agentOf(stage, told = []) {
  const people = approvals(stage.holdpoint);
  const pay = tool((payment) => stage.pay(payment), {
    name: "pay",
    description: "Pays",
    schema: z.object({ to: z.string(), amount: z.number() }),
  });
  const agent = createAgent({
    model: new ScriptedModel(stage.script, told),
    tools: people.wrap([pay], { ask: () => stage.ask() }),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
    checkpointer: saverOf(stage),
  });
  return { people, agent };
}

export const adapter = {
  keepsOwnState: true,
  rejectsWholeSteps: true,
  start(stage) {
    const told = [];
    const { people, agent } = agentOf(stage, told);
    const run = people.run({ graph: agent, threadId: stage.key, input: INPUT, store: stage.store });
    return { told: () => told, run };
  },
  async forge(stage) {
    const { agent } = agentOf(stage);
    const config = { configurable: { thread_id: stage.key } };
    await agent.invoke(INPUT, config);
    await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
  },
};
