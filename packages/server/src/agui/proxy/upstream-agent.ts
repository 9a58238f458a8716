/**
 * The agent behind a proxy, as an agent of this server. Each of its runs is one step: its events pass through as they arrive,
 * and how it ended is stored. So a stopped run is a group of holds like any other, and a new process can continue it.
 *
 * P1  A release is `sending` before its first byte is sent, and `released` only when its thread has continued from it. If a
 *     server dies before that, the release is checked again.
 * P2  A release under way runs to its end, whether or not a client is still connected.
 * P3  A release that may have arrived and did not end is `unknown`, unless the agent is idempotent; one that did not arrive is
 *     `pending`; one that the agent failed on is `failed`. In all three cases the thread still waits.
 */

import {
  type AgUiEvent,
  type Interrupt,
  type InterruptAsk,
  PROTOCOL_VERSION,
} from "@holdpoint/protocol/agui";
import {
  type AgUiAgent,
  type AgUiRun,
  CallListener,
  contextWithCall,
  RunFailure,
  runEnd,
  type StreamedCalls,
} from "@holdpoint/protocol/agui/runtime";
import { isObject, type Json, type JsonBounds, type JsonObject, type Judge } from "@holdpoint/protocol/rules";
import { readStrictJson } from "../../faces/http/strict-json.ts";
import type { Clock } from "../../system/clock.ts";
import type { Release } from "../rules/release/release.ts";
import { PacedQueue } from "./backpressure.ts";
import { answersFor, hitlAsks, hitlRequestOf } from "./hitl-interrupts.ts";
import {
  askOf,
  contextOf,
  type Ending,
  isToldInterrupt,
  type ResumeSpelling,
  readEnding,
  resumeFor,
  type Told,
  toldIn,
} from "./interrupt-codec.ts";
import type { Releases } from "./releases.ts";
import { answerable } from "./schema-check.ts";
import type { ProxySettings, Upstreamed } from "./settings.ts";

export interface UpstreamOptions {
  readonly workspace: string;
  readonly settings: ProxySettings;
  readonly releases: Releases;
  open(groupId: string, threadId: string): Promise<void>;
  readonly clock: Clock;
  readonly judge: Judge;
  /** Aborts releases under way when the server must end. */
  readonly stopping: AbortSignal;
  newFence(): string;
  /** Called before and after a release; between the two calls a lost client aborts nothing. */
  onReleasing(threadId: string, isReleasing: boolean): void;
  /** Called when the end of a release is stored. It is `released` once the thread has continued from it. */
  onRemembered(threadId: string, remembered: Remembered): void;
}

export interface Remembered {
  readonly groupId: string;
  readonly fenceId: string;
}

/** What is stored of one run of the agent. */
type Segment = {
  readonly ending: Ending;
  readonly messages: Json;
  readonly state: Json;
  readonly fenceId?: string;
  readonly usage?: readonly Json[];
  /** Tool calls that the agent streamed and that have no result yet; absent in rows of earlier versions. */
  readonly calls?: StreamedCalls;
};

interface Releasing {
  readonly groupId: string;
  readonly resume: JsonObject;
  readonly calls: StreamedCalls;
}

export function upstreamAgent(options: UpstreamOptions): AgUiAgent {
  return async function* (run) {
    let releasing: Releasing | undefined;
    for (;;) {
      const { ending, fenceId, usage, calls } = yield* segmentOf(run, options, releasing);
      if (releasing !== undefined && fenceId !== undefined) {
        options.onRemembered(run.threadId, { groupId: releasing.groupId, fenceId });
      }
      const { end, spelling } = ending;
      if (end.kind === "success") return runEnd({ ...end, ...(usage === undefined ? {} : { usage }) });
      if (end.kind === "cancelled") return run.stop();
      const { interrupts } = end;
      const asked = calls === undefined ? interrupts : withCalls(interrupts, calls);
      // If the agent sent the legacy event itself, the client already has it.
      const wasTold = ending.told ?? spelling === "command";
      if (options.settings.legacyEvents === true && !wasTold) yield* legacyEvents(asked);
      const asks = asked.map((interrupt) => asksFor(interrupt, spelling, options));
      const answers = await run.interruptAll(asks.flat());
      const [first] = answers;
      if (first === undefined) throw new Error("every interrupt has an answer");
      const given = answersFor(asked, answers);
      releasing = {
        groupId: await options.releases.groupOf(options.workspace, first.interruptId),
        resume: resumeFor(spelling, interrupts, given, run.forwardedProps),
        calls: calls ?? {},
      };
    }
  };
}

