/** One turn: ask the model, check what it says, put each of its calls through the gate in order. */

import { defined } from "@holdpoint/protocol/client";
import { parseProposalArguments } from "@holdpoint/protocol/proposal";
import type { Agent } from "./agent.ts";
import type { ModelCall } from "./call.ts";
import { makeCall } from "./call.ts";
import { OutputGuardrailTripwireTriggered } from "./errors.ts";
import type { HandoffTool } from "./handoff.ts";
import { handoffOffer, handoffTools } from "./handoff.ts";
import type { RunItem, ToolCallItem } from "./items.ts";
import { outputItem } from "./items.ts";
import type { ProviderRequest } from "./provider.ts";
import type { RunStreamEvent, Session } from "./session.ts";

interface Reply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** @returns whether the run has ended. */
export async function* takeTurn<TContext>(
  session: Session<TContext>,
): AsyncGenerator<RunStreamEvent<TContext>, boolean> {
  const agent = session.agent;
  await session.log({ level: "debug", agent: agent.name, turn: session.turn }, { type: "turn_started" });
  const handoffs = handoffTools(agent);
  const request = await requestFor(session, agent, handoffs);
  const { text, calls } = yield* askModel(session, agent, request);
  const ended = calls.length === 0;
  if (ended || text !== "") {
    session.history.push({ type: "message", role: "assistant", content: text });
    yield itemEvent({ type: "message_output_item", content: text });
  }
  if (ended) {
    session.response = text;
    const placed = { level: "info", agent: agent.name, turn: session.turn } as const;
    await session.log(placed, { type: "run_completed", outputLength: text.length });
  }
  for (const call of calls) yield* passCall(session, agent, handoffs, call);
  return ended;
}

async function requestFor<TContext>(
  session: Session<TContext>,
  agent: Agent<TContext>,
  handoffs: readonly HandoffTool<TContext>[],
): Promise<ProviderRequest> {
  const { instructions, model, modelSettings } = agent;
  const systemPrompt =
    typeof instructions === "string" ? instructions : await instructions(session.runContext);
  const own = agent.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: parameters.jsonSchema,
  }));
  const tools = [...own, ...handoffs.map(handoffOffer)];
  const request = { model, systemPrompt, messages: [...session.history], tools, modelSettings };
  const { turn } = session;
  session.recorder.asked({ turn, agentName: agent.name, promptVersion: agent.promptVersion, request });
  return request;
}

async function* askModel<TContext>(
  session: Session<TContext>,
  agent: Agent<TContext>,
  request: ProviderRequest,
): AsyncGenerator<RunStreamEvent<TContext>, Reply> {
  const deltas: string[] = [];
  const calls: ModelCall[] = [];
  let message = "";
  // What a guardrail has not passed yet, nobody may hear.
  const held = agent.outputGuardrails.length > 0;
  for await (const event of session.provider.stream(request)) {
    if (event.type === "delta") {
      deltas.push(event.delta);
      if (!held) yield deltaEvent(event.delta);
    } else if (event.type === "tool_call") {
      calls.push({ callId: event.callId, name: event.name, arguments: event.arguments });
    } else {
      message = event.message ?? "";
    }
  }
  const text = deltas.length > 0 ? deltas.join("") : message;
  if (calls.length === 0 || text !== "") await checkOutput(session, agent, text);
  if (held) yield* deltas.map(deltaEvent);
  return { text, calls };
}

async function checkOutput<TContext>(
  session: Session<TContext>,
  agent: Agent<TContext>,
  outputText: string,
): Promise<void> {
  const { turn, runContext } = session;
  const placed = { agent: agent.name, turn };
  for (const guardrail of agent.outputGuardrails) {
    const named = { guardrailName: guardrail.name };
    await session.log({ level: "debug", ...placed }, { type: "output_guardrail_started", ...named });
    const history = [...session.history];
    const output = await guardrail.execute({ agentName: agent.name, outputText, history, runContext });
    const { reason, metadata } = output;
    if (output.tripwireTriggered) {
      session.recorder.guarded({ turn, ...named, decision: "triggered", ...defined({ reason, metadata }) });
      const triggered = { type: "output_guardrail_triggered", ...named, ...defined({ reason }) } as const;
      await session.log({ level: "warn", ...placed }, triggered);
      throw new OutputGuardrailTripwireTriggered({ guardrail: guardrail.name, output, outputText });
    }
    session.recorder.guarded({ turn, ...named, decision: "pass", ...defined({ reason, metadata }) });
    await session.log({ level: "info", ...placed }, { type: "output_guardrail_passed", ...named });
  }
}

async function* passCall<TContext>(
  session: Session<TContext>,
  agent: Agent<TContext>,
  handoffs: readonly HandoffTool<TContext>[],
  call: ModelCall,
): AsyncGenerator<RunStreamEvent<TContext>> {
  const { callId, name, arguments: rawArguments } = call;
  const parsed = parseProposalArguments(rawArguments);
  const callItem: ToolCallItem = { type: "tool_call_item", callId, name, arguments: parsed, rawArguments };
  session.history.push(callItem);
  yield itemEvent(callItem);
  const { envelope, successor } = await makeCall(session, agent, handoffs, call);
  const item = outputItem(callId, envelope);
  session.history.push(item);
  // Before anybody hears of it: a reader that stops here must find the agent that is now in charge.
  if (successor !== undefined) session.agent = successor;
  yield itemEvent(item);
  if (successor !== undefined) {
    yield { type: "agent_updated_stream_event", agent: successor };
    await session.log(
      { level: "info", agent: successor.name, turn: session.turn },
      { type: "agent_activated" },
    );
  }
}

function itemEvent(item: RunItem) {
  return { type: "run_item_stream_event", item } as const;
}

function deltaEvent(delta: string) {
  return { type: "raw_model_stream_event", data: { delta } } as const;
}
