/** What webhooks and callbacks say. It is made when it is sent, so that results are stored in the hold's row only (G9). */

import type { HoldOut } from "@holdpoint/protocol";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { OutboxRow, StoredEvent } from "../../kernel/record.ts";
import type { Store } from "../../store/port.ts";
import type { Message } from "../../system/redact-texts.ts";
import { presentHold } from "../http/present.ts";
import { presentEvent } from "./calls/events.ts";

export interface OutgoingMessage extends Message {
  readonly url: string;
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
  const message = row.holdId === null ? await aboutNoHold(row, store) : await aboutHold(row, store);
  return message && { url, secrets, ...message };
}

async function aboutHold(row: OutboxRow, store: Store): Promise<Message | null> {
  const told = await eventAndHold(row, store);
  return told && messageOf(told.event, told.hold, SUBSCRIBER);
}

/** Such as a new passkey. */
async function aboutNoHold(row: OutboxRow, store: Store): Promise<Message | null> {
  const event = await eventOf(row, store);
  return event && messageOf(event);
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
  const message = messageOf(told.event, told.hold, creator);
  return { url, secrets: secret === undefined ? [] : [secret], ...message };
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
function messageOf(event: StoredEvent, hold?: Entity<Hold>, viewer?: Principal): Message {
  const { type, at, ...rest } = presentEvent(event);
  const { actor: _actor, data: _data, ...ownEvent } = rest;
  const envelope = { type, timestamp: at };
  if (hold === undefined || viewer === undefined)
    return { said: { ...envelope, data: { event: rest } }, own: { ...envelope, data: { event: ownEvent } } };
  const shown = presentHold(hold, viewer);
  return {
    said: { ...envelope, data: { hold: shown as object as JsonObject, event: rest } },
    own: { ...envelope, data: { hold: ownMembers(shown), event: ownEvent } },
  };
}

function ownMembers(hold: HoldOut): JsonObject {
  const { id, case_id, status, digest, created_at, expires_at, version, attempt, outcome } = hold;
  const ended = outcome && { outcome: { kind: outcome.kind, at: outcome.at } };
  return {
    id,
    case_id,
    status,
    digest,
    created_at,
    version,
    attempt,
    ...(expires_at && { expires_at }),
    ...ended,
  };
}
