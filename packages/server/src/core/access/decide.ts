/** Who may change who gets in. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Kind } from "../entity.ts";
import type { Stated } from "../fact.ts";
import { laneOf } from "../lane.ts";
import { actorText, mayManage, type Principal } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import { NO_SETTINGS, type Person, type Session, type WorkspaceSettings } from "./access.ts";
import type { AccessCommand, UseSignIn } from "./commands.ts";
import type { AccessFact } from "./facts.ts";

export function accessNeeds(command: AccessCommand): readonly Need[] {
  switch (command.kind) {
    case "make_key":
      return [{ kind: "api_key", id: command.key.id }];
    case "revoke_key":
    case "rotate_key_secret":
    case "note_key_use":
      return [{ kind: "api_key", id: command.keyId }];
    case "make_sign_in":
      return [{ kind: "sign_in", id: command.signIn.hash }];
    case "use_sign_in":
      return [
        { kind: "sign_in", id: command.hash },
        { kind: "session", id: command.session.hash },
      ];
    case "end_session":
      return [{ kind: "session", id: command.hash }];
    case "put_person":
      return [{ kind: "person", id: command.person.id }];
    case "remove_person":
      return [{ kind: "person", id: command.personId }];
    case "put_webhook":
      return [SETTINGS, { kind: "webhook", id: command.webhook.id }];
    case "remove_webhook":
      return [SETTINGS, { kind: "webhook", id: command.webhookId }];
    case "set_retention":
    case "set_inline":
      return [SETTINGS];
    case "put_signing_key":
      return [{ kind: "signing_key", id: command.key.id }];
    case "keep_checkpoint":
      return [{ kind: "checkpoint", id: command.checkpoint.id }];
  }
}

const SETTINGS: Need = { kind: "workspace", id: "settings" };

export function decideAccess(command: AccessCommand, world: World, { now }: Context): Decision {
  // What needs no manager: the server's own bookkeeping, and people who come and go through their own link or session.
  if (command.kind === "use_sign_in") return useSignIn(command, world, now);
  if (command.kind === "end_session") return endSession(command.hash, world, command.by, now);
  if (!mayManage(command.by) && command.by.role !== "system") {
    return refuse(refusal("not_allowed", `the role ${command.by.role} manages nothing`));
  }
  return manage(command, world, now);
}

type ManageCommand = Exclude<AccessCommand, { kind: "use_sign_in" | "end_session" }>;

function manage(command: ManageCommand, world: World, now: number): Decision {
  const { by } = command;
  const madeBy = actorText(by);
  switch (command.kind) {
    case "make_key":
      if (world.get("api_key", command.key.id) !== undefined)
        return refuse(refusal("already_exists", "that key exists"));
      return one(
        "api_key",
        command.key.id,
        { type: "key.made", key: { ...command.key, madeAt: now, madeBy } },
        by,
        now,
      );
    case "revoke_key":
    case "rotate_key_secret":
    case "note_key_use":
      return changeKey(command, world, now);
    case "make_sign_in": {
      const signIn = { ...command.signIn, madeAt: now, expiresAt: now + command.lastsMs };
      return one("sign_in", signIn.hash, { type: "sign_in.made", signIn }, by, now);
    }
    case "put_person": {
      const before = personHere(world, command.person.id);
      const person = { ...command.person, madeAt: before?.madeAt ?? now };
      const type = before === undefined ? "person.added" : "person.changed";
      return one("person", person.id, { type, person }, by, now);
    }
    case "remove_person": {
      const before = personHere(world, command.personId);
      if (before === undefined) return refuse(refusal("not_found", "no such person"));
      const { id, role, madeAt } = before;
      const person = { id, name: "", role, madeAt, removedAt: now };
      return one("person", id, { type: "person.removed", person }, by, now);
    }
    case "put_webhook":
    case "remove_webhook":
    case "set_retention":
    case "set_inline":
      return changeSettings(command, world, now);
    case "put_signing_key": {
      const type = command.key.retiredAt === undefined ? "signing_key.made" : "signing_key.retired";
      return one("signing_key", command.key.id, { type, key: command.key }, by, now);
    }
    case "keep_checkpoint":
      if (world.get("checkpoint", command.checkpoint.id) !== undefined)
        return accept("checkpoint", command.checkpoint.id, []);
      return one(
        "checkpoint",
        command.checkpoint.id,
        { type: "checkpoint.made", checkpoint: command.checkpoint },
        by,
        now,
      );
  }
}

function one(kind: Kind, id: string, fact: AccessFact, by: Principal, at: number): Decision {
  return accept(kind, id, [{ kind, id, fact, at, actor: actorText(by) }]);
}

function personHere(world: World, id: string): Person | undefined {
  const person = world.get("person", id);
  return person?.removedAt === undefined ? person : undefined;
}

type KeyChange = Extract<AccessCommand, { kind: "revoke_key" | "rotate_key_secret" | "note_key_use" }>;

function changeKey(command: KeyChange, world: World, now: number): Decision {
  const key = world.get("api_key", command.keyId);
  if (key === undefined) return refuse(refusal("not_found", "no such key"));
  if (key.revokedAt !== undefined) return accept("api_key", key.id, []);
  switch (command.kind) {
    case "revoke_key":
      return one(
        "api_key",
        key.id,
        { type: "key.revoked", key: { ...key, revokedAt: now } },
        command.by,
        now,
      );
    case "rotate_key_secret": {
      const rotated = { ...key, callbackSecret: command.callbackSecret };
      return one("api_key", key.id, { type: "key.secret_rotated", key: rotated }, command.by, now);
    }
    case "note_key_use":
      return one("api_key", key.id, { type: "key.used", key: { ...key, lastUsedAt: now } }, command.by, now);
  }
}

/** A sign-in link works once and not for ever; the session it starts is a secret of its own. */
function useSignIn(command: UseSignIn, world: World, now: number): Decision {
  const signIn = world.get("sign_in", command.hash);
  if (signIn === undefined || signIn.usedAt !== undefined || signIn.expiresAt <= now) {
    return refuse(refusal("not_allowed", "this sign-in link was used before or is too old"));
  }
  const session: Session = {
    ...command.session,
    name: signIn.name,
    role: signIn.role,
    madeAt: now,
    expiresAt: now + command.lastsMs,
  };
  const actor = `session:${session.id}`;
  const used = { type: "sign_in.used", signIn: { ...signIn, usedAt: now } } as const;
  const facts: Stated[] = [
    { kind: "sign_in", id: signIn.hash, fact: used, at: now, actor },
    { kind: "session", id: session.hash, fact: { type: "session.started", session }, at: now, actor },
  ];
  return accept("session", session.hash, facts);
}

