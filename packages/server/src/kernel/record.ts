/** What a commit writes besides entities: events, timers, outbox rows. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { EntityKey } from "./entity.ts";

/** A fact as the log keeps it. `content` is private: it lives in the entity's row, the log gets a salted digest. */
export interface LogEvent {
  readonly workspace: string;
  /** `kind:id` of the entity whose log it joins. */
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  /** Who acted, as authenticated: `key:dev`, `session:…`, `link:…`, `system`. */
  readonly actor: string;
  /** The agent that may follow this event besides people; absent: people only. */
  readonly audience?: string;
  readonly data: JsonObject;
  readonly content?: JsonObject;
}

/** A log event with its place in its chain. */
export interface SealedEvent {
  readonly workspace: string;
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly actor: string;
  readonly audience: string | null;
  /** JSON text, exactly as hashed. */
  readonly data: string;
  readonly previous: string;
  readonly hash: string;
}

export interface StoredEvent extends SealedEvent {
  /** Grows in commit order over all workspaces; the `id:` of server-sent events. */
  readonly position: number;
}

export interface Timer {
  readonly key: EntityKey;
  readonly dueAt: number;
}

/** One message to be sent. It says what to send, never holds it: secrets and results are rendered when sent (G9). */
export interface OutboxRow {
  readonly id: string;
  readonly workspace: string;
  /** `webhook` to a registered endpoint, `callback` to the hold's creator, `notice` to people through a channel. */
  readonly kind: "webhook" | "callback" | "notice";
  /** Endpoint id, callback, or channel name. */
  readonly endpoint: string;
  /**
   * Messages of one lane share a limit on how many are sent at once. It is the host they go to, as known when the message was
   * made; the sender corrects it when it finds another one. Empty or an endpoint's id: not known yet.
   */
  readonly lane: string;
  readonly holdId: string | null;
  /** What happened: the event's type, and its stream and seq for rendering. */
  readonly event: { readonly stream: string; readonly seq: number; readonly type: string };
  /** For notices: attempt number and recipient. */
  readonly detail: JsonObject;
  readonly state: "waiting" | "sent" | "failed" | "no_channel";
  readonly attempts: readonly OutboxAttempt[];
  readonly createdAt: number;
  /** When to try next; null once it is over. */
  readonly dueAt: number | null;
  /** Fence of the present claim; grows with each claim. */
  readonly claim: number;
}

export interface OutboxAttempt {
  readonly at: number;
  readonly ok: boolean;
  readonly status?: number;
  readonly error?: string;
  readonly durationMs: number;
}
