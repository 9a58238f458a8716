/** Decides commands about keys, sign-in sessions and workspace settings. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { laneOf } from "../lane.ts";
import { stateAdded } from "../people/decide.ts";
import { personIdOf } from "../people/person.ts";
import { actorText, type Principal } from "../principal.ts";
import type { World } from "../world.ts";
import { NO_SETTINGS, WEBHOOKS_MAX, type WorkspaceSettings } from "./access.ts";
import type {
  KeepCheckpoint,
  MakeKey,
  NoteKeyUse,
  PutSigningKey,
  PutWebhook,
  RemoveWebhook,
  RevokeKey,
  RotateKeySecret,
  SetInline,
  SetRetention,
} from "./commands.ts";
import type { AccessFact } from "./facts.ts";

function state(draft: Draft, kind: string, id: string, fact: AccessFact, by: Principal, at: number): Reply {
  draft.state({ kind, id, fact, at, actor: actorText(by) });
  return accept(id);
}

export function makeKey({ key, by }: MakeKey, draft: Draft, { now }: Context): Reply {
  if (draft.get("api_key", key.id) !== undefined)
    return refuse(failure("already_exists", "a key with this id already exists; use another id"));
  const owner = key.owner ?? personIdOf(by);
  const made = { ...key, madeAt: now, madeBy: actorText(by), ...(owner === undefined ? {} : { owner }) };
  addPersonOf(key, draft, by, now);
  return state(draft, "api_key", key.id, { type: "key.made", key: made }, by, now);
}

/** An operator's or admin's key stands for a person. One who was not added before has to be confirmed by an admin. */
function addPersonOf({ name, role }: MakeKey["key"], draft: Draft, by: Principal, now: number): void {
  if ((role !== "operator" && role !== "admin") || draft.get("person", name) !== undefined) return;
  stateAdded({ id: name, name, role, teams: [], isVerified: false, source: "key" }, draft, by, now);
}

/** A revoked key never changes again: the command succeeds and states nothing. */
export function changeKey(
  command: RevokeKey | RotateKeySecret | NoteKeyUse,
  draft: Draft,
  { now }: Context,
): Reply {
  const key = draft.get("api_key", command.keyId);
  if (key === undefined) return refuse(failure("not_found", "there is no key with this id"));
  if (key.revokedAt !== undefined) return accept(key.id);
  return state(draft, "api_key", key.id, keyFact(command, key, now), command.by, now);
}

function keyFact(
  command: RevokeKey | RotateKeySecret | NoteKeyUse,
  key: MakeKey["key"] & { readonly madeAt: number; readonly madeBy: string },
  now: number,
): AccessFact {
  switch (command.kind) {
    case "revoke_key":
      return { type: "key.revoked", key: { ...key, revokedAt: now } };
    case "rotate_key_secret":
      return { type: "key.secret_rotated", key: { ...key, callbackSecret: command.callbackSecret } };
    case "note_key_use":
      return { type: "key.used", key: { ...key, lastUsedAt: now } };
  }
}

export function putSigningKey({ key, by }: PutSigningKey, draft: Draft, { now }: Context): Reply {
  const type = key.retiredAt === undefined ? "signing_key.made" : "signing_key.retired";
  return state(draft, "signing_key", key.id, { type, key }, by, now);
}

export function keepCheckpoint({ checkpoint, by }: KeepCheckpoint, draft: Draft, { now }: Context): Reply {
  const { id } = checkpoint;
  if (draft.get("checkpoint", id) !== undefined) return accept(id);
  return state(draft, "checkpoint", id, { type: "checkpoint.made", checkpoint }, by, now);
}

export function setRetention({ retainMs, by }: SetRetention, draft: Draft, { now }: Context): Reply {
  const { retainMs: _before, ...rest } = settingsIn(draft);
  return setSettings(retainMs === null ? rest : { ...rest, retainMs }, draft, by, now);
}

export function setInline({ allowed, by }: SetInline, draft: Draft, { now }: Context): Reply {
  const { noInline: _before, ...rest } = settingsIn(draft);
  return setSettings(allowed ? rest : { ...rest, noInline: true }, draft, by, now);
}

/** The settings repeat which webhooks listen to which events, so that every command knows it from one row. */
export function putWebhook(command: PutWebhook, draft: Draft, { now }: Context): Reply {
  const { id } = command.webhook;
  const before = draft.get("webhook", id);
  if (before === undefined && settingsIn(draft).webhooks.length >= WEBHOOKS_MAX) return refuse(TOO_MANY);
  const webhook = { ...command.webhook, madeAt: before?.madeAt ?? now };
  const type = before === undefined ? "webhook.made" : "webhook.changed";
  state(draft, "webhook", id, { type, webhook }, command.by, now);
  const listening =
    webhook.disabledAt === undefined ? [{ id, events: webhook.events, lane: laneOf(webhook.url) }] : [];
  listen(id, listening, draft, command.by, now);
  return accept(id);
}

const TOO_MANY = failure(
  "too_many_webhooks",
  `the workspace has ${WEBHOOKS_MAX} webhooks already; delete one that nobody reads first`,
);

export function removeWebhook({ webhookId: id, by }: RemoveWebhook, draft: Draft, { now }: Context): Reply {
  const before = draft.get("webhook", id);
  if (before === undefined) return refuse(failure("not_found", "there is no webhook with this id"));
  state(draft, "webhook", id, { type: "webhook.removed", webhook: before }, by, now);
  listen(id, [], draft, by, now);
  return accept(id);
}

function listen(
  id: string,
  listening: WorkspaceSettings["webhooks"],
  draft: Draft,
  by: Principal,
  now: number,
): void {
  const settings = settingsIn(draft);
  const others = settings.webhooks.filter((webhook) => webhook.id !== id);
  setSettings({ ...settings, webhooks: [...others, ...listening] }, draft, by, now);
}

function settingsIn(world: World): WorkspaceSettings {
  return world.get("workspace", "settings") ?? NO_SETTINGS;
}

function setSettings(settings: WorkspaceSettings, draft: Draft, by: Principal, now: number): Reply {
  return state(draft, "workspace", "settings", { type: "workspace.changed", settings }, by, now);
}
