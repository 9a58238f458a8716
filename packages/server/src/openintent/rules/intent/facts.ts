/**
 * Facts about an intent. A fact carries the intent after the change and, unless it is bookkeeping only, the log entry: the
 * same event that clients are served and whose hash they recompute.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FactSpec, FactTable } from "../../../kernel/domain.ts";
import { must } from "../../../kernel/must.ts";
import type { Change, OpenIntentBodies } from "../world.ts";
import type { Intent } from "./intent.ts";
import { intentMessages } from "./messages.ts";
import type { Subscription } from "./records.ts";

export interface LogEntry {
  /** The OpenIntent event type. */
  readonly type: string;
  readonly payload: JsonObject;
  /** The payload is stored with this suspension instead of in the event, so that it can be erased. */
  readonly keptWith?: string;
  readonly traceId?: string;
  readonly parentEventId?: string;
  /** The actor the client claimed. The event's own actor is the authenticated principal. */
  readonly claimedActor?: string;
}

export interface Changed {
  readonly intent: Intent;
  /** Other rows that change in the same fact. */
  readonly also: readonly Change[];
}

export type IntentFact =
  | (Changed & { readonly type: "intent.logged"; readonly entry: LogEntry })
  /** Not logged. */
  | (Changed & { readonly type: "intent.changed" })
  /** Content that the log quotes from a suspension is erased with its hold; the events and their hashes stay. */
  | { readonly type: "intent.suspension_erased"; readonly logId: string };

export interface SubscriptionFact {
  readonly type: "subscription.made" | "subscription.expired" | "subscription.removed";
  readonly subscription: Subscription;
  /** The watcher lists that change with the subscription. */
  readonly also: readonly Change[];
}

/** The data of an intent's event besides type, actor and time. */
export interface IntentEventData {
  readonly payload?: JsonObject;
  readonly kept_with?: string;
  readonly trace_id?: string;
  readonly parent_event_id?: string;
  readonly claimed_actor?: string;
}

function logData({ entry }: Extract<IntentFact, { readonly type: "intent.logged" }>): JsonObject {
  const { payload, keptWith, traceId, parentEventId, claimedActor } = entry;
  return {
    ...(keptWith === undefined ? { payload } : { kept_with: keptWith }),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...(parentEventId === undefined ? {} : { parent_event_id: parentEventId }),
    ...(claimedActor === undefined ? {} : { claimed_actor: claimedActor }),
  };
}

export const INTENT_FACTS: FactTable<IntentFact, OpenIntentBodies> = {
  "intent.logged": {
    evolve: (_world, id, { intent, also }) => [{ kind: "intent", id, body: intent }, ...also],
    log: logData,
    content: ({ entry }) => (entry.keptWith === undefined ? undefined : entry.payload),
    eventType: ({ entry }) => entry.type,
    messages: intentMessages,
  },
  "intent.changed": {
    evolve: (_world, id, { intent, also }) => [{ kind: "intent", id, body: intent }, ...also],
    log: () => null,
  },
  "intent.suspension_erased": {
    evolve(world, _id, { logId }, at) {
      const log = must(world.get("suspension_log", logId), `suspension log ${logId}`);
      return [{ kind: "suspension_log", id: logId, body: { ...log, payloads: {}, erasedAt: at } }];
    },
    log: () => null,
  },
};

const kept: FactSpec<SubscriptionFact, OpenIntentBodies> = {
  evolve: (_world, id, { subscription, also }) => [{ kind: "subscription", id, body: subscription }, ...also],
  log({ subscription: { id, intentId, portfolioId, subscriberId, eventTypes } }) {
    return {
      subscription_id: id,
      subscriber_id: subscriberId,
      event_types: [...eventTypes],
      ...(intentId === undefined ? {} : { intent_id: intentId }),
      ...(portfolioId === undefined ? {} : { portfolio_id: portfolioId }),
    };
  },
};

export const SUBSCRIPTION_FACTS: FactTable<SubscriptionFact, OpenIntentBodies> = {
  "subscription.made": kept,
  "subscription.expired": kept,
  "subscription.removed": {
    ...kept,
    evolve: (_world, id, { also }) => [{ kind: "subscription", id, body: null }, ...also],
  },
};
