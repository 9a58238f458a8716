/** What is sent to a subscription's address: the event from the log, read when it is sent. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { OutboxRow, StoredEvent } from "../../kernel/record.ts";
import type { Store } from "../../store/port.ts";
import type { Message } from "../../system/redact-texts.ts";
import { presentIntentEvent, readIntentEvents } from "../reads/intent-log.ts";
import { isIntentStream } from "../rules/intent/served.ts";
import { isEscalation, presentEscalation } from "./escalations.ts";

export interface SubscriptionMessage extends Message {
  readonly url: string;
  /** The key whose secret signs the message. */
  readonly ownerKey: string;
}

export function isSubscriptionRow({ kind, event }: OutboxRow): boolean {
  return kind === "webhook" && (isIntentStream(event.stream) || isEscalation(event));
}

export async function subscriptionMessage(row: OutboxRow, store: Store): Promise<SubscriptionMessage | null> {
  const { workspace, endpoint, event } = row;
  const [found] = await store.load([{ workspace, kind: "subscription", id: endpoint, read: true }]);
  const subscription = found?.body;
  if (subscription === undefined || !subscription.active || subscription.webhookUrl === undefined)
    return null;
  const { stream, seq } = event;
  const events = await store.events({ workspace, stream, after: 0, afterSeq: seq - 1, limit: 1 });
  const [told] = events;
  if (told === undefined) throw new Error(`${stream} has no event ${seq}`);
  const shown = await present(told, store);
  const { id: subscription_id, webhookUrl: url, ownerKey } = subscription;
  const said = { subscription_id, event: shown };
  return { url, ownerKey, said, own: { subscription_id, event: ownMembers(shown) } };
}

const OWN = ["id", "created_at", "sequence", "previous_event_hash", "event_hash", "erased_at"];

function ownMembers(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).filter(([name]) => OWN.includes(name)));
}

async function present(event: StoredEvent, store: Store): Promise<JsonObject> {
  if (isEscalation(event)) return presentEscalation(event);
  const [read] = await readIntentEvents(store, [event]);
  if (read === undefined) throw new Error(`${event.stream} cannot be read`);
  return presentIntentEvent(read);
}
