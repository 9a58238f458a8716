/**
 * A small executor. Each phase is an intent with one task, all of them members of one portfolio; the server keeps the order,
 * what was asked and how it was answered. Run again over the same portfolio, it goes on where the last run ended.
 */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { pause } from "../../runtime.ts";
import type { OpenIntentAgent } from "../agent.ts";
import type { Intent } from "../types.ts";
import type { Phase, Workflow } from "./definition.ts";
import { asWorkflowError, UpstreamIntentSuspendedError, WorkflowDefinitionError } from "./errors.ts";
import { type Phases, validateClaimInputs } from "./inputs.ts";
import { type Begun, beginPhases, type PhaseRun } from "./phases.ts";

export interface PhaseContext {
  readonly phase: Phase;
  /** Everything the phase declared, under the names it reads it by. */
  readonly input: JsonObject;
  readonly intentId: string;
  readonly taskId: string;
  /** Acts for the agent that the phase is assigned to: `agent.requestInput(intentId, …)`. */
  readonly agent: OpenIntentAgent;
  readonly signal?: AbortSignal;
}

/** Does one phase's work and brings its outputs. */
export type PhaseHandler = (context: PhaseContext) => Promise<JsonObject> | JsonObject;

export interface RegisteredAgent {
  readonly agent: OpenIntentAgent;
  readonly handle: PhaseHandler;
}

export interface RunOptions {
  /** By the name that phases are assigned to. */
  readonly agents: Readonly<Record<string, RegisteredAgent>>;
  /** Makes the intents; usually the agent of who starts the workflow. */
  readonly starter: OpenIntentAgent;
  /** What `$trigger.*` refers to. */
  readonly trigger?: JsonObject;
  /** What `$initial_state.*` refers to, besides each phase's own. */
  readonly initialState?: JsonObject;
  /** Of an earlier run to go on with. */
  readonly portfolioId?: string;
  /** Put on the portfolio, over what the definition says. */
  readonly governance?: JsonObject;
  readonly signal?: AbortSignal;
  readonly onPhase?: (
    phase: string,
    what: "claimed" | "waiting" | "completed" | "failed" | "skipped",
  ) => void;
  /** How long to wait before a claim that was refused for a suspended phase is tried again. */
  readonly claimAgainMs?: number;
}

export interface PhaseResult {
  readonly intentId: string;
  readonly taskId: string;
  readonly status: "completed" | "failed" | "skipped";
  readonly output: JsonObject;
  readonly error?: unknown;
}

export interface WorkflowResult {
  readonly portfolioId: string;
  readonly status: "completed" | "failed";
  readonly phases: Readonly<Record<string, PhaseResult>>;
}

const CLAIM_AGAIN_MS = 1_000;

export async function runWorkflow(workflow: Workflow, options: RunOptions): Promise<WorkflowResult> {
  const missing = workflow.phases.filter(({ assign }) => !Object.hasOwn(options.agents, assign));
  if (missing.length > 0) {
    throw new WorkflowDefinitionError(
      `nobody is registered as ${missing.map(({ assign }) => assign).join(", ")}`,
    );
  }
  const begun = await beginPhases(workflow, options);
  const running = new Map<string, Promise<PhaseResult>>();
  // Phases stand after what they depend on, so each finds the promises it waits for.
  for (const run of begun.phases) {
    const before = run.phase.dependsOn.map((name) => running.get(name) as Promise<PhaseResult>);
    running.set(run.phase.name, runPhase(run, before, begun, options));
  }
  const phases = Object.fromEntries(
    await Promise.all([...running].map(async ([name, result]) => [name, await result] as const)),
  );
  const isDone = Object.values(phases).every(({ status }) => status === "completed");
  return { portfolioId: begun.portfolioId, status: isDone ? "completed" : "failed", phases };
}

async function runPhase(
  run: PhaseRun,
  before: readonly Promise<PhaseResult>[],
  begun: Begun,
  options: RunOptions,
): Promise<PhaseResult> {
  const { intentId, taskId, phase } = run;
  const done = { intentId, taskId };
  const upstream = await Promise.all(before);
  if (upstream.some(({ status }) => status !== "completed")) {
    options.onPhase?.(phase.name, "skipped");
    return { ...done, status: "skipped", output: {} };
  }
  try {
    const output = await work(run, begun, options);
    options.onPhase?.(phase.name, "completed");
    return { ...done, status: "completed", output };
  } catch (error) {
    options.signal?.throwIfAborted();
    await giveUp(run, error, options);
    options.onPhase?.(phase.name, "failed");
    return { ...done, status: "failed", output: {}, error };
  }
}

