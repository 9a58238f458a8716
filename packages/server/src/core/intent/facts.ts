/**
 * What can become true of an intent. A fact carries the intent as it is afterwards and, unless it is mere bookkeeping, its
 * entry in the log: the very event that clients are served and recompute the hash of.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Change } from "../world.ts";
import type { Intent } from "./intent.ts";
import type { Subscription } from "./records.ts";

export interface LogEntry {
  /** The event's name, in OpenIntent's words. */
  readonly type: string;
  readonly payload: JsonObject;
  /** Kept with this suspension instead of in the event, so that it can be erased. */
  readonly keptWith?: string;
  readonly traceId?: string;
  readonly parentEventId?: string;
  /** Whom the client named; the event's actor is who was authenticated. */
  readonly claimedActor?: string;
}

interface Changed {
  readonly intent: Intent;
  /** Rows that change with it. */
  readonly also: readonly Change[];
}

export type IntentFact =
  | (Changed & { readonly type: "intent.told"; readonly entry: LogEntry })
  /** Not for the log. */
  | (Changed & { readonly type: "intent.noted" });

export interface SubscriptionFact {
  readonly type: "subscription.made" | "subscription.expired" | "subscription.removed";
  readonly subscription: Subscription;
  /** Whoever must know of it to tell it anything. */
  readonly also: readonly Change[];
}

/** What the log keeps of an intent's event besides its frame. */
export interface IntentEventData {
  readonly payload?: JsonObject;
  readonly kept_with?: string;
  readonly trace_id?: string;
  readonly parent_event_id?: string;
  readonly claimed_actor?: string;
}

export function intentLogData(fact: IntentFact): JsonObject | null {
  if (fact.type === "intent.noted") return null;
  const { payload, keptWith, traceId, parentEventId, claimedActor } = fact.entry;
  return {
    ...(keptWith === undefined ? { payload } : { kept_with: keptWith }),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...(parentEventId === undefined ? {} : { parent_event_id: parentEventId }),
    ...(claimedActor === undefined ? {} : { claimed_actor: claimedActor }),
  };
}

export function subscriptionLogData({ subscription }: SubscriptionFact): JsonObject {
  const { id, intentId, portfolioId, subscriberId, eventTypes } = subscription;
  return {
    subscription_id: id,
    subscriber_id: subscriberId,
    event_types: [...eventTypes],
    ...(intentId === undefined ? {} : { intent_id: intentId }),
    ...(portfolioId === undefined ? {} : { portfolio_id: portfolioId }),
  };
}
