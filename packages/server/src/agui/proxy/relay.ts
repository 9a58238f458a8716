/**
 * The agent behind a proxy, as an agent of this server. Each of its runs is one step: what it says passes through while it is
 * said, how it ended is remembered. So a stopped run is a group of holds like any other, and a fresh process goes on with it.
 *
 * P1  A release is `sending` before the first byte of it leaves, and `released` only when its thread has gone on from it:
 *     whoever dies before that leaves a release that is looked at again.
 * P2  A release under way is seen through, whether or not anybody is still connected.
 * P3  What may have arrived and has no end is `unknown`, unless the agent takes it twice; what surely did not arrive is
 *     `pending`; what the agent says has failed is `failed`. In all three the thread still waits.
 */

import {
  type AgUiAgent,
  type AgUiRun,
  CallListener,
  contextWithCall,
  RunFailure,
  runEnd,
  type StreamedCalls,
} from "@holdpoint/adapters/ag-ui";
import { type AgUiEvent, type Interrupt, PROTOCOL_VERSION } from "@holdpoint/protocol/agui";
import { isObject, type Json, type JsonBounds, type JsonObject, type Judge } from "@holdpoint/protocol/rules";
import { readStrictJson } from "../../faces/http/strict-json.ts";
import type { Clock } from "../../system/clock.ts";
import type { Release } from "../rules/release/release.ts";
import { answerable } from "./judged.ts";
import { Pipe } from "./pipe.ts";
import type { Releases } from "./releases.ts";
import type { ProxySettings, Upstreamed } from "./settings.ts";
import {
  askOf,
  type Ending,
  isToldInterrupt,
  type ResumeSpelling,
  readEnding,
  resumeFor,
  toldValue,
} from "./spelling.ts";

export interface RelayOptions {
  readonly workspace: string;
  readonly settings: ProxySettings;
  readonly releases: Releases;
  readonly clock: Clock;
  readonly judge: Judge;
  /** Cuts what is on its way when the server must end. */
  readonly stopping: AbortSignal;
  newFence(): string;
  /** Called around a release: until it is over, losing the client ends nothing. */
  onReleasing(threadId: string, isReleasing: boolean): void;
  /** The end of a release is remembered; it is `released` once the thread has gone on from it. */
  onRemembered(threadId: string, remembered: Remembered): void;
}

export interface Remembered {
  readonly groupId: string;
  readonly fenceId: string;
}

/** What is remembered of one run of the agent. */
interface Segment {
  readonly ending: Ending;
  readonly messages: Json;
  readonly state: Json;
  readonly fenceId?: string;
  readonly usage?: readonly Json[];
  /** What it has streamed and not answered; absent in what an earlier version remembered. */
  readonly calls?: StreamedCalls;
}

interface Releasing {
  readonly groupId: string;
  readonly resume: JsonObject;
  readonly calls: StreamedCalls;
}

export function relayAgent(options: RelayOptions): AgUiAgent {
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
      // What the agent told in that way itself has passed through already.
      if (options.settings.legacyEvents === true && spelling !== "command") yield* legacyEvents(asked);
      const answers = await run.interruptAll(asksOf(asked, spelling, options));
      const [first] = answers;
      if (first === undefined) throw new Error("every interrupt has an answer");
      releasing = {
        groupId: await options.releases.groupOf(options.workspace, first.interruptId),
        resume: resumeFor(spelling, interrupts, answers, run.forwardedProps),
        calls: calls ?? {},
      };
    }
  };
}

/** Without their ids: those are the agent's own, and a client of that time answers the one it was shown. */
function* legacyEvents(interrupts: readonly Interrupt[]): Generator<AgUiEvent, void, void> {
  for (const { id: _id, ...shown } of interrupts)
    yield { type: "CUSTOM", name: "on_interrupt", value: JSON.stringify(shown) };
}