function endSession(hash: string, world: World, by: Principal, now: number): Decision {
  const session = world.get("session", hash);
  if (session === undefined || session.endedAt !== undefined) return accept("session", hash, []);
  return one("session", hash, { type: "session.ended", session: { ...session, endedAt: now } }, by, now);
}

type SettingsChange = Extract<
  AccessCommand,
  { kind: "put_webhook" | "remove_webhook" | "set_retention" | "set_inline" }
>;

/** Settings repeat which webhooks listen to what, so that any command can know it without a search. */
function changeSettings(command: SettingsChange, world: World, now: number): Decision {
  const settings = world.get("workspace", "settings") ?? NO_SETTINGS;
  const actor = actorText(command.by);
  const state = (fact: AccessFact, kind: Kind, id: string): Stated => ({ kind, id, fact, at: now, actor });
  const set = (next: WorkspaceSettings) =>
    state({ type: "workspace.changed", settings: next }, "workspace", "settings");
  if (command.kind === "set_retention") {
    const { retainMs: _before, ...rest } = settings;
    const next = command.retainMs === null ? rest : { ...rest, retainMs: command.retainMs };
    return accept("workspace", "settings", [set(next)]);
  }
  if (command.kind === "set_inline") {
    const { noInline: _before, ...rest } = settings;
    return accept("workspace", "settings", [set(command.allowed ? rest : { ...rest, noInline: true })]);
  }
  const id = command.kind === "put_webhook" ? command.webhook.id : command.webhookId;
  const before = world.get("webhook", id);
  const others = settings.webhooks.filter((webhook) => webhook.id !== id);
  if (command.kind === "remove_webhook") {
    if (before === undefined) return refuse(refusal("not_found", "no such webhook"));
    return accept("webhook", id, [
      state({ type: "webhook.removed", webhook: before }, "webhook", id),
      set({ ...settings, webhooks: others }),
    ]);
  }
  const webhook = { ...command.webhook, madeAt: before?.madeAt ?? now };
  const listening =
    webhook.disabledAt === undefined ? [{ id, events: webhook.events, lane: laneOf(webhook.url) }] : [];
  const type = before === undefined ? "webhook.made" : "webhook.changed";
  return accept("webhook", id, [
    state({ type, webhook }, "webhook", id),
    set({ ...settings, webhooks: [...others, ...listening] }),
  ]);
}
