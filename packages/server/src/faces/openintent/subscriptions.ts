/** Subscriptions: who has events sent where. */

import type { Hono } from "hono";
import type { Subscription } from "../../core/intent/records.ts";
import { readTime } from "../../core/intent/wire-time.ts";
import { seesAll } from "../../core/principal.ts";
import { type Call, type MountOptions, mount } from "../http/mount.ts";
import { HttpTrouble } from "../http/respond.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { fresh } from "./enter.ts";
import { intentTrouble, refusedIntent } from "./errors.ts";
import { operations } from "./operations/index.ts";
import { presentSubscription } from "./present.ts";

export function mountSubscriptions(app: Hono, deps: OpenIntentDeps, options: MountOptions): void {
  mount(app, operations.subscribe, (call) => subscribe(call, deps), options);
  mount(app, operations.listSubscriptions, (call) => list(call, deps), options);
  mount(app, operations.unsubscribe, (call) => unsubscribe(call, deps), options);
}

async function subscribe(call: Call<typeof operations.subscribe>, deps: OpenIntentDeps) {
  const { workspace, by, body } = call;
  if (typeof body.portfolio_id === "string")
    throw new HttpTrouble({ code: "not_found", detail: "no such portfolio" });
  const webhookUrl = body.webhook_url ?? undefined;
  const why = webhookUrl === undefined ? null : deps.whyNotTarget(webhookUrl);
  if (why !== null) throw intentTrouble("target_refused", why);
  const intentId = body.intent_id ?? undefined;
  const expiresAt = readTime(body.expires_at ?? "") ?? undefined;
  const subscription = {
    id: fresh("sub", deps),
    subscriberId: body.subscriber_id ?? by.name,
    eventTypes: body.event_types ?? [],
    ...(intentId === undefined ? {} : { intentId }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const result = await deps.engine.run({ kind: "put_subscription", workspace, by, subscription });
  if (!result.ok) throw refusedIntent(result.refusal);
  return { status: 200, body: presentSubscription(result.entity.body as unknown as Subscription) };
}

const LIST_MAX = 1000;

/** An address may be a secret: everybody sees their own, people who see everything see all. */
async function list(call: Call<typeof operations.listSubscriptions>, deps: OpenIntentDeps) {
  const { workspace, by, query } = call;
  if (query.portfolio_id !== undefined) return { status: 200, body: { subscriptions: [] } };
  const { intent_id: intentId } = query;
  const index =
    intentId === undefined
      ? seesAll(by)
        ? undefined
        : { name: "owner", value: by.name }
      : { name: "intent", value: intentId };
  const narrowed = index === undefined ? {} : { index };
  const found = await deps.engine.store.query({
    workspace,
    kind: "subscription",
    ...narrowed,
    limit: LIST_MAX,
  });
  const all = found.map(({ body }) => body as unknown as Subscription);
  const own = all.filter(({ owner }) => seesAll(by) || owner.name === by.name);
  return { status: 200, body: { subscriptions: own.map(presentSubscription) } };
}

async function unsubscribe(call: Call<typeof operations.unsubscribe>, deps: OpenIntentDeps) {
  const { workspace, by, params } = call;
  const result = await deps.engine.run({
    kind: "remove_subscription",
    workspace,
    by,
    subscriptionId: params.id,
  });
  if (!result.ok) throw refusedIntent(result.refusal);
  return { status: 204 };
}
