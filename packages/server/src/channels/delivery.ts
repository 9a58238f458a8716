/** Carriers deliver outbox rows; a delivery is the result of one try. */

import type { OutboxRow } from "../kernel/record.ts";

export interface DeliveryFailed {
  readonly kind: "failed";
  /** A fixed code or a redacted text: it is stored and shown (G9). */
  readonly error: string;
  /** The HTTP status, if there was a response. */
  readonly status?: number;
  /** Whether a retry may help. Absent: the row's schedule decides by the status. */
  readonly retry?: boolean;
  readonly retryAfterMs?: number;
  /** The receiver asked to wait: this was not a try, and the row is put back until `retryAfterMs` has passed. */
  readonly isThrottled?: true;
  /** The id of the person whom it went to. */
  readonly told?: string;
}

export type Delivery =
  | { readonly kind: "sent"; readonly status?: number; readonly told?: string }
  | DeliveryFailed
  /** There is nothing to send any more: the endpoint was removed or the hold has ended. */
  | { readonly kind: "withdrawn" }
  /** No channel with this name is configured. */
  | { readonly kind: "no_channel" };

export interface Ready {
  readonly kind: "ready";
  /** The host it goes to. Rows of one lane share a concurrency limit. */
  readonly lane: string;
  send(signal: AbortSignal): Promise<Delivery>;
}

export type Prepared = Ready | Exclude<Delivery, { kind: "sent" }>;

/** `prepare` has no side effects, so a row whose lane is full can be put back. */
export interface Carrier {
  prepare(row: OutboxRow): Promise<Prepared>;
}

type Always = "webhook" | "callback" | "notice";

/** A server without chats has no carrier for what goes to chats only. */
export type Carriers = Readonly<
  Record<Always, Carrier> & Partial<Record<Exclude<OutboxRow["kind"], Always>, Carrier>>
>;
