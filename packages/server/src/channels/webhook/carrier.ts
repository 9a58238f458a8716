/** Carries webhooks and callbacks: renders, signs and posts them. */

import { laneOf } from "../../kernel/lane.ts";
import type { OutboxRow } from "../../kernel/record.ts";
import type { Clock } from "../../system/clock.ts";
import type { Carrier, DeliveryFailed } from "../delivery.ts";
import type { Outgoing } from "../outgoing.ts";
import { retryAfterMs } from "../schedule.ts";
import { headerSafeId, type Signing, signedHeaders } from "./signature.ts";

export interface Rendered {
  readonly url: string;
  /** JSON text, the same at every try. */
  readonly body: string;
  /** Empty: the message is unsigned. */
  readonly sign: readonly Signing[];
}

/** Returns what to send for a row, or `null` if there is nothing to send. Outcomes and secrets exist only here (G9). */
export type Render = (row: OutboxRow) => Promise<Rendered | null>;

export interface WebhookOptions {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly render: Render;
}

export function webhookCarrier({ outgoing, clock, render }: WebhookOptions): Carrier {
  return {
    async prepare(row) {
      const rendered = await render(row);
      if (!rendered) return { kind: "withdrawn" };
      const id = messageIdOf(row);
      const send = (signal: AbortSignal) => postSigned(outgoing, clock, { ...rendered, id, signal });
      return { kind: "ready", lane: laneOf(rendered.url), send };
    },
  };
}

/** `webhook-id`: the same for all tries and replays of one message. */
export function messageIdOf(row: OutboxRow): string {
  return headerSafeId(row.id);
}

export interface SignedPost extends Rendered {
  readonly id: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type PostDelivery = { readonly kind: "sent"; readonly status: number } | DeliveryFailed;

export async function postSigned(outgoing: Outgoing, clock: Clock, post: SignedPost): Promise<PostDelivery> {
  const signed = signedHeaders({ id: post.id, sentAt: clock.now(), body: post.body }, post.sign);
  if (!signed) return { kind: "failed", error: "bad_secret", retry: false };
  const headers = { "content-type": "application/json", ...post.headers, ...signed };
  const { url, body, signal } = post;
  const reply = await outgoing.post({ url, headers, body, ...(signal ? { signal } : {}) });
  if (reply.kind === "refused")
    return { kind: "failed", error: `${reply.code}: ${reply.reason}`, retry: false };
  if (reply.kind === "failed") return { kind: "failed", error: reply.error };
  const { status } = reply;
  if (status >= 200 && status <= 299) return { kind: "sent", status };
  const waitMs = retryAfterMs(reply.retryAfter, clock.now());
  const error = status >= 300 && status <= 399 ? "redirected" : `http_${status}`;
  return { kind: "failed", error, status, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) };
}
