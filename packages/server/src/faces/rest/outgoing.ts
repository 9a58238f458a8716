/** The bodies of webhooks and callbacks. They are made when they are sent, so that results are stored in the hold's row only (G9). */

import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { OutboxRow, StoredEvent } from "../../kernel/record.ts";
import type { Store } from "../../store/port.ts";
import { presentHold } from "../http/present.ts";
import { presentEvent } from "./calls/events.ts";

export interface OutgoingMessage {
  readonly url: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** A subscriber has not created the hold, so it gets no sensitive values. */
const SUBSCRIBER: Principal = { role: "auditor", via: "system", id: "webhook", name: "" };

export async function webhookMessage(row: OutboxRow, store: Store): Promise<OutgoingMessage | null> {
  const [endpoint] = await store.load([
    { workspace: row.workspace, kind: "webhook", id: row.endpoint, read: true },
  ]);
  const webhook = endpoint?.body;
  const told = await eventAndHold(row, store);
  if (webhook === undefined || webhook.disabledAt !== undefined || told === null) return null;
  const { url, secrets } = webhook;
  return { url, secrets, body: bodyOf(told, SUBSCRIBER) };
}

export async function callbackMessage(
  row: OutboxRow,
  store: Store,
  secretOf: (keyId: string) => Promise<string | undefined>,
): Promise<OutgoingMessage | null> {
  const told = await eventAndHold(row, store);
  const url = told?.hold.body.callbackUrl;
  if (told === null || url === undefined) return null;
  const { createdBy, creatorKey } = told.hold.body;
  const secret = await secretOf(creatorKey);
  const creator: Principal = { role: "agent", via: "key", id: creatorKey, name: createdBy };
  return { url, secrets: secret === undefined ? [] : [secret], body: bodyOf(told, creator) };
}

interface EventAndHold {
  readonly event: StoredEvent;
  readonly hold: Entity<Hold>;
}

async function eventAndHold(row: OutboxRow, store: Store): Promise<EventAndHold | null> {
  const { workspace, holdId, event } = row;
  if (holdId === null) return null;
  const [hold] = await store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  const { stream, seq } = event;
  const [told] = await store.events({ workspace, stream, afterSeq: seq - 1, after: 0, limit: 1 });
  if (hold === undefined || told?.seq !== seq) return null;
  return { event: told, hold: hold };
}

/** The body of a Standard Webhook: the type of the event, its time and its data. */
function bodyOf({ event, hold }: EventAndHold, viewer: Principal): string {
  const { type, at, ...rest } = presentEvent(event);
  return JSON.stringify({ type, timestamp: at, data: { hold: presentHold(hold, viewer), event: rest } });
}
