/** What a commit writes besides entities: events, timers, outbox rows. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { EntityKey } from "./entity.ts";

/**
 * A fact as it is written to the log. `content` is private: it is stored in the entity's row, and the log gets a
 * salted digest.
 */
export interface LogEvent {
  readonly workspace: string;
  /** `kind:id` of the entity whose log the event belongs to. */
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  /** Who acted, as authenticated: `key:dev`, `session:…`, `link:…`, `system`. */
  readonly actor: string;
  /** The agent that may follow this event in addition to people; absent: people only. */
  readonly audience?: string;
  readonly data: JsonObject;
  readonly content?: JsonObject;
}

/** A log event with its number and hashes in the chain of its stream. */
export interface SealedEvent {
  readonly workspace: string;
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly actor: string;
  readonly audience: string | null;
  /** JSON text, exactly as it was hashed. */
  readonly data: string;
  readonly previous: string;
  readonly hash: string;
}

export interface StoredEvent extends SealedEvent {
  /** Increases in commit order across all workspaces. It is the `id:` of server-sent events. */
  readonly position: number;
}

export interface Timer {
  readonly key: EntityKey;
  readonly dueAt: number;
}

/**
 * One message to send. It names what to send and does not contain it: secrets and results are rendered at sending
 * time (G9).
 */
export interface OutboxRow {
  readonly id: string;
  readonly workspace: string;
  /**
   * `webhook` to a registered endpoint, `callback` to the hold's creator, `notice` to people through a channel, `update` of a
   * message that a chat or a device shows already, `tell` to one person about their own account.
   */
  readonly kind: "webhook" | "callback" | "notice" | "update" | "tell";
  /** Id of the endpoint, `callback`, or name of the channel. */
  readonly endpoint: string;
  /**
   * Messages of one lane share a limit on how many are sent at the same time. The lane is the destination host as
   * known when the message was made; the sender corrects it when the host turns out to be another. Empty or an
   * endpoint's id: not known yet.
   */
  readonly lane: string;
  readonly holdId: string | null;
  /** The event that the message is about: its type, and its stream and seq to render it from. */
  readonly event: { readonly stream: string; readonly seq: number; readonly type: string };
  /** For notifications: attempt number and recipient. */
  readonly detail: JsonObject;
  readonly state: "waiting" | "sent" | "failed" | "no_channel";
  readonly attempts: readonly OutboxAttempt[];
  readonly createdAt: number;
  /** When to try next; null when the message was sent or given up. */
  readonly dueAt: number | null;
  /** Fencing token of the current claim; increases with each claim. */
  readonly claim: number;
}

/** In a notification's detail: the quiet hours of its recipient, for which it waited, end then. */
export const WAITED_UNTIL = "waited_until";
/** In a notification's detail: the hold ends within the recipient's quiet hours, so it is not sent. */
export const TOO_QUIET = "too_quiet";

export interface OutboxAttempt {
  readonly at: number;
  readonly ok: boolean;
  readonly status?: number;
  readonly error?: string;
  /** Whom the message went to, where its row names somebody who is looked up: a person, or who is on call. */
  readonly told?: string;
  readonly durationMs: number;
}