async function work(run: PhaseRun, begun: Begun, options: RunOptions): Promise<JsonObject> {
  const { phase, intentId, taskId } = run;
  const { agent, handle } = options.agents[phase.assign] as RegisteredAgent;
  const { client } = agent;
  const found = await client.getIntent(intentId, options.signal);
  if (found.status === "completed") return outputsOf(phase, found);
  await claim(run, options);
  const now = await upstreamOf(phase, begun, options);
  const input = validateClaimInputs(phase, taskId, (await client.getIntent(intentId)).state, now);
  options.onPhase?.(phase.name, "claimed");
  const { signal } = options;
  const output = await handle({
    phase,
    input,
    intentId,
    taskId,
    agent,
    ...(signal === undefined ? {} : { signal }),
  });
  await finish(run, output, options);
  return output;
}

/** The server says whether a phase may be taken up; while another one asks a person, it is asked again. */
async function claim({ phase, taskId }: PhaseRun, options: RunOptions): Promise<void> {
  const { transport } = (options.agents[phase.assign] as RegisteredAgent).agent.client;
  for (;;) {
    try {
      const task = await transport.call<{ status: string }>("GET", `/tasks/${taskId}`);
      if (task.status === "claimed" || task.status === "running" || task.status === "blocked") return;
      await transport.call("POST", `/tasks/${taskId}/claim`, { body: {} });
      return;
    } catch (cause) {
      const error = asWorkflowError(cause);
      if (!(error instanceof UpstreamIntentSuspendedError)) throw error;
      options.onPhase?.(phase.name, "waiting");
      await pause(transport.runtime, options.claimAgainMs ?? CLAIM_AGAIN_MS, options.signal);
    }
  }
}

async function upstreamOf(phase: Phase, begun: Begun, { starter }: RunOptions): Promise<Phases> {
  const known = begun.phases.filter(({ phase: other }) => phase.dependsOn.includes(other.name));
  return new Map(
    await Promise.all(
      known.map(async (each) => [each.phase.name, await starter.client.getIntent(each.intentId)] as const),
    ),
  );
}

/** What it brought is written where the next phase looks for it, then task and intent are complete. */
async function finish(
  { phase, intentId, taskId }: PhaseRun,
  output: JsonObject,
  options: RunOptions,
): Promise<void> {
  const { client } = (options.agents[phase.assign] as RegisteredAgent).agent;
  try {
    const entries = Object.entries(output);
    if (entries.length > 0) {
      const { version } = await client.getIntent(intentId);
      const patches = entries.map(([key, value]) => ({ op: "set" as const, path: pointer(key), value }));
      await client.patchState(intentId, version, patches);
    }
    await client.transport.call("POST", `/tasks/${taskId}/complete`, { body: { output } });
    const { version } = await client.getIntent(intentId);
    await client.setStatus(intentId, version, "completed");
  } catch (error) {
    throw asWorkflowError(error);
  }
}

function pointer(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function outputsOf({ outputs }: Phase, { state }: Intent): JsonObject {
  const there = Object.keys(outputs).filter((key) => Object.hasOwn(state, key));
  return Object.fromEntries(there.map((key) => [key, state[key] as Json]));
}

/** Nobody waits for what will not come. An intent that its question has ended is over already. */
async function giveUp(
  { intentId, taskId, phase }: PhaseRun,
  error: unknown,
  options: RunOptions,
): Promise<void> {
  const { client } = (options.agents[phase.assign] as RegisteredAgent).agent;
  const message = error instanceof Error ? error.message : String(error);
  const body = { error: { message } };
  await client.transport.call("POST", `/tasks/${taskId}/fail`, { body }).catch(() => undefined);
  const intent = await client.getIntent(intentId).catch(() => undefined);
  if (intent === undefined || intent.status === "abandoned" || intent.status === "completed") return;
  await client.setStatus(intentId, intent.version, "abandoned", message).catch(() => undefined);
}
