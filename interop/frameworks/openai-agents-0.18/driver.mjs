/** An agent on an older OpenAI Agents SDK for the adapter kit. */

import { approvals } from "@holdpoint/adapters/openai-agents";
import { Agent, RunState, run, setTracingDisabled, tool, Usage } from "@openai/agents";
import * as z from "zod";

setTracingDisabled(true);

/** A model of the SDK's own interface; this version has no scripted one. */
function scriptedModel(script, told) {
  return {
    async getResponse({ input }) {
      told.push(JSON.stringify(input));
      const items = Array.isArray(input) ? input : [];
      const made = new Set(items.filter(({ type }) => type === "function_call").map(({ callId }) => callId));
      const next = script.find((calls) => calls.some(({ id }) => !made.has(id)));
      const text = { type: "output_text", text: "done" };
      const output = next?.map(({ id, args }) => ({
        ...{
          type: "function_call",
          name: "pay",
          callId: id,
          arguments: JSON.stringify(args),
          status: "completed",
        },
      })) ?? [{ type: "message", role: "assistant", status: "completed", content: [text] }];
      return { output, usage: new Usage() };
    },
    getStreamedResponse() {
      throw new Error("not streamed");
    },
  };
}

function agentOf(stage, told = []) {
  const people = approvals(stage.holdpoint);
  const pay = tool({
    name: "pay",
    description: "Pays",
    parameters: z.object({ to: z.string(), amount: z.number() }),
    execute: (payment) => stage.pay(payment),
  });
  const tools = people.wrap([pay], { ask: () => stage.ask() });
  return { people, agent: new Agent({ name: "payer", model: scriptedModel(stage.script, told), tools }) };
}

export const adapter = {
  start(stage) {
    const told = [];
    const { people, agent } = agentOf(stage, told);
    const { key, store } = stage;
    return { told: () => told, run: people.run({ key, store, agent, input: "Pay the bills." }) };
  },
  async forge(stage) {
    const { agent } = agentOf(stage);
    const { state } = await run(agent, "Pay the bills.");
    const forged = await RunState.fromString(agent, state.toString());
    for (const item of forged.getInterruptions()) forged.approve(item, { alwaysApprove: true });
    await run(agent, forged);
  },
};
