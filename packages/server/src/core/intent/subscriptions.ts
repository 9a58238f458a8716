/** Subscriptions. Whoever tells must know them without a search, so an intent, or the workspace, repeats who listens. */

import { NO_SETTINGS } from "../access/access.ts";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { actorText, mayManage, type Principal } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { Change, Need, World } from "../world.ts";
import type { EndSubscription, PutSubscription } from "./commands.ts";
import type { SubscriptionFact } from "./facts.ts";
import type { Watcher } from "./intent.ts";
import type { Subscription } from "./records.ts";
import { may } from "./who.ts";

type SubscriptionCommand = PutSubscription | EndSubscription;

export function subscriptionNeeds(command: SubscriptionCommand, world: World): readonly Need[] {
  const id = command.kind === "put_subscription" ? command.subscription.id : command.subscriptionId;
  const subscription =
    command.kind === "put_subscription" ? command.subscription : (world.get("subscription", id) ?? {});
  return [{ kind: "subscription", id }, whereOf(subscription)];
}

function whereOf({ intentId, portfolioId }: Pick<Subscription, "intentId" | "portfolioId">): Need {
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

/** Who listens where, with this one or without it. */
function listeners(subscription: Subscription, world: World): readonly Change[] {
  const listen = (before: readonly Watcher[] = []) => [
    ...before.filter(({ id }) => id !== subscription.id),
    ...(subscription.active && subscription.webhookUrl !== undefined ? [watcherOf(subscription)] : []),
  ];
  const { intentId, portfolioId } = subscription;
  const portfolio = portfolioId === undefined ? undefined : world.get("portfolio", portfolioId);
  if (portfolio !== undefined) {
    const body = { ...portfolio, watchers: listen(portfolio.watchers) };
    return [{ kind: "portfolio", id: portfolio.id, body }];
  }
  if (intentId === undefined) {
    const settings = world.get("workspace", "settings") ?? NO_SETTINGS;
    const body = { ...settings, watchers: listen(settings.watchers) };
    return [{ kind: "workspace", id: "settings", body }];
  }
  const intent = world.get("intent", intentId);
  return intent === undefined
    ? []
    : [{ kind: "intent", id: intentId, body: { ...intent, watchers: listen(intent.watchers) } }];
}

function watcherOf({ id, eventTypes, owner, expiresAt }: Subscription): Watcher {
  return { id, eventTypes, owner, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
