/**
 * Time on a hold, in one normal form: absolute rungs and an expiry. Durations, ladders and reminders from clients are
 * converted once, when the hold is placed, so that times do not drift and do not depend on which server runs.
 */

import { endsAt, type Hold, type HoldFile } from "./hold.ts";

export interface Rung {
  readonly at: number;
  /** Attempts fire regardless of progress; reminders fire only while nobody has started to fill in the hold. */
  readonly kind: "attempt" | "reminder";
  /** The attempt's number; placing the hold is attempt 1. A reminder has the number of the attempt it repeats. */
  readonly n: number;
  readonly channel?: string;
  readonly to?: string;
  /** The recipient was not on the allow-list when the hold was placed, so the delivery fails. */
  readonly blocked?: true;
  /**
   * Absent while it is in the future. `missed`: the server was down; logged, not delivered. `skipped`: somebody had
   * already started.
   */
  readonly state?: "fired" | "missed" | "skipped";
}

export interface RungIn {
  readonly at: number;
  readonly kind: "attempt" | "reminder";
  /** The attempt's number, if the caller numbers its attempts; absent: numbered in order of time. */
  readonly n?: number;
  readonly channel?: string;
  readonly to?: string;
}

/**
 * Sorts and numbers the rungs, and drops those at or after the expiry. Attempts at the same time share a number.
 * Attempts due when the hold is placed are attempt 1 and are delivered with the placement.
 */
export function layRungs(
  rungs: readonly RungIn[],
  placedAt: number,
  expiresAt: number | undefined,
): readonly Rung[] {
  const laid: Rung[] = [];
  let n = 1;
  let lastAttemptAt = placedAt;
  for (const rung of rungs.toSorted((a, b) => a.at - b.at)) {
    if (expiresAt !== undefined && rung.at >= expiresAt) continue;
    if (rung.kind === "attempt" && rung.at > lastAttemptAt) {
      n += 1;
      lastAttemptAt = rung.at;
    }
    n = rung.n ?? n;
    laid.push({ ...rung, n, ...(rung.kind === "attempt" && n === 1 ? { state: "fired" as const } : {}) });
  }
  return laid;
}

/** When the timers must wake this hold next; `null`: never. */
export function dueAt(hold: Hold): number | null {
  if (hold.status !== "open") return dueAfterEnd(hold);
  const next = hold.rungs.find((rung) => rung.state === undefined)?.at ?? Number.POSITIVE_INFINITY;
  const drops = (hold.files ?? []).map(dropAt);
  const due = Math.min(next, endsAt(hold), ...drops);
  return due === Number.POSITIVE_INFINITY ? null : due;
}

const UPLOAD_KEPT_MS = 7 * 86_400_000;

/** When an upload that no answer used is dropped. */
export function dropAt({ at }: HoldFile): number {
  return at + UPLOAD_KEPT_MS;
}

function dueAfterEnd(hold: Hold): number | null {
  const claimEnds = hold.claim?.state === "claimed" ? hold.claim.until : Number.POSITIVE_INFINITY;
  const erase = eraseAt(hold) ?? Number.POSITIVE_INFINITY;
  const due = Math.min(claimEnds, erase);
  return due === Number.POSITIVE_INFINITY ? null : due;
}

/** When the content must be erased; never while a claim may still be executing what was approved. */
export function eraseAt(hold: Hold): number | null {
  if (hold.retainMs === undefined || hold.outcome === undefined || hold.erasedAt !== undefined) return null;
  const due = hold.outcome.at + hold.retainMs;
  return hold.claim?.state === "claimed" ? Math.max(due, hold.claim.until) : due;
}

export interface PassedRung {
  readonly index: number;
  readonly rung: Rung;
}

/**
 * The rungs that have become due by `now`. After a downtime there may be several: the ones before the newest are
 * missed, only the newest is delivered (G3). With `expired`, none is delivered and all are missed.
 */
export function passRungs(hold: Hold, now: number, expired: boolean): readonly PassedRung[] {
  const begun = hold.progressedAt !== undefined;
  const due = hold.rungs
    .map((rung, index) => ({ index, rung }))
    .filter(({ rung }) => rung.state === undefined && rung.at <= now);
  const newestAt = due.findLast(({ rung }) => deliverable(rung, begun))?.rung.at;
  return due.map(({ index, rung }) => {
    const state = !deliverable(rung, begun)
      ? "skipped"
      : rung.at === newestAt && !expired
        ? "fired"
        : "missed";
    return { index, rung: { ...rung, state } as const };
  });
}

function deliverable(rung: Rung, begun: boolean): boolean {
  return rung.kind === "attempt" || !begun;
}
