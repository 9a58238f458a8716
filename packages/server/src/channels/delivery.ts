/** What carries an outbox row to where it goes, and how that can end. */

import type { OutboxRow } from "../kernel/record.ts";

export interface DeliveryFailed {
  readonly kind: "failed";
  /** A fixed word or a redacted sentence: it is stored and shown (G9). */
  readonly error: string;
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  /** Whether trying again may help; absent: the row's schedule judges the status. */
  readonly retry?: boolean;
  readonly retryAfterMs?: number;
}

export type Delivery =
  | { readonly kind: "sent"; readonly status?: number }
  | DeliveryFailed
  /** There is nothing to send any more: the endpoint was removed, the hold is over. */
  | { readonly kind: "withdrawn" }
  /** No channel of that name is configured. */
  | { readonly kind: "no_channel" };

export interface Ready {
  readonly kind: "ready";
  /** Rows of one lane share a limit: the host they go to. */
  readonly lane: string;
  send(signal: AbortSignal): Promise<Delivery>;
}

export type Prepared = Ready | Exclude<Delivery, { kind: "sent" }>;

/** Preparing has no effect outside, so that a row whose lane is full can be put back. */
export interface Carrier {
  prepare(row: OutboxRow): Promise<Prepared>;
}

export type Carriers = Readonly<Record<OutboxRow["kind"], Carrier>>;
