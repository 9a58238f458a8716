/** Keys and webhooks: what an admin manages. */

import { operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import { newKeySecret, newWebhookSecret } from "../../identity/secrets.ts";
import { newSignIn } from "../../identity/sign-in.ts";
import type { ApiKey, Webhook } from "../../kernel/access/access.ts";
import type { Entity } from "../../kernel/entity.ts";
import { mayManage, type Principal } from "../../kernel/principal.ts";
import { type Call, type MountOptions, mount } from "../http/mount.ts";
import { time } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";
import type { RestDeps } from "./deps.ts";
import { refuseTarget } from "./holds.ts";
import { accepted, refused } from "./refusals.ts";

export function mountAccess(app: Hono, deps: RestDeps, options: MountOptions): void {
  mount(app, operations.whoAmI, (call) => whoAmI(call), options);
  mount(app, operations.makeKey, (call) => makeKey(call, deps), options);
  mount(app, operations.listKeys, (call) => listKeys(call, deps), options);
  mount(app, operations.revokeKey, (call) => revokeKey(call, deps), options);
  mount(app, operations.rotateKeySecret, (call) => rotateSecret(call, deps), options);
  mount(app, operations.makeSignIn, (call) => makeSignIn(call, deps), options);
  mount(app, operations.makeWebhook, (call) => makeWebhook(call, deps), options);
  mount(app, operations.listWebhooks, (call) => listWebhooks(call, deps), options);
  mount(app, operations.deleteWebhook, (call) => deleteWebhook(call, deps), options);
}

function whoAmI({ workspace, by }: Call<typeof operations.whoAmI>) {
  const { via: kind, id, name, role } = by;
  return {
    status: 200,
    body: { workspace, kind, id, name, role, ...(role === "agent" ? { agent: name } : {}) },
  };
}

function onlyManagers(by: Principal): void {
  if (!mayManage(by) && by.role !== "auditor") throw new HttpTrouble({ code: "not_allowed" });
}

async function makeKey(call: Call<typeof operations.makeKey>, deps: RestDeps) {
  const { workspace, by, body } = call;
  const { secret, ...key } = newKeySecret(deps.ids, deps.engine.clock.now());
  const result = await deps.engine.run({ kind: "make_key", workspace, by, key: { ...key, ...body } });
  const made = accepted(result, by);
  return { status: 201, body: { ...presentKey(made), secret, callback_secret: key.callbackSecret } };
}

async function listKeys({ workspace, by }: Call<typeof operations.listKeys>, deps: RestDeps) {
  onlyManagers(by);
  const found = await deps.engine.store.query({ workspace, kind: "api_key", newestFirst: true, limit: 1000 });
  return { status: 200, body: { keys: found.map((key) => presentKey(key)) } };
}

async function revokeKey({ workspace, by, params }: Call<typeof operations.revokeKey>, deps: RestDeps) {
  const result = await deps.engine.run({ kind: "revoke_key", workspace, by, keyId: params.id });
  return { status: 200, body: presentKey(accepted(result, by)) };
}

async function rotateSecret(
  { workspace, by, params }: Call<typeof operations.rotateKeySecret>,
  deps: RestDeps,
) {
  const callbackSecret = newWebhookSecret(deps.ids);
  const command = { kind: "rotate_key_secret", workspace, by, keyId: params.id, callbackSecret } as const;
  const key = accepted(await deps.engine.run(command), by);
  if (key.body.revokedAt !== undefined)
    throw new HttpTrouble({ code: "not_found", detail: "that key was revoked" });
  return { status: 200, body: { ...presentKey(key), callback_secret: callbackSecret } };
}

async function makeSignIn({ workspace, by, body }: Call<typeof operations.makeSignIn>, deps: RestDeps) {
  const { name = "operator", role = "operator" } = body;
  const made = await newSignIn(deps.engine, deps.ids, { workspace, by, name, role });
  if (!made.ok) throw refused(made.failure, undefined, by);
  const url = `${deps.publicUrl}/signin?token=${made.token}`;
  return { status: 201, body: { url, name, role, expires_at: time(made.expiresAt) } };
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

async function makeWebhook(call: Call<typeof operations.makeWebhook>, deps: RestDeps) {
  const { workspace, by, body } = call;
  if (!mayManage(by)) throw new HttpTrouble({ code: "not_allowed" });
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
}

async function listWebhooks({ workspace, by }: Call<typeof operations.listWebhooks>, deps: RestDeps) {
  onlyManagers(by);
  const found = await deps.engine.store.query({ workspace, kind: "webhook", newestFirst: true, limit: 1000 });
  return {
    status: 200,
    body: { webhooks: found.map((hook) => presentWebhook(hook)) },
  };
}

async function deleteWebhook(
  { workspace, by, params }: Call<typeof operations.deleteWebhook>,
  deps: RestDeps,
) {
  onlyManagers(by);
  const [before] = await deps.engine.store.load([{ workspace, kind: "webhook", id: params.id, read: true }]);
  if (before === undefined) throw new HttpTrouble({ code: "not_found" });
  accepted(await deps.engine.run({ kind: "remove_webhook", workspace, by, webhookId: params.id }), by);
  return { status: 200, body: presentWebhook(before) };
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
