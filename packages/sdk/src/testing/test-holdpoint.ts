/** What a test holds in its hands: the agent's client, the people who answer, and the clock. */

import type {
  AnswerGiven,
  CheckClient,
  FileClient,
  Hold,
  HoldClient,
  OpenIn,
  ThreadClient,
} from "@holdpoint/protocol/client";
import { parseDuration } from "@holdpoint/protocol/rules";
import { inMemory } from "holdpoint/in-memory";
import { Faults, unreachable } from "./faults.ts";

/**
 * How a Holdpoint in memory starts.
 *
 * @example
 * ```ts
 * import { testHoldpoint, type TestHoldpointOptions } from "@holdpoint/sdk/testing";
 *
 * const options: TestHoldpointOptions = { agent: "refunder", now: new Date("2026-03-01T09:00:00Z") };
 * const test = testHoldpoint(options);
 * console.assert(test.now().getUTCHours() === 9);
 * ```
 */
export interface TestHoldpointOptions {
  /** Name of the agent that asks; `agent` when absent. */
  readonly agent?: string;
  /** The time at the start; the time of day when absent. From then on only `advance` moves it. */
  readonly now?: Date;
}

/**
 * Who answers, and how long to wait for a hold to answer.
 *
 * @example
 * ```ts
 * import { type AnswerOptions, testHoldpoint } from "@holdpoint/sdk/testing";
 *
 * const asMara: AnswerOptions = { by: "mara", withinMs: 1_000 };
 * const test = testHoldpoint();
 * await test.client.place({ type: "approval", prompt: "Go?", answerers: ["mara"] });
 * await test.answerNext("approve", {}, asMara);
 * ```
 */
export interface AnswerOptions {
  /** Name of the person who answers; `tester` when absent. */
  readonly by?: string;
  /** How long to wait for a hold, in real milliseconds; 5000 when absent. */
  readonly withinMs?: number;
}

/** A call of the agent's client that a test can make fail. */
type CallName = keyof HoldClient | keyof ThreadClient | keyof FileClient | keyof CheckClient;

/**
 * A Holdpoint in memory, as `testHoldpoint()` makes it.
 *
 * @example
 * ```ts
 * import { type TestHoldpoint, testHoldpoint } from "@holdpoint/sdk/testing";
 *
 * const test: TestHoldpoint = testHoldpoint();
 * test.failNext("place"); // the server is unreachable, once
 * await test.client.place({ type: "approval", prompt: "Go?" }).catch((error: Error) => console.error(error.message));
 * await test.stop();
 * ```
 */
export interface TestHoldpoint extends AsyncDisposable {
  /** For the code under test: `new Holdpoint({ client })`. It acts as the agent, so it cannot answer. */
  readonly client: HoldClient & ThreadClient & FileClient & CheckClient;
  /** A client that acts as this person: to answer, cancel, revoke and look at everything. */
  person(name: string): HoldClient & FileClient;

  /** The time by which holds expire. */
  now(): Date;
  /** Moves the time on, by `"90s"`, `"2h"`, `"7d"` or milliseconds. Whatever is due on the way happens, in order. */
  advance(duration: string | number): Promise<void>;

  /** The open holds, oldest first. */
  open(): Promise<readonly Hold[]>;
  /** The oldest open hold; waits for one to be placed. */
  nextOpen(options?: AnswerOptions): Promise<Hold>;
  /** Answers the oldest open hold; waits for one to be placed. */
  answerNext(action: string, data?: OpenIn, options?: AnswerOptions): Promise<Hold>;
  /** Rejects the oldest open approval, with what the person says about it. */
  rejectNext(feedback?: string, options?: AnswerOptions): Promise<Hold>;
  /** Withdraws the oldest open hold, as an operator does. */
  cancelNext(reason?: string, options?: AnswerOptions): Promise<Hold>;

  /** The next call of this name fails and changes nothing; as if the server were unreachable, unless an error is given. */
  failNext(call: CallName, error?: Error): void;
  /** The next call of this name does its work, and then its reply is lost. */
  loseReply(call: CallName): void;