function asksOf(
  interrupts: readonly Interrupt[],
  spelling: ResumeSpelling,
  { settings, clock, judge }: RelayOptions,
) {
  const ladder = settings.ladder.length === 0 ? {} : { ladder: settings.ladder };
  return interrupts.map((told) => {
    const interrupt = answerable(told, judge);
    const isBare = spelling === "command" && interrupt.responseSchema === undefined;
    return askOf(interrupt, clock.now(), { ...ladder, ...(isBare ? { bare: true } : {}) });
  });
}

async function* segmentOf(
  run: AgUiRun,
  options: RelayOptions,
  releasing: Releasing | undefined,
): AsyncGenerator<AgUiEvent, Segment, void> {
  const pipe = new Pipe<AgUiEvent>();
  let isFresh = false;
  const work = run.step(async () => {
    isFresh = true;
    const segment = await performed(run, options, releasing, pipe);
    return segment as unknown as JsonObject;
  });
  // Whoever abandons the run abandons the reading too; what then goes wrong has been written down by itself.
  work.catch(() => undefined).finally(() => pipe.close());
  const leave = () => pipe.leave();
  run.signal.addEventListener("abort", leave, { once: true });
  try {
    yield* pipe.values();
  } finally {
    run.signal.removeEventListener("abort", leave);
    leave();
  }
  const segment = (await work) as unknown as Segment;
  if (!isFresh) {
    // It was said to somebody who is gone: restated as snapshots.
    yield { type: "STATE_SNAPSHOT", snapshot: segment.state };
    yield { type: "MESSAGES_SNAPSHOT", messages: segment.messages };
    const { usage: _told, ...rest } = segment;
    return rest;
  }
  return segment;
}

async function performed(
  run: AgUiRun,
  options: RelayOptions,
  releasing: Releasing | undefined,
  pipe: Pipe<AgUiEvent>,
): Promise<Segment> {
  if (releasing === undefined) {
    const signal = AbortSignal.any([run.signal, pipe.left]);
    return segment(run, plainEnd(await asked(run, options, { resume: {}, calls: {} }, pipe, signal)));
  }
  // From here on nobody who leaves ends it; who has left already does.
  options.onReleasing(run.threadId, true);
  try {
    if (run.signal.aborted) throw new RunFailure("RUN_CANCELLED", "The run was stopped.");
    return await released(run, options, releasing, pipe);
  } finally {
    options.onReleasing(run.threadId, false);
  }
}

async function released(
  run: AgUiRun,
  options: RelayOptions,
  releasing: Releasing,
  pipe: Pipe<AgUiEvent>,
): Promise<Segment> {
  const { releases, workspace } = options;
  const { groupId } = releasing;
  const fenceId = options.newFence();
  const release = await releases.begin(workspace, groupId, fenceId);
  if (release.fence?.id !== fenceId) return segment(run, endingElsewhere(release));
  const stopRenewing = releases.renewing(workspace, groupId, fenceId);
  try {
    const upstreamed = await asked(run, options, releasing, pipe, options.stopping);
    const failure = failureOf(upstreamed, options.settings);
    if (failure === null) return { ...segment(run, upstreamed), fenceId };
    await releases.finish(workspace, groupId, fenceId, failure.state, failure.error);
    throw failure.told;
  } finally {
    stopRenewing();
  }
}

interface Asked {
  readonly came: Upstreamed;
  readonly told: readonly Json[];
  readonly calls: StreamedCalls;
}

async function asked(
  run: AgUiRun,
  { settings }: RelayOptions,
  { resume, calls }: Pick<Releasing, "resume" | "calls">,
  pipe: Pipe<AgUiEvent>,
  signal: AbortSignal,
): Promise<Asked> {
  const { threadId, runId, state, messages, tools, context, forwardedProps } = run;
  const told: Json[] = [];
  const listener = new CallListener(calls, messages);
  const came = await settings.ask({
    body: {
      ...{ threadId, runId, protocolVersion: PROTOCOL_VERSION, state, messages, tools, context },
      forwardedProps: forwardedProps ?? {},
      ...resume,
    },
    signal,
    async onEvent(event) {
      if (isToldInterrupt(event)) told.push(toldValue(event));
      listener.hear(event);
      // The run has begun already, and under the same names.
      if (event.type !== "RUN_STARTED") await pipe.push(event);
    },
  });
  return { came, told, calls: listener.calls() };
}

