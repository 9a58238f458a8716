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
  if (webhook === undefined || webhook.disabledAt !== undefined) return null;
  const { url, secrets } = webhook;
  const body = row.holdId === null ? await bodyWithoutHold(row, store) : await bodyWithHold(row, store);
  return body === null ? null : { url, secrets, body };
}

async function bodyWithHold(row: OutboxRow, store: Store): Promise<string | null> {
  const told = await eventAndHold(row, store);
  return told === null ? null : bodyOf(told, SUBSCRIBER);
}

/** Something that is about no hold, such as a new passkey. */
async function bodyWithoutHold(row: OutboxRow, store: Store): Promise<string | null> {
  const event = await eventOf(row, store);
  if (event === null) return null;
  const { type, at, ...rest } = presentEvent(event);
  return JSON.stringify({ type, timestamp: at, data: { event: rest } });
}

async function eventOf({ workspace, event }: OutboxRow, store: Store): Promise<StoredEvent | null> {
  const { stream, seq } = event;
  const [told] = await store.events({ workspace, stream, afterSeq: seq - 1, after: 0, limit: 1 });
  return told?.seq === seq ? told : null;
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
  const { workspace, holdId } = row;
  if (holdId === null) return null;
  const [hold] = await store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  const event = await eventOf(row, store);
  return hold === undefined || event === null ? null : { event, hold };
}

/** The body of a Standard Webhook: the type of the event, its time and its data. */
function bodyOf({ event, hold }: EventAndHold, viewer: Principal): string {
  const { type, at, ...rest } = presentEvent(event);
  return JSON.stringify({ type, timestamp: at, data: { hold: presentHold(hold, viewer), event: rest } });
}
