import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, AUDITOR, DEV, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { type BareCommand, given } from "../../testing/given.ts";
import type { Checkpoint, SigningKey } from "../log/checkpoint.ts";
import { SYSTEM } from "../principal.ts";
import { type SignIn, WEBHOOKS_MAX, type Webhook } from "./access.ts";

const by = ADMIN;
const key = {
  id: "k1",
  name: "refunder",
  role: "agent",
  hash: "hash",
  hint: "hp_…abcd",
  callbackSecret: "s1",
} as const;
const madeKey = { ...key, madeAt: NOW, madeBy: "key:root", owner: "root" };
const webhook: Omit<Webhook, "madeAt"> = {
  id: "w1",
  url: "https://a.test",
  events: ["hold.decided"],
  secrets: ["s"],
};
const signingKey: SigningKey = { id: "sk1", algorithm: "Ed25519", publicJwk: { kty: "OKP" }, madeAt: 1 };
const checkpoint: Checkpoint = {
  id: "cp_1",
  from: 0,
  upTo: 1,
  count: 1,
  root: "r",
  previous: "",
  hash: "h",
  at: 1,
  keyId: "sk1",
  signature: "sig",
};

const MANAGING: readonly BareCommand[] = [
  { kind: "make_key", key },
  { kind: "revoke_key", keyId: "k1" },
  { kind: "rotate_key_secret", keyId: "k1", callbackSecret: "s2" },
  { kind: "note_key_use", keyId: "k1" },
  { kind: "make_sign_in", signIn: { hash: "sh", name: "Ada", role: "operator" }, lastsMs: 5 },
  { kind: "put_webhook", webhook },
  { kind: "remove_webhook", webhookId: "w1" },
  { kind: "set_retention", retainMs: 5 },
  { kind: "set_inline", allowed: false },
  { kind: "put_signing_key", key: signingKey },
  { kind: "keep_checkpoint", checkpoint },
];

describe.each(MANAGING)("the command $kind", (command) => {
  test.each([AGENT, OPERATOR, AUDITOR])(
    "a command that manages the workspace refuses the role $role",
    (stranger) => {
      given().when(command, { by: stranger }).refused("not_allowed");
    },
  );

  test.each([ADMIN, DEV, SYSTEM])(
    "a command that manages the workspace accepts the role $role",
    (manager) => {
      const { reply } = given().when(command, { by: manager }).step.decision;
      expect(reply.ok || reply.failure.code).not.toBe("not_allowed");
    },
  );
});

describe("API keys", () => {
  const made = () => given().when({ kind: "make_key", key }, { by }).then("key.made");

  test("a key id can be created only once", () => {
    expect(made().get("api_key", "k1")).toEqual(madeKey);
    made().when({ kind: "make_key", key }, { by }).refused("already_exists");
  });

  test("a revoked key keeps its first revocation time and ignores every later change", () => {
    const revoked = made()
      .when({ kind: "revoke_key", keyId: "k1" }, { by, now: NOW + 1 })
      .then("key.revoked");
    expect(revoked.get("api_key", "k1")?.revokedAt).toBe(NOW + 1);
    revoked.when({ kind: "revoke_key", keyId: "k1" }, { by, now: NOW + 2 }).then();
    revoked.when({ kind: "note_key_use", keyId: "k1" }, { by: SYSTEM }).then();
  });

  test("a key records its new callback secret and when it was last used", () => {
    const rotate = { kind: "rotate_key_secret", keyId: "k1", callbackSecret: "s2" } as const;
    expect(made().when(rotate, { by }).then("key.secret_rotated").get("api_key", "k1")?.callbackSecret).toBe(
      "s2",
    );
    const used = made()
      .when({ kind: "note_key_use", keyId: "k1" }, { by: SYSTEM, now: NOW + 3 })
      .then("key.used");
    expect(used.get("api_key", "k1")?.lastUsedAt).toBe(NOW + 3);
  });

  test("a key that does not exist cannot be revoked", () => {
    given().when({ kind: "revoke_key", keyId: "k1" }, { by }).refused("not_found");
  });
});

describe("signing in", () => {
  const signIn: SignIn = { hash: "sh", name: "Ada", role: "operator", madeAt: NOW, expiresAt: NOW + 100 };
  const make = {
    kind: "make_sign_in",
    signIn: { hash: "sh", name: "Ada", role: "operator" },
    lastsMs: 100,
  } as const;
  const use = { kind: "use_sign_in", hash: "sh", session: { id: "s1", hash: "ss" }, lastsMs: 1_000 } as const;
  const made = () => given().when(make, { by }).then("sign_in.made");

  test("a sign-in link starts a session for the person it was made for, no matter who opens it", () => {
    expect(made().get("sign_in", "sh")).toEqual(signIn);
    const after = made()
      .when(use, { by: AGENT, now: NOW + 99 })
      .then("sign_in.used", "session.started");
    expect(after.get("sign_in", "sh")?.usedAt).toBe(NOW + 99);
    expect(after.get("session", "ss")).toEqual({
      id: "s1",
      hash: "ss",
      name: "Ada",
      role: "operator",
      madeAt: NOW + 99,
      expiresAt: NOW + 1_099,
    });
    expect(after.facts.map(({ actor }) => actor)).toEqual(["session:Ada", "session:Ada"]);
  });

  test("a sign-in link is refused when it was used before, has expired or does not exist", () => {
    const used = made().when(use, { by: AGENT }).then("sign_in.used", "session.started");
    used.when({ ...use, session: { id: "s2", hash: "st" } }, { by: AGENT }).refused("not_allowed");
    made()
      .when(use, { by: AGENT, now: NOW + 100 })
      .refused("not_allowed");
    given().when(use, { by: AGENT }).refused("not_allowed");
  });

  test("a session ends once; ending it again or ending an unknown session changes nothing", () => {
    const started = made().when(use, { by: AGENT }).then("sign_in.used", "session.started");
    const ended = started.when({ kind: "end_session", hash: "ss" }, { now: NOW + 7 }).then("session.ended");
    expect(ended.get("session", "ss")?.endedAt).toBe(NOW + 7);
    ended.when({ kind: "end_session", hash: "ss" }, { now: NOW + 8 }).then();
    given().when({ kind: "end_session", hash: "ss" }).then();
  });
});