/** Without ids: they are the agent's own, and a client of that version answers the interrupt it was shown. */
function* legacyEvents(interrupts: readonly Interrupt[]): Generator<AgUiEvent, void, void> {
  for (const { id: _id, ...shown } of interrupts)
    yield { type: "CUSTOM", name: "on_interrupt", value: JSON.stringify(shown) };
}

/** One ask for an interrupt, or one for each tool call of LangChain's human-in-the-loop middleware. */
function asksFor(
  told: Interrupt,
  spelling: ResumeSpelling,
  { settings, clock, judge }: UpstreamOptions,
): readonly InterruptAsk[] {
  const ladder = settings.ladder.length === 0 ? {} : { ladder: settings.ladder };
  const interrupt = answerable(told, judge);
  const request = hitlRequestOf(told);
  if (request !== null)
    return hitlAsks(request, interrupt, clock.now()).map((ask) => ({ ...ask, ...ladder }));
  const isBare = spelling === "command" && interrupt.responseSchema === undefined;
  return [askOf(interrupt, clock.now(), { ...ladder, ...(isBare ? { bare: true } : {}) })];
}

async function* segmentOf(
  run: AgUiRun,
  options: UpstreamOptions,
  releasing: Releasing | undefined,
): AsyncGenerator<AgUiEvent, Segment, void> {
  const queue = new PacedQueue<AgUiEvent>();
  let isFresh = false;
  const work = run.step(async () => {
    isFresh = true;
    const segment = await performed(run, options, releasing, queue);
    // A step stores JSON, and every member of a segment is JSON.
    return segment as unknown as JsonObject;
  });
  // If the run is abandoned, nobody awaits `work`; the step records its own failure.
  work.catch(() => undefined).finally(() => queue.close());
  const leave = () => queue.leave();
  run.signal.addEventListener("abort", leave, { once: true });
  try {
    yield* queue.values();
  } finally {
    run.signal.removeEventListener("abort", leave);
    leave();
  }
  // The step stored a segment, here or in an earlier process.
  const segment = (await work) as unknown as Segment;
  if (!isFresh) {
    // These events went to a client that has left, so this client gets them as snapshots.
    yield { type: "STATE_SNAPSHOT", snapshot: segment.state };
    yield { type: "MESSAGES_SNAPSHOT", messages: segment.messages };
    const { usage: _told, ...rest } = segment;
    return rest;
  }
  return segment;
}

async function performed(
  run: AgUiRun,
  options: UpstreamOptions,
  releasing: Releasing | undefined,
  queue: PacedQueue<AgUiEvent>,
): Promise<Segment> {
  if (releasing === undefined) {
    const signal = AbortSignal.any([run.signal, queue.left]);
    return segment(run, plainEnd(await asked(run, options, { resume: {}, calls: {} }, queue, signal)));
  }
  // From here on a client that leaves does not end the run; one that has already left does.
  options.onReleasing(run.threadId, true);
  try {
    if (run.signal.aborted) throw new RunFailure("RUN_CANCELLED", "The run was stopped.");
    return await released(run, options, releasing, queue);
  } finally {
    options.onReleasing(run.threadId, false);
  }
}