function segment(run: AgUiRun, { came, told, calls }: Asked): Segment {
  if (came.kind !== "ended") throw new Error("only what ended is remembered");
  const usage = came.event["usage"];
  return {
    ...(Array.isArray(usage) ? { usage: usage as readonly Json[] } : {}),
    ending: readEnding(came.event, told),
    calls: Buffer.byteLength(JSON.stringify(calls)) <= ASK_BYTES_MAX ? calls : {},
    messages: run.messages as unknown as Json,
    state: run.state,
  };
}

/** A first run has nothing at stake: it ends as the agent's did. */
function plainEnd(upstreamed: Asked): Asked {
  if (isEnd(upstreamed)) return upstreamed;
  throw wordsFor(upstreamed.came);
}

/** One that can be gone on from: a run that stopped asks something, and nothing that cannot be asked. */
function isEnd({ came, told }: Asked): boolean {
  if (came.kind !== "ended" || came.event.type === "RUN_ERROR") return false;
  const { end } = readEnding(came.event, told);
  return end.kind !== "interrupt" || isAskable(end.interrupts);
}

const ASKS_MAX = 100;
/** All but what is shown goes with a placing twice, and that takes a MiB and 50,000 values. */
const ASK_BYTES_MAX = 480 * 1_024;
const ASK_LIMITS: JsonBounds = { depthMax: 48, valuesMax: 24_000 };

/** Holds have their limits; one that cannot be placed would leave a thread that nobody can go on with. */
function isAskable(interrupts: readonly Interrupt[]): boolean {
  const text = JSON.stringify(interrupts);
  const isSmall = interrupts.length <= ASKS_MAX && Buffer.byteLength(text) <= ASK_BYTES_MAX;
  return interrupts.length > 0 && isSmall && readStrictJson(text, ASK_LIMITS).kind === "ok";
}

/** Calls that are too large to be asked about are unknown to people. */
function withCalls(interrupts: readonly Interrupt[], calls: StreamedCalls): readonly Interrupt[] {
  const whole = interrupts.map((interrupt) => withCall(interrupt, calls));
  return isAskable(whole) ? whole : interrupts.map((interrupt) => withCall(interrupt, {}));
}

function withCall(interrupt: Interrupt, calls: StreamedCalls): Interrupt {
  const { toolCallId, reason, metadata } = interrupt;
  if (typeof toolCallId !== "string" && reason !== "tool_call") return interrupt;
  const { payload, ...others } = isObject(metadata as Json) ? (metadata as JsonObject) : {};
  const told: JsonObject = isObject(payload) ? payload : payload == null ? {} : { value: payload };
  return {
    ...interrupt,
    metadata: { ...others, payload: contextWithCall(told, toolCallId ?? "", calls) },
  };
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

/** The agent's code, where it is one; its words may be anything and stay out of the log. */
function errorWord({ type, code }: AgUiEvent): string {
  if (type !== "RUN_ERROR") return "not_askable";
  return typeof code === "string" && WORD.test(code) ? code : "run_error";
}

function wordsFor(came: Upstreamed): RunFailure {
  if (came.kind === "ended") {
    const { type, code, message } = came.event;
    if (type !== "RUN_ERROR")
      return new RunFailure(
        "UPSTREAM_ERROR",
        "The agent stopped and asked nothing, or what cannot be asked.",
      );
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

/** Somebody else's release: only one that a person called done lets this thread go on. */
function endingElsewhere({ state, decidedBy }: Release): Asked {
  if (state === "released" && decidedBy !== undefined) {
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
