/**
 * What a program can do with holds, wherever the server is: over HTTP (the SDK) or in the same process (the server package).
 * Protocol helpers, gates and adapters are written against this interface and run over either.
 *
 * Refusals are thrown as `TerminalError`; what may work later as `RetryableError`.
 */

import type {
  AnswerGiven,
  CancelGiven,
  Claim,
  ClaimGiven,
  ClaimResult,
  Group,
  GroupEntry,
  GroupPlace,
  Hold,
  HoldEvent,
  HoldPage,
  HoldQuery,
  Link,
  LinkGiven,
  Place,
  Skip,
  SkipGiven,
} from "./types.ts";

/**
 * What every call takes.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const hold = await hp.get("hold_1", { signal: AbortSignal.timeout(5_000) });
 * console.error(hold.status);
 * ```
 */
export interface CallOptions {
  /** Ends the call, never the hold: waiting and asking change nothing by being given up (G8). */
  readonly signal?: AbortSignal;
  /** The door by which an answer reached the caller that passes it on; absent: the API itself. */
  readonly door?: "agui" | "cli";
}

/**
 * How long to wait.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const outcome = await hp.outcome("hold_1", { waitMs: 30_000 }); // may be `pending`
 * console.error(outcome.kind);
 * ```
 */
export interface WaitOptions extends CallOptions {
  /** Give up after this long and return the hold as it is; absent: as long as it takes. */
  readonly waitMs?: number;
}

export interface FollowOptions extends CallOptions {
  /** Position after which to begin; absent: from now on. */
  readonly after?: number;
  readonly holdIds?: readonly string[];
  readonly types?: readonly string[];
  /** Called each time the stream is open: what was read before may be old, what changes from now on arrives as an event. */
  readonly onOpen?: () => void;
}

/**
 * Holds as the wire has them.
 *
 * @example
 * ```ts
 * import type { HoldClient } from "@holdpoint/sdk";
 *
 * // Takes the client of a server or of `testHoldpoint()`.
 * export async function openPrompts(client: HoldClient): Promise<readonly string[]> {
 *   const { holds } = await client.list({ status: "open" });
 *   return holds.map(({ prompt }) => prompt);
 * }
 * ```
 */
export interface HoldClient {
  /** Places a hold, or finds the one placed under the same key before. */
  place(place: Place, options?: CallOptions): Promise<Hold>;
  get(holdId: string, options?: CallOptions): Promise<Hold>;
  /** Resolves when the hold has an outcome, or with the open hold when `waitMs` is up. */
  wait(holdId: string, options?: WaitOptions): Promise<Hold>;
  list(query?: HoldQuery, options?: CallOptions): Promise<HoldPage>;
  answer(holdId: string, answer: AnswerGiven, options?: CallOptions): Promise<Hold>;
  /** Takes back the caller's vote on an open hold with a `decision`. */
  withdrawVote(holdId: string, options?: CallOptions): Promise<Hold>;
  cancel(holdId: string, cancel?: CancelGiven, options?: CallOptions): Promise<Hold>;

  /** Succeeds as often as the hold's `uses` says; once per approved hold when it says nothing. */
  claim(holdId: string, claim: ClaimGiven, options?: CallOptions): Promise<Claim>;
  finishClaim(holdId: string, claimId: string, result: ClaimResult, options?: CallOptions): Promise<Claim>;
  releaseClaim(holdId: string, reason?: string, options?: CallOptions): Promise<Hold>;
  /** Takes an approval back: nobody can claim it from then on. */
  revoke(holdId: string, options?: CallOptions): Promise<Hold>;

  /** The hold's log so far, oldest first. */
  events(holdId: string, options?: CallOptions): Promise<readonly HoldEvent[]>;
  /** Events as they are committed; ends with the signal, survives lost connections. */
  follow(options?: FollowOptions): AsyncIterable<HoldEvent>;

  /** Places several holds in one commit. */
  placeGroup(group: GroupPlace, options?: CallOptions): Promise<Group>;
  getGroup(groupId: string, options?: CallOptions): Promise<Group>;
  /** Settles all open holds of the group in one commit, or none. */
  answerGroup(groupId: string, entries: readonly GroupEntry[], options?: CallOptions): Promise<Group>;

  makeLink(holdId: string, link?: LinkGiven, options?: CallOptions): Promise<Link>;
  listLinks(holdId: string, options?: CallOptions): Promise<readonly Link[]>;
  revokeLink(holdId: string, linkId: string, options?: CallOptions): Promise<Link>;

  /** Puts on record that work goes on without a person because its request chose so. */
  recordSkip(skip: SkipGiven, options?: CallOptions): Promise<Skip>;
}
