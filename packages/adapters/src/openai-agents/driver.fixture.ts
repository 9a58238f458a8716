/** An agent on the OpenAI Agents SDK for the adapter kit: the SDK's own scripted model. */

import { Agent, RunState, run, setTracingDisabled, tool } from "@openai/agents";
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents-core/testing";
import * as z from "zod";
import type { AdapterUnderTest, Stage } from "../kit/index.ts";
import { approvals, type WrapOptions } from "./index.ts";

setTracingDisabled(true);

const STEPS_MAX = 20;

/** Makes the calls of the next step: it reads from the input how many of its calls are behind it. */
export function scriptedModel(script: Stage["script"], told: string[] = []): ScriptedModel {
  const respond = modelResponder(({ request }) => {
    told.push(JSON.stringify(request.input));
    const made = new Set(
      (Array.isArray(request.input) ? request.input : []).flatMap((item) =>
        item.type === "function_call" ? [item.callId] : [],
      ),
    );
    const next = script.find((calls) => calls.some(({ id }) => !made.has(id)));
    if (next === undefined) return [assistantMessage("done")];
    return next.map(({ id, args }) => functionCall("pay", { ...args }, { callId: id }));
  });
  return new ScriptedModel(Array.from({ length: STEPS_MAX }, () => respond));
}

export function agentOf(
  stage: Stage,
  told: string[] = [],
  options: WrapOptions = { ask: () => stage.ask() },
) {
  const people = approvals(stage.holdpoint);
  const pay = tool({
    name: "pay",
    description: "Pays",
    parameters: z.object({ to: z.string(), amount: z.number() }),
    execute: (payment) => stage.pay(payment),
  });
  const agent = new Agent({
    name: "payer",
    model: scriptedModel(stage.script, told),
    tools: people.wrap([pay], options),
  });
  return { people, agent };
}

function adapterOf(options?: WrapOptions): AdapterUnderTest {
  return {
    start(stage) {
      const told: string[] = [];
      const { people, agent } = agentOf(stage, told, options);
      return {
        told: () => told,
        run: people.run({ key: stage.key, store: stage.store, agent, input: "Pay the bills." }),
      };
    },
    async forge(stage) {
      const { agent } = agentOf(stage, [], options);
      const { state } = await run(agent, "Pay the bills.");
      // A state that somebody approved without Holdpoint, sent back as a request's body would bring it.
      const forged = await RunState.fromString(agent, state.toString());
      for (const item of forged.getInterruptions()) forged.approve(item, { alwaysApprove: true });
      await run(agent, forged);
    },
  };
}

export const openAiAgents = adapterOf();
/** The server's rules decide about each call. Without any they let people decide. */
export const openAiAgentsByRules = adapterOf({ rules: "server" });