async function released(
  run: AgUiRun,
  options: UpstreamOptions,
  releasing: Releasing,
  queue: PacedQueue<AgUiEvent>,
): Promise<Segment> {
  const { releases, workspace } = options;
  const { groupId } = releasing;
  const fenceId = options.newFence();
  // A server of an earlier version may have died before it opened the release. Opening it again changes nothing.
  await options.open(groupId, run.threadId);
  const release = await releases.begin(workspace, groupId, fenceId);
  if (release.fence?.id !== fenceId) return { ...segment(run, endingElsewhere(release)), fenceId };
  const stopRenewing = releases.renewing(workspace, groupId, fenceId);
  try {
    const upstreamed = await asked(run, options, releasing, queue, options.stopping);
    const failure = failureOf(upstreamed, options.settings);
    if (failure === null) return { ...segment(run, upstreamed), fenceId };
    await releases.finish(workspace, groupId, fenceId, failure.state, failure.error);
    throw failure.told;
  } finally {
    stopRenewing();
  }
}

/** Arguments that a parser would change, such as a number with too many digits, are shown as the agent wrote them (G12). */
function readArguments(text: string): Json {
  const read = readStrictJson(text, ASK_LIMITS);
  return read.kind === "ok" ? (read.value as Json) : text;
}

interface Asked {
  readonly came: Upstreamed;
  readonly told: readonly Told[];
  readonly calls: StreamedCalls;
}

async function asked(
  run: AgUiRun,
  { settings }: UpstreamOptions,
  { resume, calls }: Pick<Releasing, "resume" | "calls">,
  queue: PacedQueue<AgUiEvent>,
  signal: AbortSignal,
): Promise<Asked> {
  const { threadId, runId, state, messages, tools, context, forwardedProps } = run;
  const told: Told[] = [];
  const listener = new CallListener(calls, messages, readArguments);
  const came = await settings.ask({
    body: {
      ...{ threadId, runId, protocolVersion: PROTOCOL_VERSION, state, messages, tools, context },
      forwardedProps: forwardedProps ?? {},
      ...resume,
    },
    signal,
    async onEvent(event) {
      if (isToldInterrupt(event)) told.push(toldIn(event));
      listener.hear(event);
      // The client already got RUN_STARTED with the same ids.
      if (event.type !== "RUN_STARTED") await queue.push(withoutForeignIds(event));
    },
  });
  return { came, told, calls: listener.calls() };
}

function segment(run: AgUiRun, { came, told, calls }: Asked): Segment {
  if (came.kind !== "ended") throw new Error("only a run that ended can be stored");
  const usage = came.event["usage"];
  return {
    ...(Array.isArray(usage) ? { usage: usage as readonly Json[] } : {}),
    ending: readEnding(came.event, told),
    calls: Buffer.byteLength(JSON.stringify(calls)) <= ASK_BYTES_MAX ? calls : {},
    messages: run.messages as Json,
    state: run.state,
  };
}

/** A first run releases no answers, so it simply ends as the agent's run did. */
function plainEnd(upstreamed: Asked): Asked {
  if (isEnd(upstreamed)) return upstreamed;
  throw wordsFor(upstreamed.came);
}

/** Whether the thread can continue from this end: a run that stopped must have asked something that holds can ask. */
function isEnd({ came, told }: Asked): boolean {
  if (came.kind !== "ended" || came.event.type === "RUN_ERROR") return false;
  const { end } = readEnding(came.event, told);
  return end.kind !== "interrupt" || isAskable(end.interrupts);
}

const ASKS_MAX = 100;
/** A request that places holds contains most of this twice, and may have 1 MiB and 50,000 values. */
const ASK_BYTES_MAX = 480 * 1_024;
const ASK_LIMITS: JsonBounds = { depthMax: 48, valuesMax: 24_000 };

