/** Messages for an event of an intent: one to each subscriber that may read the intent. */

import type { FactRecord } from "../../../kernel/draft.ts";
import { messageAbout } from "../../../kernel/message.ts";
import { must } from "../../../kernel/must.ts";
import type { OutboxRow, SealedEvent } from "../../../kernel/record.ts";
import type { CoordinatorFact } from "../coordinator/facts.ts";
import type { World } from "../world.ts";
import { sameEventType } from "./event-types.ts";
import type { IntentFact } from "./facts.ts";
import type { Intent, Watcher } from "./intent.ts";
import { workspaceWatchers } from "./watchers.ts";
import { may } from "./who.ts";

export function intentMessages(
  { id }: FactRecord<IntentFact>,
  event: SealedEvent,
  world: World,
): readonly OutboxRow[] {
  return messagesTo(must(world.get("intent", id), `intent ${id}`), event, world, id);
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

/** To subscribers of the intent, of its portfolios, and of the workspace. */
function messagesTo(intent: Intent, event: SealedEvent, world: World, about: string): readonly OutboxRow[] {
  const isRecipient = ({ eventTypes, owner, expiresAt = Number.POSITIVE_INFINITY }: Watcher) =>
    expiresAt > event.at &&
    may(intent, owner, "read", event.at) &&
    (eventTypes.length === 0 || eventTypes.some((type) => sameEventType(type, event.type)));
  const ofPortfolios = (intent.portfolios ?? []).flatMap((id) => world.get("portfolio", id)?.watchers ?? []);
  const all = [...intent.watchers, ...ofPortfolios, ...workspaceWatchers(world)];
  return all
    .filter(isRecipient)
    .map(({ id, lane = id }) => ({ ...messageAbout(event, about, "webhook", id, lane, {}), holdId: null }));
}
