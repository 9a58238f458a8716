/**
 * Messages for an event of an intent: one to each subscriber that may read the intent.
 *
 * Suspending, resuming or abandoning an intent also moves its tasks and the intents that depend on it, and none of these commands
 * may be refused because of their number. So the events that follow are sent only as long as the command stays within its bound
 * of messages (G13); the others are in the log, where every subscriber can read them.
 */

import type { FactRecord } from "../../../kernel/draft.ts";
import { messageAbout } from "../../../kernel/message.ts";
import { must } from "../../../kernel/must.ts";
import type { Platform } from "../../../kernel/platform.ts";
import type { OutboxRow, SealedEvent } from "../../../kernel/record.ts";
import type { CoordinatorFact } from "../coordinator/facts.ts";
import type { World } from "../world.ts";
import { sameEventType } from "./event-types.ts";
import type { IntentFact } from "./facts.ts";
import type { Intent, Watcher } from "./intent.ts";
import { hears, listenersOf, MESSAGES_MAX } from "./listeners.ts";

export function intentMessages(
  { id }: FactRecord<IntentFact>,
  event: SealedEvent,
  world: World,
  _platform: Platform,
  written: number,
): readonly OutboxRow[] {
  const messages = messagesTo(must(world.get("intent", id), `intent ${id}`), event, world, id);
  return written > 0 && written + messages.length > MESSAGES_MAX ? [] : messages;
}

/** Subscribers of the intent are notified of its coordinator's escalations. */
export function escalationMessages(
  { fact }: FactRecord<CoordinatorFact>,
  event: SealedEvent,
  world: World,
): readonly OutboxRow[] {
  const id = String(fact.data["intent_id"]);
  const intent = must(world.get("intent", id), `intent ${id}`);
  return messagesTo(intent, event, world, event.stream.replace(":", "-"));
}

function messagesTo(intent: Intent, event: SealedEvent, world: World, about: string): readonly OutboxRow[] {
  const isWanted = ({ eventTypes }: Watcher) =>
    eventTypes.length === 0 || eventTypes.some((type) => sameEventType(type, event.type));
  return listenersOf(intent, world)
    .filter((watcher) => hears(intent, watcher, event.at) && isWanted(watcher))
    .map(({ id, lane = id }) => ({ ...messageAbout(event, about, "webhook", id, lane, {}), holdId: null }));
}
