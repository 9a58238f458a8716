/**
 * A release delivers a group's answers to an agent that cannot be asked whether it received them. The server first writes
 * that it is about to send. If it crashes in between, the release is `unknown`; it is sent again automatically only to an
 * agent that accepts the same answers twice. All other unknown releases wait for an operator's decision.
 */

export type ReleaseState =
  /** At least one member of the group is still open. */
  | "waiting"
  /** All members have ended, and nothing was sent or it is known not to have arrived. */
  | "pending"
  /** A sender holds the fence, until the fence expires. */
  | "sending"
  | "released"
  /** It may have arrived or not. */
  | "unknown"
  /** It was sent, and the agent reported a failure. */
  | "failed"
  /** A person marked it as arrived, and its thread did not continue in any of the tries. */
  | "stalled";

export interface Release {
  /** The group's id. */
  readonly id: string;
  /** The name of the configured agent it goes to. */
  readonly proxy: string;
  readonly threadId: string;
  /** The client that the conversation belongs to. */
  readonly caller: string;
  readonly createdBy: string;
  readonly state: ReleaseState;
  /** The server sends it even when no client is connected. */
  readonly autoResume: boolean;
  readonly idempotent: boolean;
  readonly openedAt: number;
  readonly changedAt: number;
  /** The number of times a sender began to send it. */
  readonly attempt: number;
  readonly fence?: { readonly id: string; readonly until: number };
  /** The last error: one of the server's fixed codes, or the agent's own code. */
  readonly error?: string;
  /**
   * When a server should send it; of a release that a person marked as arrived: when a server should continue its thread. Absent:
   * when its client connects.
   */
  readonly dueAt?: number;
  /** How often a server was asked to continue the thread of a release that a person marked as arrived. */
  readonly continuations?: number;
  /** When it was last handed to a server. */
  readonly handedAt?: number;
  /** The person who decided about an unknown or failed release. */
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
  | "marked_released"
  | "stalled";

/** The next moment the timer must act: when the fence expires, or when the release or its thread is due. */
export function releaseDueAt({ state, fence, dueAt }: Release): number | null {
  if (state === "sending" && fence !== undefined) return fence.until;
  return state === "pending" || state === "released" ? (dueAt ?? null) : null;
}
