/** Keys and webhooks, which admins manage. */

import { newKeySecret, newWebhookSecret } from "../../../identity/secrets.ts";
import { newSignIn } from "../../../identity/sign-in.ts";
import type { ApiKey, Webhook } from "../../../kernel/access/access.ts";
import type { Entity } from "../../../kernel/entity.ts";
import { mayManage, type Principal, seesSettings } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { refuseTarget } from "../calls/caller.ts";
import { accepted, refused } from "../errors.ts";
import type { Routes } from "../operations.ts";

export const access = {
  whoAmI({ workspace, by }) {
    const { via: kind, id, name, role } = by;
    return {
      status: 200,
      body: { workspace, kind, id, name, role, ...(role === "agent" ? { agent: name } : {}) },
    };
  },

  async makeKey(call, deps) {
    const { workspace, by, body } = call;
    const { secret, ...key } = newKeySecret(deps.ids, deps.engine.clock.now());
    const result = await deps.engine.run({ kind: "make_key", workspace, by, key: { ...key, ...body } });
    const made = accepted(result, by);
    return { status: 201, body: { ...presentKey(made), secret, callback_secret: key.callbackSecret } };
  },

  async listKeys({ workspace, by }, deps) {
    onlySettings(by);
    const found = await deps.engine.store.query({
      workspace,
      kind: "api_key",
      newestFirst: true,
      limit: 1000,
    });
    return { status: 200, body: { keys: found.map((key) => presentKey(key)) } };
  },

  async revokeKey({ workspace, by, params }, deps) {
    const result = await deps.engine.run({ kind: "revoke_key", workspace, by, keyId: params.id });
    return { status: 200, body: presentKey(accepted(result, by)) };
  },

  async rotateKeySecret({ workspace, by, params }, deps) {
    const callbackSecret = newWebhookSecret(deps.ids);
    const command = { kind: "rotate_key_secret", workspace, by, keyId: params.id, callbackSecret } as const;
    const key = accepted(await deps.engine.run(command), by);
    if (key.body.revokedAt !== undefined) throw fail("not_found", "that key was revoked");
    return { status: 200, body: { ...presentKey(key), callback_secret: callbackSecret } };
  },

  async makeSignIn({ workspace, by, body }, deps) {
    const { name = "operator", role = "operator" } = body;
    const made = await newSignIn(deps.engine, deps.ids, { workspace, by, name, role });
    if (!made.ok) throw refused(made.failure, undefined, by);
    const url = `${deps.publicUrl}/signin?token=${made.token}`;
    return { status: 201, body: { url, name, role, expires_at: time(made.expiresAt) } };
  },

  async makeWebhook(call, deps) {
    const { workspace, by, body } = call;
    if (!mayManage(by)) throw fail("not_allowed");
    refuseTarget(body.url, deps);
    const secret = newWebhookSecret(deps.ids);
    const id = `hook_${deps.ids.next(deps.engine.clock.now())}`;
    const { url, events = [], description } = body;
    const webhook = {
      id,
      url,
      events,
      secrets: [secret],
      ...(description === undefined ? {} : { description }),
    };
    const result = await deps.engine.run({ kind: "put_webhook", workspace, by, webhook });
    return {
      status: 201,
      body: { ...presentWebhook(accepted(result, by)), secret },
    };
  },

  async listWebhooks({ workspace, by }, deps) {
    onlySettings(by);
    const found = await deps.engine.store.query({
      workspace,
      kind: "webhook",
      newestFirst: true,
      limit: 1000,
    });
    return {
      status: 200,
      body: { webhooks: found.map((hook) => presentWebhook(hook)) },
    };
  },

  async deleteWebhook({ workspace, by, params }, deps) {
    onlySettings(by);
    const [before] = await deps.engine.store.load([
      { workspace, kind: "webhook", id: params.id, read: true },
    ]);
    if (before === undefined) throw fail("not_found");
    accepted(await deps.engine.run({ kind: "remove_webhook", workspace, by, webhookId: params.id }), by);
    return { status: 200, body: presentWebhook(before) };
  },
} satisfies Routes;

function onlySettings(by: Principal): void {
  if (!seesSettings(by)) throw fail("not_allowed");
}

function presentKey({ body, workspace }: Entity<ApiKey>) {
  const { id, name, role, hint, madeAt, madeBy, lastUsedAt, revokedAt } = body;
  return {
    id,
    name,
    role,
    workspace,
    created_at: time(madeAt),
    created_by: madeBy,
    hint,
    ...(lastUsedAt === undefined ? {} : { last_used_at: time(lastUsedAt) }),
    ...(revokedAt === undefined ? {} : { revoked_at: time(revokedAt) }),
  };
}

function presentWebhook({ body }: Entity<Webhook>) {
  const { id, url, events, madeAt, disabledAt, description } = body;
  return {
    id,
    url,
    events,
    ...(description === undefined ? {} : { description }),
    created_at: time(madeAt),
    ...(disabledAt === undefined ? {} : { disabled_at: time(disabledAt) }),
  };
}