  /** Ends it. Calls after that fail. */
  stop(): Promise<void>;
}

const WITHIN_MS = 5_000;
/** Taken when the module loads, before a test runner can replace them. */
const { setTimeout, clearTimeout } = globalThis;

/**
 * A Holdpoint in memory for one test, with the rules of a real server and nothing of its network.
 *
 * @example
 * ```ts
 * import { ExpiredError, Holdpoint } from "@holdpoint/sdk";
 * import { testHoldpoint } from "@holdpoint/sdk/testing";
 *
 * const test = testHoldpoint();
 * const hp = new Holdpoint({ client: test.client });
 * const asked = hp.approve("Deploy build 7?", { timeout: "2h" }).catch((error: unknown) => error);
 * await test.nextOpen();
 * await test.advance("2h");
 * console.assert((await asked) instanceof ExpiredError);
 * ```
 */
export function testHoldpoint(options: TestHoldpointOptions = {}): TestHoldpoint {
  const { agent = "agent", now = new Date() } = options;
  const server = inMemory(now.getTime());
  const faults = new Faults();
  const client = server.clientFor({ role: "agent", via: "key", id: `key_${agent}`, name: agent });
  const person = (name: string) =>
    server.clientFor({ role: "operator", via: "key", id: `key_${name}`, name });
  const operator = person("tester");
  const open = () => openHolds(operator);
  // One after another, so that two answers at once go to two holds.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
  const nextOpen = ({ withinMs = WITHIN_MS }: AnswerOptions = {}) =>
    firstOf(open, (listener) => server.onCommit(listener), withinMs);
  const answerNext = (answer: AnswerGiven, given: AnswerOptions = {}) =>
    inTurn(async () => person(given.by ?? "tester").answer((await nextOpen(given)).id, answer));
  return {
    client: faults.over(client),
    person,
    now: () => new Date(server.clock.now()),
    advance: (duration) => server.clock.advance(millisOf(duration)),
    open,
    nextOpen: (given) => nextOpen(given),
    answerNext: (action, data, given) =>
      answerNext({ action, ...(data === undefined ? {} : { data }) }, given),
    rejectNext: (feedback, given) =>
      answerNext({ action: "reject", ...(feedback === undefined ? {} : { data: { feedback } }) }, given),
    cancelNext: (reason, given = {}) =>
      inTurn(async () => {
        const { id } = await nextOpen(given);
        return person(given.by ?? "tester").cancel(id, reason === undefined ? {} : { reason });
      }),
    failNext: (call, error = unreachable(`${call} failed`)) => faults.plan(call, { kind: "fails", error }),
    loseReply: (call) => faults.plan(call, { kind: "reply_is_lost" }),
    stop: () => server.stop(),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

async function openHolds(client: HoldClient): Promise<readonly Hold[]> {
  const found: Hold[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.list({ status: "open", ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.holds);
    cursor = page.nextCursor;
    if (cursor === undefined) return found.reverse();
  }
}

/** Looks after every commit, until there is a hold or the time is up. */
async function firstOf(
  open: () => Promise<readonly Hold[]>,
  onCommit: (listener: () => void) => () => void,
  withinMs: number,
): Promise<Hold> {
  let wake: () => void = () => undefined;
  let isLate = false;
  const forget = onCommit(() => wake());
  const timer = setTimeout(() => {
    isLate = true;
    wake();
  }, withinMs);
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const [oldest] = await open();
      if (oldest !== undefined) return oldest;
      if (isLate) throw new Error(`No hold was placed within ${withinMs} ms. ${START_FIRST}`);
      await changed;
    }
  } finally {
    clearTimeout(timer);
    forget();
  }
}

const START_FIRST =
  "Start the code that asks before you answer, and do not await it yet; or give it more time with { withinMs }.";

function millisOf(duration: string | number): number {
  const ms = typeof duration === "number" ? duration : parseDuration(duration);
  if (ms === null || !(ms >= 0)) {
    throw new TypeError(
      `${JSON.stringify(duration)} is no duration. Give milliseconds or a text such as "90s", "2h", "7d".`,
    );
  }
  return ms;
}
