/** Subscriptions. Whoever tells must know them without a search, so an intent, or the workspace, repeats who listens. */

import { NO_SETTINGS } from "../access/access.ts";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { laneOf } from "../lane.ts";
import { actorText, mayManage, type Principal } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { Change, Need, World } from "../world.ts";
import type { EndSubscription, PutSubscription } from "./commands.ts";
import type { SubscriptionFact } from "./facts.ts";
import type { Watcher } from "./intent.ts";
import { whyNotListen } from "./listeners.ts";
import type { Subscription } from "./records.ts";
import { may } from "./who.ts";

type SubscriptionCommand = PutSubscription | EndSubscription;

export function subscriptionNeeds(command: SubscriptionCommand, world: World): readonly Need[] {
  const id = command.kind === "put_subscription" ? command.subscription.id : command.subscriptionId;
  const subscription =
    command.kind === "put_subscription" ? command.subscription : (world.get("subscription", id) ?? {});
  return [{ kind: "subscription", id }, whereOf(subscription)];
}

type Where = Pick<Subscription, "intentId" | "portfolioId">;

function whereOf({ intentId, portfolioId }: Where): Need {
  if (intentId !== undefined) return { kind: "intent", id: intentId };
  return portfolioId === undefined
    ? { kind: "workspace", id: "settings" }
    : { kind: "portfolio", id: portfolioId };
}

export function changeSubscription(command: SubscriptionCommand, world: World, { now }: Context): Decision {
  return command.kind === "put_subscription"
    ? subscribe(command, world, now)
    : unsubscribe(command, world, now);
}

function subscribe({ by, subscription: given }: PutSubscription, world: World, now: number): Decision {
  if (given.intentId !== undefined) {
    const intent = world.get("intent", given.intentId);
    if (intent === undefined) return refuse(refusal("not_found", "no such intent"));
    if (!may(intent, by, "read", now))
      return refuse(refusal("not_allowed", "this needs the permission read on the intent"));
  }
  if (given.portfolioId !== undefined && world.get("portfolio", given.portfolioId) === undefined) {
    return refuse(refusal("not_found", "no such portfolio"));
  }
  const { role, name } = by;
  const others = listenersAt(given, world).filter(({ id }) => id !== given.id);
  const tooMany = given.webhookUrl === undefined ? null : whyNotListen(others, { role, name });
  if (tooMany !== null) return refuse(tooMany);
  const subscription: Subscription = {
    ...given,
    owner: { role, name },
    ownerKey: by.id,
    active: true,
    madeAt: now,
  };
  return stated({ type: "subscription.made", subscription, also: listeners(subscription, world) }, by, now);
}

function unsubscribe(command: EndSubscription, world: World, now: number): Decision {
  const { by, subscriptionId: id, kind } = command;
  const found = world.get("subscription", id);
  if (found === undefined) return refuse(refusal("not_found", "no such subscription"));
  if (by.role !== "system" && !mayManage(by) && found.owner.name !== by.name) {
    return refuse(refusal("not_found", "no such subscription"));
  }
  const subscription = { ...found, active: false };
  if (kind === "expire_subscription" && !found.active) return accept("subscription", id, []);
  const type = kind === "expire_subscription" ? "subscription.expired" : "subscription.removed";
  return stated({ type, subscription, also: listeners(subscription, world) }, by, now);
}

function stated(fact: SubscriptionFact, by: Principal, at: number): Decision {
  const { id, owner } = fact.subscription;
  return accept("subscription", id, [
    { kind: "subscription", id, fact, at, actor: actorText(by), audience: owner.name },
  ]);
}

function listenersAt({ intentId, portfolioId }: Where, world: World): readonly Watcher[] {
  if (portfolioId !== undefined) return world.get("portfolio", portfolioId)?.watchers ?? [];
  if (intentId !== undefined) return world.get("intent", intentId)?.watchers ?? [];
  return world.get("workspace", "settings")?.watchers ?? [];
}

/** Who listens where, with this one or without it. */
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
  const settings = world.get("workspace", "settings") ?? NO_SETTINGS;
  return [{ kind: "workspace", id: "settings", body: { ...settings, watchers } }];
}

function watchersOf({
  id,
  eventTypes,
  owner,
  expiresAt,
  webhookUrl,
  active,
}: Subscription): readonly Watcher[] {
  if (!active || webhookUrl === undefined) return [];
  const lane = laneOf(webhookUrl);
  return [{ id, eventTypes, owner, lane, ...(expiresAt === undefined ? {} : { expiresAt }) }];
}
