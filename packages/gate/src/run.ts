/**
 * The run loop: turn after turn until the model has nothing left to call.
 *
 * L1  One record a run: completed, failed, or abandoned by its reader.
 * L2  The record is written before the caller hears how the run ended (G2).
 * L3  Nothing is retried, resumed or executed by itself; a blocked proposal stays blocked for this run.
 */

import type { Agent } from "./agent.ts";
import { errorNote, MaxTurnsExceededError, RunAbandonedError } from "./errors.ts";
import type { AgentInputItem, RunInput } from "./items.ts";
import type { RunOptions, RunStreamEvent, Session } from "./session.ts";
import { openSession } from "./session.ts";
import { takeTurn } from "./turn.ts";

export interface RunResult<TContext = unknown> {
  readonly runId: string;
  readonly finalOutput: string;
  readonly history: readonly AgentInputItem[];
  /** The agent that was active at the end. */
  readonly lastAgent: Agent<TContext>;
}

/** A run that goes on as its stream is read. */
export interface StreamedRun<TContext = unknown> extends Omit<RunResult<TContext>, "finalOutput"> {
  /** Can be read once; what ends the run with an error is thrown here. */
  toStream(): AsyncIterable<RunStreamEvent<TContext>>;
}

/**
 * Runs an agent: the model proposes, policies decide, allowed calls execute.
 *
 * @throws {ToolCallApprovalRequiredError} when a policy wants a person first and says so the hard way; see `errors.ts`
 * for the others.
 *
 * @example
 * ```ts
 * const result = await run(agent, "Refund order 7", {
 *   provider,
 *   context: { grants },
 *   policies: { toolPolicy },
 *   record: { sink: (record) => void records.push(record) },
 * });
 * ```
 */
export function run<TContext = unknown>(
  agent: Agent<TContext>,
  input: RunInput,
  options: RunOptions<TContext> & { readonly stream: true },
): Promise<StreamedRun<TContext>>;
export function run<TContext = unknown>(
  agent: Agent<TContext>,
  input: RunInput,
  options: RunOptions<TContext> & { readonly stream?: false },
): Promise<RunResult<TContext>>;
export async function run<TContext>(
  agent: Agent<TContext>,
  input: RunInput,
  options: RunOptions<TContext> & { readonly stream?: boolean },
): Promise<StreamedRun<TContext> | RunResult<TContext>> {
  const session = await openSession(agent, input, options);
  const { runId } = session.recorder;
  const events = settled(session);
  if (options.stream === true) return streamed(session, events);
  for await (const _event of events) {
    // A run goes on only as far as its events are read.
  }
  return { runId, finalOutput: session.response, history: session.history, lastAgent: session.agent };
}

function streamed<TContext>(
  session: Session<TContext>,
  events: AsyncIterable<RunStreamEvent<TContext>>,
): StreamedRun<TContext> {
  let read = false;
  return {
    runId: session.recorder.runId,
    get history() {
      return session.history;
    },
    get lastAgent() {
      return session.agent;
    },
    toStream: () => {
      if (read)
        throw new TypeError("The stream of this run has been read already. Call run() again for another.");
      read = true;
      return events;
    },
  };
}

async function* settled<TContext>(session: Session<TContext>): AsyncGenerator<RunStreamEvent<TContext>> {
  let ended = false;
  try {
    yield* turns(session);
    ended = true;
    await session.recorder.write(endOf(session));
  } catch (error) {
    ended = true;
    await fail(session, error);
    throw error;
  } finally {
    // A reader that leaves early must not take the evidence along: soft proposals are found in the record only.
    if (!ended)
      await fail(session, new RunAbandonedError("The reader left the run's stream before the run had ended"));
  }
}

async function* turns<TContext>(session: Session<TContext>): AsyncGenerator<RunStreamEvent<TContext>> {
  const { maxTurns, history } = session;
  const started = { level: "info", agent: session.agent.name } as const;
  await session.log(started, { type: "run_started", maxTurns, historyItems: history.length });
  await session.log({ ...started, turn: 1 }, { type: "agent_activated" });
  yield { type: "agent_updated_stream_event", agent: session.agent };
  for (session.turn = 1; session.turn <= maxTurns; session.turn += 1) {
    if (yield* takeTurn(session)) return;
  }
  session.turn = maxTurns;
  throw new MaxTurnsExceededError(maxTurns);
}

async function fail<TContext>(session: Session<TContext>, error: unknown): Promise<void> {
  const { agent, turn } = session;
  const placed = { level: "error", agent: agent.name, ...(turn > 0 ? { turn } : {}) } as const;
  await session.log(placed, { type: "run_failed", ...errorNote(error) });
  await session.recorder.write(endOf(session), { error });
}

function endOf<TContext>({ agent, history, response }: Session<TContext>) {
  return { agentName: agent.name, model: agent.model, items: history, response };
}
