/**
 * The answers of a group on their way to an agent that cannot be asked whether it has them. That they are about to be sent is
 * written first; whoever dies in between leaves `unknown`, and only an agent that takes the same answers twice without harm is
 * sent them again. Everybody else's are a person's to decide.
 */

export type ReleaseState =
  /** Somebody has still to answer. */
  | "waiting"
  /** All is answered and nothing has been sent, or it is known not to have arrived. */
  | "pending"
  /** Being sent, until the fence is over. */
  | "sending"
  | "released"
  /** Sent perhaps. */
  | "unknown"
  /** Sent, and the agent said that it failed. */
  | "failed";

export interface Release {
  /** The group's. */
  readonly id: string;
  /** Which configured agent it is for. */
  readonly proxy: string;
  readonly threadId: string;
  /** Whose conversation it is. */
  readonly caller: string;
  readonly createdBy: string;
  readonly state: ReleaseState;
  /** Sent without anybody being connected. */
  readonly autoResume: boolean;
  readonly idempotent: boolean;
  readonly openedAt: number;
  readonly changedAt: number;
  /** How often it was about to be sent. */
  readonly attempt: number;
  readonly fence?: { readonly id: string; readonly until: number };
  /** What went wrong last, in a fixed word or the agent's own code. */
  readonly error?: string;
  /** When a server is to take it up; absent: when its client comes. */
  readonly dueAt?: number;
  /** When it was given to a server last. */
  readonly handedAt?: number;
  /** Who decided about an unknown or failed one. */
  readonly decidedBy?: string;
}

export interface ReleaseFact {
  readonly type: `release.${ReleaseMoment}`;
  readonly release: Release;
}

export type ReleaseMoment =
  | "opened"
  | "ready"
  | "handed_out"
  | "sending"
  | "renewed"
  | "put_back"
  | "released"
  | "unknown"
  | "failed"
  | "retried"
  | "marked_released";

/** The next moment at which the clock has something to say about it. */
export function releaseDueAt({ state, fence, dueAt }: Release): number | null {
  if (state === "sending" && fence !== undefined) return fence.until;
  return state === "pending" ? (dueAt ?? null) : null;
}
