/**
 * Time on a hold, in one normal form: absolute rungs and an expiry. Everything a client may write (durations, ladders,
 * reminders) becomes this once, when the hold is placed, so that nothing drifts and nothing depends on who is running.
 */

import { endsAt, type Hold, type HoldFile } from "./hold.ts";

export interface Rung {
  readonly at: number;
  /** Attempts fire whatever the progress; reminders only while nobody has begun. */
  readonly kind: "attempt" | "reminder";
  /** The attempt's number; the placing was 1. Reminders carry the attempt they repeat. */
  readonly n: number;
  readonly channel?: string;
  readonly to?: string;
  /** Nobody may be told there, as far as was known when the hold was placed. */
  readonly blocked?: true;
  /** Absent while it is still ahead. `missed`: the server was down; logged, not delivered. */
  readonly state?: "fired" | "missed" | "skipped";
}

export interface RungIn {
  readonly at: number;
  readonly kind: "attempt" | "reminder";
  /** The attempt's number, where whoever asks counts them; absent: they are counted in the order of time. */
  readonly n?: number;
  readonly channel?: string;
  readonly to?: string;
}

/**
 * Sorts, numbers and cuts: a rung at or after the expiry does not exist. Attempts at one moment share a number. What is due
 * when the hold is placed is the first attempt and goes out with the placing.
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

/** The next moment at which this hold wants to be looked at; `null`: never. */
export function dueAt(hold: Hold): number | null {
  if (hold.status !== "open") return afterlife(hold);
  const next = hold.rungs.find((rung) => rung.state === undefined)?.at ?? Number.POSITIVE_INFINITY;
  const drops = (hold.files ?? []).map(dropAt);
  const due = Math.min(next, endsAt(hold), ...drops);
  return due === Number.POSITIVE_INFINITY ? null : due;
}

const UPLOAD_KEPT_MS = 7 * 86_400_000;

/** When an upload that nobody has answered with is given up. */
export function dropAt({ at }: HoldFile): number {
  return at + UPLOAD_KEPT_MS;
}

function afterlife(hold: Hold): number | null {
  const claimEnds = hold.claim?.state === "claimed" ? hold.claim.until : Number.POSITIVE_INFINITY;
  const erase = eraseAt(hold) ?? Number.POSITIVE_INFINITY;
  const due = Math.min(claimEnds, erase);
  return due === Number.POSITIVE_INFINITY ? null : due;
}

/** When the content goes; never while somebody may be executing what was approved. */
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
 * What has become due by `now`. After a downtime several moments may have passed: those before the newest are missed,
 * only the newest is delivered (G3). `expired`: nothing is delivered any more, all are missed.
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