/** Whether the interrupts are within the limits of holds. A hold that cannot be placed would leave the thread stuck. */
function isAskable(interrupts: readonly Interrupt[]): boolean {
  const text = JSON.stringify(interrupts);
  const isSmall = interrupts.length <= ASKS_MAX && Buffer.byteLength(text) <= ASK_BYTES_MAX;
  return interrupts.length > 0 && isSmall && readStrictJson(text, ASK_LIMITS).kind === "ok";
}

/** Adds the streamed calls to the interrupts. Calls that are too large to show are marked as unknown. */
function withCalls(interrupts: readonly Interrupt[], calls: StreamedCalls): readonly Interrupt[] {
  const whole = interrupts.map((interrupt) => withCall(interrupt, calls));
  return isAskable(whole) ? whole : interrupts.map((interrupt) => withCall(interrupt, {}));
}

function withCall(interrupt: Interrupt, calls: StreamedCalls): Interrupt {
  const { toolCallId, reason, metadata } = interrupt;
  if (typeof toolCallId !== "string" && reason !== "tool_call") return interrupt;
  const given = isObject(metadata as Json) ? (metadata as JsonObject) : {};
  const payload = contextWithCall(contextOf(interrupt) ?? {}, toolCallId ?? "", calls);
  return { ...interrupt, metadata: { ...given, payload } };
}

interface Failure {
  readonly state: "pending" | "unknown" | "failed";
  readonly error: string;
  readonly told: RunFailure;
}

function failureOf(upstreamed: Asked, { idempotent }: ProxySettings): Failure | null {
  if (isEnd(upstreamed)) return null;
  const { came } = upstreamed;
  const told = wordsFor(came);
  if (came.kind === "ended") return { state: "failed", error: errorWord(came.event), told };
  const isPending = came.kind === "refused" || idempotent;
  return { state: isPending ? "pending" : "unknown", error: came.error, told };
}

const WORD = /^[\w.:-]{1,100}$/;

/** The agent's error code, if it looks like one. The agent's message may contain anything, so it stays out of the log. */
function errorWord({ type, code }: AgUiEvent): string {
  if (type !== "RUN_ERROR") return "not_askable";
  return typeof code === "string" && WORD.test(code) ? code : "run_error";
}

function wordsFor(came: Upstreamed): RunFailure {
  if (came.kind === "ended") {
    const { type, code, message } = came.event;
    if (type !== "RUN_ERROR")
      return new RunFailure("UPSTREAM_ERROR", "The agent stopped without a question that can be asked.");
    return new RunFailure(
      typeof code === "string" ? code : undefined,
      typeof message === "string" ? message : "The agent failed.",
    );
  }
  if (came.kind === "refused") {
    return new RunFailure("UPSTREAM_UNAVAILABLE", `The agent did not take the run (${came.error}).`);
  }
  return new RunFailure("UPSTREAM_BROKEN", `The agent's run has no end (${came.error}).`);
}

/** The end of a release that another server sent: this thread continues only if an operator marked the release as done. */
function endingElsewhere({ state, decidedBy }: Release): Asked {
  if ((state === "released" || state === "stalled") && decidedBy !== undefined) {
    const event = { type: "RUN_FINISHED", outcome: { type: "success" } };
    return { came: { kind: "ended", event }, told: [], calls: {} };
  }
  if (state === "unknown") {
    throw new RunFailure("RELEASE_UNKNOWN", "The answers may have reached the agent; an operator decides.");
  }
  if (state === "failed") {
    throw new RunFailure("RELEASE_FAILED", "The agent failed on the answers; an operator decides.");
  }
  throw new RunFailure("THREAD_BUSY", "The answers are being released.");
}

/** The end of a suspended subagent names the agent's own interrupts. Clients know them by their holds, which have other ids. */
function withoutForeignIds(event: AgUiEvent): AgUiEvent {
  const { type, outcome } = event;
  if (type !== "SUBAGENT_FINISHED" || !isObject((outcome ?? null) as Json)) return event;
  const { interruptIds: _foreign, ...rest } = outcome as JsonObject;
  return { ...event, outcome: rest };
}
