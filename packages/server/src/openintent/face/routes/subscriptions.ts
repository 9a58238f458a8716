/** Subscriptions: events of intents that are sent to an address. */

import type { Call } from "../../../faces/http/mount.ts";
import { type Principal, seesAll } from "../../../kernel/principal.ts";
import { readTime } from "../../rules/intent/wire-time.ts";
import { fresh } from "../enter.ts";
import { intentFailure, refusedIntent } from "../errors.ts";
import type { operations, Routes } from "../operations/index.ts";
import { presentSubscription } from "../present.ts";

export const subscriptions = {
  async subscribe(call, deps) {
    const { workspace, by, body } = call;
    const webhookUrl = body.webhook_url ?? undefined;
    const why = webhookUrl === undefined ? null : deps.whyNotTarget(webhookUrl);
    if (why !== null) throw intentFailure("target_refused", why);
    const intentId = body.intent_id ?? undefined;
    const portfolioId = intentId === undefined ? (body.portfolio_id ?? undefined) : undefined;
    const expiresAt = readTime(body.expires_at ?? "") ?? undefined;
    const subscription = {
      id: fresh("sub", deps),
      subscriberId: body.subscriber_id ?? by.name,
      eventTypes: body.event_types ?? [],
      ...(intentId === undefined ? {} : { intentId }),
      ...(portfolioId === undefined ? {} : { portfolioId }),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    const result = await deps.engine.run({ kind: "put_subscription", workspace, by, subscription });
    if (!result.ok) throw refusedIntent(result.failure);
    return { status: 200, body: presentSubscription(result.entity.body) };
  },

  /** An address may contain a secret, so a caller sees its own subscriptions only, unless its role sees everything. */
  async listSubscriptions(call, deps) {
    const { workspace, by, query } = call;
    const index = indexFor(query, by);
    const narrowed = index === undefined ? {} : { index };
    const found = await deps.engine.store.query({
      workspace,
      kind: "subscription",
      ...narrowed,
      limit: LIST_MAX,
    });
    const all = found.map(({ body }) => body);
    const own = all.filter(({ owner }) => seesAll(by) || owner.name === by.name);
    return { status: 200, body: { subscriptions: own.map(presentSubscription) } };
  },

  async unsubscribe(call, deps) {
    const { workspace, by, params } = call;
    const result = await deps.engine.run({
      kind: "remove_subscription",
      workspace,
      by,
      subscriptionId: params.id,
    });
    if (!result.ok) throw refusedIntent(result.failure);
    return { status: 204 };
  },
} satisfies Routes;

const LIST_MAX = 1000;

type ListQuery = Call<typeof operations.listSubscriptions>["query"];

function indexFor({ intent_id: intent, portfolio_id: portfolio }: ListQuery, by: Principal) {
  if (intent !== undefined) return { name: "intent", value: intent };
  if (portfolio !== undefined) return { name: "portfolio", value: portfolio };
  return seesAll(by) ? undefined : { name: "owner", value: by.name };
}
