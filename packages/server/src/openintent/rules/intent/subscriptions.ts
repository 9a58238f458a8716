/** Subscriptions. The intent, portfolio or workspace repeats the list of watchers, so that routing an event needs no search. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { laneOf } from "../../../kernel/lane.ts";
import { actorText, mayManage, type Principal } from "../../../kernel/principal.ts";
import { failure } from "../failure.ts";
import type { Change, Draft, Need, World } from "../world.ts";
import type { EndSubscription, PutSubscription } from "./commands.ts";
import type { SubscriptionFact } from "./facts.ts";
import type { Watcher } from "./intent.ts";
import { type Listening, whyNotListen } from "./listeners.ts";
import type { Subscription } from "./records.ts";
import { watchersChange, watchersNeeds, workspaceWatchers } from "./watchers.ts";
import { may } from "./who.ts";

export function subscribeNeeds({ subscription }: PutSubscription): readonly Need[] {
  return [{ kind: "subscription", id: subscription.id }, ...listNeeds(subscription)];
}

export function unsubscribeNeeds({ subscriptionId: id }: EndSubscription, world: World): readonly Need[] {
  return [{ kind: "subscription", id }, ...listNeeds(world.get("subscription", id) ?? {})];
}

type Where = Pick<Subscription, "intentId" | "portfolioId">;

/** The row with the watcher list that this subscription belongs to. */
function listNeeds({ intentId, portfolioId }: Where): readonly Need[] {
  if (intentId !== undefined) return [{ kind: "intent", id: intentId }];
  return portfolioId === undefined ? watchersNeeds() : [{ kind: "portfolio", id: portfolioId }];
}

export function subscribe(
  { by, subscription: given }: PutSubscription,
  draft: Draft,
  { now }: Context,
): Reply {
  if (given.intentId !== undefined) {
    const intent = draft.get("intent", given.intentId);
    if (intent === undefined) return refuse(failure("not_found", "There is no intent with this id."));
    if (!may(intent, by, "read", now))
      return refuse(failure("not_allowed", "this key needs the permission 'read' on the intent"));
  }
  if (given.portfolioId !== undefined && draft.get("portfolio", given.portfolioId) === undefined) {
    return refuse(failure("not_found", "There is no portfolio with this id."));
  }
  const { role, name } = by;
  const others = listenersAt(given, draft).filter(({ id }) => id !== given.id);
  const listening = { listeners: others, ...creatorAt(given, draft) };
  const tooMany = given.webhookUrl === undefined ? null : whyNotListen(listening, { role, name });
  if (tooMany !== null) return refuse(tooMany);
  const subscription: Subscription = {
    ...given,
    owner: { role, name },
    ownerKey: by.id,
    active: true,
    madeAt: now,
  };
  const also = listeners(subscription, draft);
  return state({ type: "subscription.made", subscription, also }, draft, by, now);
}

export function unsubscribe(command: EndSubscription, draft: Draft, { now }: Context): Reply {
  const { by, subscriptionId: id, kind } = command;
  const found = draft.get("subscription", id);
  if (found === undefined) return refuse(failure("not_found", "There is no subscription with this id."));
  if (by.role !== "system" && !mayManage(by) && found.owner.name !== by.name) {
    return refuse(failure("not_found", "There is no subscription with this id."));
  }
  const subscription = { ...found, active: false };
  if (kind === "expire_subscription" && !found.active) return accept(id);
  const type = kind === "expire_subscription" ? "subscription.expired" : "subscription.removed";
  return state({ type, subscription, also: listeners(subscription, draft) }, draft, by, now);
}

function state(fact: SubscriptionFact, draft: Draft, by: Principal, at: number): Reply {
  const { id, owner } = fact.subscription;
  draft.state({ kind: "subscription", id, fact, at, actor: actorText(by), audience: owner.name });
  return accept(id);
}

function listenersAt({ intentId, portfolioId }: Where, world: World): readonly Watcher[] {
  if (portfolioId !== undefined) return world.get("portfolio", portfolioId)?.watchers ?? [];
  if (intentId !== undefined) return world.get("intent", intentId)?.watchers ?? [];
  return workspaceWatchers(world);
}

function creatorAt({ intentId, portfolioId }: Where, world: World): Pick<Listening, "creator"> {
  const portfolio = portfolioId === undefined ? undefined : world.get("portfolio", portfolioId);
  const made = intentId === undefined ? portfolio : world.get("intent", intentId);
  return made === undefined ? {} : { creator: made.createdBy };
}

/** The watcher list with this subscription added, or removed if it has ended. */
function listeners(subscription: Subscription, world: World): readonly Change[] {
  const watchers = [
    ...listenersAt(subscription, world).filter(({ id }) => id !== subscription.id),
    ...watchersOf(subscription),
  ];
  const { intentId, portfolioId } = subscription;
  if (portfolioId !== undefined) {
    const portfolio = world.get("portfolio", portfolioId);
    return portfolio === undefined
      ? []
      : [{ kind: "portfolio", id: portfolioId, body: { ...portfolio, watchers } }];
  }
  if (intentId !== undefined) {
    const intent = world.get("intent", intentId);
    return intent === undefined ? [] : [{ kind: "intent", id: intentId, body: { ...intent, watchers } }];
  }
  return [watchersChange(watchers)];
}

function watchersOf(subscription: Subscription): readonly Watcher[] {
  const { id, eventTypes, owner, expiresAt, webhookUrl, active } = subscription;
  if (!active || webhookUrl === undefined) return [];
  const lane = laneOf(webhookUrl);
  return [{ id, eventTypes, owner, lane, ...(expiresAt === undefined ? {} : { expiresAt }) }];
}