describe("webhooks", () => {
  const put = (part: Partial<Webhook> = {}) =>
    ({ kind: "put_webhook", webhook: { ...webhook, ...part } }) as const;
  const made = () => given().when(put(), { by }).then("webhook.made", "workspace.changed");

  test("a new webhook is copied into the workspace settings, so that every command knows which endpoints listen", () => {
    expect(made().get("workspace", "settings")).toEqual({
      webhooks: [{ id: "w1", events: ["hold.decided"], lane: "a.test" }],
    });
    const two = made()
      .when(put({ id: "w2", events: [] }), { by })
      .then("webhook.made", "workspace.changed");
    expect(two.get("workspace", "settings")?.webhooks.map(({ id }) => id)).toEqual(["w1", "w2"]);
  });

  test("a changed webhook changes in the settings too, and a disabled webhook is left out of them", () => {
    const changed = made()
      .when(put({ events: ["hold.expired"] }), { by, now: NOW + 5 })
      .then("webhook.changed", "workspace.changed");
    expect(changed.get("workspace", "settings")?.webhooks).toEqual([
      { id: "w1", events: ["hold.expired"], lane: "a.test" },
    ]);
    expect(changed.get("webhook", "w1")?.madeAt).toBe(NOW);
    const off = made()
      .when(put({ disabledAt: 5 }), { by })
      .then("webhook.changed", "workspace.changed");
    expect(off.get("workspace", "settings")?.webhooks).toEqual([]);
  });

  test("attack 11: the settings, which every command loads, have at most 100 webhooks, and an old one can still be changed (G13)", () => {
    const webhooks = Array.from({ length: WEBHOOKS_MAX }, (_, n) => ({ id: `w${n}`, events: [] }));
    const settings = { kind: "workspace", id: "settings", body: { webhooks } } as const;
    given(settings)
      .when(put({ id: "one-more" }), { by })
      .refused("too_many_webhooks");
    given(settings, { kind: "webhook", id: "w1", body: { ...webhook, madeAt: NOW } })
      .when(put(), { by })
      .then("webhook.changed", "workspace.changed");
    given({ ...settings, body: { webhooks: webhooks.slice(1) } })
      .when(put({ id: "one-more" }), { by })
      .then("webhook.made", "workspace.changed");
  });

  test("a removed webhook disappears from the settings too, and cannot be removed twice", () => {
    const gone = made()
      .when({ kind: "remove_webhook", webhookId: "w1" }, { by })
      .then("webhook.removed", "workspace.changed");
    expect(gone.get("webhook", "w1")).toBeUndefined();
    expect(gone.get("workspace", "settings")?.webhooks).toEqual([]);
    gone.when({ kind: "remove_webhook", webhookId: "w1" }, { by }).refused("not_found");
  });
});

test("setting and unsetting the retention leaves the webhooks unchanged", () => {
  const webhooks = [{ id: "w1", events: [] }];
  const start = given({ kind: "workspace", id: "settings", body: { webhooks } });
  const set = start.when({ kind: "set_retention", retainMs: 5 }, { by }).then("workspace.changed");
  expect(set.get("workspace", "settings")).toEqual({ webhooks, retainMs: 5 });
  const unset = set.when({ kind: "set_retention", retainMs: null }, { by }).then("workspace.changed");
  expect(unset.get("workspace", "settings")).toEqual({ webhooks });
});

test("forbidding inline answers and allowing them again leaves the webhooks unchanged", () => {
  const webhooks = [{ id: "w1", events: [] }];
  const start = given({ kind: "workspace", id: "settings", body: { webhooks } });
  const forbidden = start.when({ kind: "set_inline", allowed: false }, { by }).then("workspace.changed");
  expect(forbidden.get("workspace", "settings")).toEqual({ webhooks, noInline: true });
  const allowed = forbidden.when({ kind: "set_inline", allowed: true }, { by }).then("workspace.changed");
  expect(allowed.get("workspace", "settings")).toEqual({ webhooks });
});

test("a signing key is published and later retired under the same id", () => {
  const made = given()
    .when({ kind: "put_signing_key", key: signingKey }, { by: SYSTEM })
    .then("signing_key.made");
  const retired = { ...signingKey, retiredAt: 9 };
  const after = made
    .when({ kind: "put_signing_key", key: retired }, { by: SYSTEM })
    .then("signing_key.retired");
  expect(after.get("signing_key", "sk1")).toEqual(retired);
});

test("storing the same checkpoint twice writes it once", () => {
  const kept = given().when({ kind: "keep_checkpoint", checkpoint }, { by: SYSTEM }).then("checkpoint.made");
  expect(kept.get("checkpoint", "cp_1")).toEqual(checkpoint);
  kept.when({ kind: "keep_checkpoint", checkpoint }, { by: SYSTEM }).then();
});
