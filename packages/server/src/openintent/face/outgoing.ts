/** The body that is sent to a subscription's address: the event from the log, written when it is sent. */

import type { Json } from "@holdpoint/protocol/rules";
import type { OutboxRow, StoredEvent } from "../../kernel/record.ts";
import type { Store } from "../../store/port.ts";
import type { Redact } from "../../system/redact.ts";
import { presentIntentEvent, readIntentEvents } from "../reads/intent-log.ts";
import { isIntentStream } from "../rules/intent/served.ts";
import { isEscalation, presentEscalation } from "./escalations.ts";

export interface SubscriptionMessage {
  readonly url: string;
  readonly body: string;
  /** The key whose secret signs the message. */
  readonly ownerKey: string;
}

export function isSubscriptionRow({ kind, event }: OutboxRow): boolean {
  return kind === "webhook" && (isIntentStream(event.stream) || isEscalation(event));
}

/** `redact` removes the configured patterns from every text of the message; the log is not changed. */
export async function subscriptionMessage(
  row: OutboxRow,
  store: Store,
  redact: Redact,
): Promise<SubscriptionMessage | null> {
  const { workspace, endpoint, event } = row;
  const [found] = await store.load([{ workspace, kind: "subscription", id: endpoint, read: true }]);
  const subscription = found?.body;
  if (subscription === undefined || !subscription.active || subscription.webhookUrl === undefined)
    return null;
  const { stream, seq } = event;
  const events = await store.events({ workspace, stream, after: 0, afterSeq: seq - 1, limit: 1 });
  const [told] = events;
  if (told === undefined) throw new Error(`${stream} has no event ${seq}`);
  const shown = await redacted(await present(told, store), redact);
  const body = JSON.stringify({ subscription_id: subscription.id, event: shown });
  return { url: subscription.webhookUrl, body, ownerKey: subscription.ownerKey };
}

async function present(event: StoredEvent, store: Store): Promise<Json> {
  if (isEscalation(event)) return presentEscalation(event);
  const [read] = await readIntentEvents(store, [event]);
  if (read === undefined) throw new Error(`${event.stream} cannot be read`);
  return presentIntentEvent(read);
}

/** Redacts text values only. Names of members belong to the protocol or the agent, and stay. */
async function redacted(value: Json, redact: Redact): Promise<Json> {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  const clean: [string, Json][] = [];
  for (const [name, part] of Object.entries(value)) clean.push([name, await redacted(part, redact)]);
  return Array.isArray(value) ? clean.map(([, part]) => part) : Object.fromEntries(clean);
}
