/**
 * A small executor. Each phase is an intent with one task, all of them members of one portfolio; the server keeps the order,
 * what was asked and how it was answered. Run again over the same portfolio, it goes on where the last run ended.
 */

import { pause } from "@holdpoint/protocol/http";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { OpenIntentAgent } from "../agent.ts";
import type { OpenIntentClient } from "../client.ts";
import { ConflictError } from "../errors.ts";
import type { Phase, Workflow } from "./definition.ts";
import { asWorkflowError, UpstreamIntentSuspendedError, WorkflowDefinitionError } from "./errors.ts";
import { complete, finish, outputsOf } from "./finish.ts";
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

/** Runs a workflow to its end. With the `portfolioId` of an earlier run it goes on where that one ended. */
export async function runWorkflow(workflow: Workflow, options: RunOptions): Promise<WorkflowResult> {
  const missing = workflow.phases.filter(({ assign }) => !Object.hasOwn(options.agents, assign));
  if (missing.length > 0) {
    throw new WorkflowDefinitionError(
      `no agent is given for ${missing.map(({ assign }) => assign).join(", ")}; add one to \`agents\``,
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
  const { agent, handle } = registered(phase, options);
  const { client } = agent;
  const found = await client.getIntent(intentId, options.signal);
  if (found.status === "completed") return outputsOf(phase, found);
  if ((await claim(run, options)) === "done") return complete(run, client);
  const now = await upstreamOf(phase, begun, options);
  const input = validateClaimInputs(phase, taskId, (await client.getIntent(intentId)).state, now);
  options.onPhase?.(phase.name, "claimed");
  const { signal } = options;
  const context = { phase, input, intentId, taskId, agent };
  const output = await handle(signal === undefined ? context : { ...context, signal });
  // Who was told to stop leaves the phase to the run that goes on with it.
  signal?.throwIfAborted();
  return finish(run, output, client);
}

/**
 * The server says whether a phase may be taken up; while another one asks a person, it is asked again. An earlier run, or
 * one beside this, may have taken it up, or done its work, already.
 */
async function claim({ phase, taskId }: PhaseRun, options: RunOptions): Promise<"taken" | "done"> {
  const { transport } = clientOf(phase, options);
  const look = async () =>
    TAKEN[(await transport.call<{ status: string }>("GET", `/tasks/${taskId}`)).status];
  for (;;) {
    const before = await look();
    if (before !== undefined) return before;
    try {
      await transport.call("POST", `/tasks/${taskId}/claim`, { body: {}, repeatable: true });
      return "taken";
    } catch (cause) {
      const error = asWorkflowError(cause);
      const meanwhile = error instanceof ConflictError ? await look() : undefined;
      if (meanwhile !== undefined) return meanwhile;
      if (!(error instanceof UpstreamIntentSuspendedError)) throw error;
      options.onPhase?.(phase.name, "waiting");
      await pause(transport.runtime, options.claimAgainMs ?? CLAIM_AGAIN_MS, options.signal);
    }
  }
}

const TAKEN: Readonly<Record<string, "taken" | "done" | undefined>> = {
  claimed: "taken",
  running: "taken",
  blocked: "taken",
  completed: "done",
};

/** That everybody is registered was checked before the run began. */
function registered({ assign }: Phase, { agents }: RunOptions): RegisteredAgent {
  return agents[assign] as RegisteredAgent;
}

function clientOf(phase: Phase, options: RunOptions): OpenIntentClient {
  return registered(phase, options).agent.client;
}

async function upstreamOf(phase: Phase, begun: Begun, { starter }: RunOptions): Promise<Phases> {
  const known = begun.phases.filter(({ phase: other }) => phase.dependsOn.includes(other.name));
  return new Map(
    await Promise.all(
      known.map(async (each) => [each.phase.name, await starter.client.getIntent(each.intentId)] as const),
    ),
  );
}

/** Nobody waits for what will not come. An intent that its question has ended is over already. */
async function giveUp(
  { intentId, taskId, phase }: PhaseRun,
  error: unknown,
  options: RunOptions,
): Promise<void> {
  const client = clientOf(phase, options);
  const message = error instanceof Error ? error.message : String(error);
  const body = { error: { message } };
  await client.transport.call("POST", `/tasks/${taskId}/fail`, { body }).catch(() => undefined);
  const intent = await client.getIntent(intentId).catch(() => undefined);
  if (intent === undefined || intent.status === "abandoned" || intent.status === "completed") return;
  await client.setStatus(intentId, intent.version, "abandoned", message).catch(() => undefined);
}
