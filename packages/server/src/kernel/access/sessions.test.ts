import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, AUDITOR, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { bodyOf } from "../../testing/core-step.ts";
import { given } from "../../testing/given.ts";
import { personRow, samplePerson, signedIn } from "../../testing/people.ts";
import { asLogged } from "../../testing/tables.ts";
import { keepsSession } from "../people/person.ts";
import { type Principal, SYSTEM } from "../principal.ts";
import { oidcSidKey, oidcSubjectKey, provenAtOf, type Session } from "./access.ts";
import { FRESH_MS } from "./fresh.ts";

const OIDC = { provider: "corp", issuer: "https://id.example", subject: "1" } as const;

function sessionRow(part: Partial<Session> = {}) {
  const body: Session = {
    ...{ id: "session_1", hash: "h", name: "ada", role: "operator", madeAt: 0, expiresAt: NOW + 1, ...part },
  };
  return { kind: "session", id: body.hash, body } as const;
}

const close = { kind: "close_session", hash: "h" } as const;

describe("ending a session from elsewhere", () => {
  test.each<[string, Principal]>([
    ["its person's other session", signedIn("ada")],
    ["its person's key", OPERATOR],
    ["an admin", ADMIN],
    ["the server itself", SYSTEM],
  ])("is allowed for %s", (_who, by) => {
    const after = given(sessionRow()).when(close, { by }).then("session.ended");
    expect(after.get("session", "h")?.endedAt).toBe(NOW);
    after.when(close, { by }).then();
  });

  test("is refused for others, and for a session that does not exist", () => {
    given(sessionRow())
      .when(close, { by: signedIn("grace") })
      .refused("not_allowed");
    given(sessionRow({ name: "kay", role: "auditor" }))
      .when(close, { by: AUDITOR })
      .refused("not_allowed");
    given().when(close, { by: ADMIN }).refused("not_found");
  });

  test("is possible for an auditor who ends a session of their own", () => {
    const by: Principal = { ...signedIn("kay"), role: "auditor" };
    given(sessionRow({ name: "kay", role: "auditor" }))
      .when(close, { by })
      .then("session.ended");
  });
});

describe("a session that has expired", () => {
  const drop = { kind: "drop_session", hash: "h" } as const;

  test("is deleted by its timer, and not before", () => {
    const start = given(sessionRow());
    start.when(drop, { by: SYSTEM }).then();
    const after = start.when(drop, { by: SYSTEM, now: NOW + 1 }).then("session.expired");
    expect(after.get("session", "h")).toBeUndefined();
    after.when(drop, { by: SYSTEM, now: NOW + 1 }).then();
  });
});

describe("ending every session of a person", () => {
  const end = { kind: "end_sessions", personId: "ada" } as const;

  test.each([signedIn("ada"), OPERATOR, ADMIN])("is for the person and for admins: $role by $via", (by) => {
    const after = given(personRow("ada")).when(end, { by }).then("person.sessions_ended");
    const person = after.get("person", "ada");
    expect(keepsSession(person, NOW)).toBe(false);
    expect(keepsSession(person, NOW + 1)).toBe(true);
    expect(asLogged(after.facts[0] as never)?.data).toEqual({ person_id: "ada" });
  });

  test("does not end a session that begins after it in the same millisecond", () => {
    const ended = given(personRow("ada")).when(end, { by: ADMIN }).then("person.sessions_ended");
    const signIn = { hash: "sh", name: "ada", role: "operator" } as const;
    const link = ended.when({ kind: "make_sign_in", signIn, lastsMs: 9 }, { by: ADMIN }).then("sign_in.made");
    const use = { kind: "use_sign_in", hash: "sh", session: { id: "s1", hash: "ss" }, lastsMs: 9 } as const;
    const after = link.when(use, { by: AGENT }).then("sign_in.used", "session.started");
    expect(keepsSession(after.get("person", "ada"), after.get("session", "ss")?.madeAt ?? 0)).toBe(true);
  });

  test("is refused for others, and for somebody who does not exist", () => {
    given(personRow("ada"))
      .when(end, { by: signedIn("grace") })
      .refused("not_allowed");
    given().when(end, { by: ADMIN }).refused("not_found");
  });

  test("comes with a suspension and with another role, and not with another name", () => {
    const change = (patch: object) =>
      bodyOf(
        given(personRow("ada")).when({ kind: "change_person", personId: "ada", patch }, { by: ADMIN }).step
          .after,
        "person",
        "ada",
      );
    expect(keepsSession(change({ role: "admin" }), NOW)).toBe(false);
    expect(change({ status: "suspended" })?.sessionsFrom).toBe(NOW + 1);
    expect(keepsSession(change({ name: "Ada" }), 0)).toBe(true);
    expect(keepsSession(undefined, 0)).toBe(true);
    expect(keepsSession(samplePerson("ada", { status: "suspended" }), NOW)).toBe(false);
  });
});

describe("a sign-in link for a person's row", () => {
  const make = (part: object = {}) => ({
    ...({ kind: "make_sign_in", lastsMs: 1_000 } as const),
    signIn: { hash: "sh", name: "ada", role: "operator", isForPerson: true, how: "email", ...part } as const,
  });
  const use = { kind: "use_sign_in", hash: "sh", session: { id: "s1", hash: "ss" }, lastsMs: 9 } as const;

  test("starts a session with the role that the person has when it is used", () => {
    const made = given(personRow("ada")).when(make(), { by: ADMIN }).then("sign_in.made");
    const promoted = made
      .when({ kind: "change_person", personId: "ada", patch: { role: "admin" } }, { by: ADMIN })
      .then("person.changed");
    const used = promoted.when(use, { by: AGENT }).then("sign_in.used", "session.started");
    expect(used.get("session", "ss")).toMatchObject({ name: "ada", role: "admin", how: "email" });
    expect(asLogged(used.facts[1] as never)?.data).toMatchObject({ how: "email" });
  });

  test.each([
    ["is suspended", [personRow("ada", { status: "suspended" })]],
    ["was erased", [personRow("ada", { erasedAt: 1, status: "suspended" })]],
    ["does not exist", []],
  ] as const)("signs nobody in if the person %s", (_what, rows) => {
    given(...rows)
      .when(make(), { by: ADMIN })
      .then("sign_in.made")
      .when(use, { by: AGENT })
      .refused("not_allowed");
  });
});

describe("a dangerous setting", () => {
  const admin = (signedInAt: number): Principal => ({ ...signedIn("root"), role: "admin", signedInAt });
  const now = FRESH_MS + NOW;
  const key = { id: "k", name: "bot", role: "agent", hash: "h", hint: "", callbackSecret: "" } as const;
  const account = { platform: "slack", userId: "U1" };
  const set = { rules: [], default: "ask", mode: "enforce" } as const;
  const passkey = {
    ...{ id: "cred-1", personId: "ada", publicKey: "", counter: 0, transports: [] },
    ...{ relyingParty: "localhost", name: "", madeAt: 0 },
  };
  const rows = [
    personRow("ada", { accounts: [{ ...account, at: 0 }], passkeys: ["cred-1"] }),
    { kind: "passkey", id: "cred-1", body: passkey } as const,
  ];

  test.each([
    [{ kind: "make_key", key }],
    [{ kind: "add_person", person: { ...samplePerson("lin") } }],
    [{ kind: "change_person", personId: "ada", patch: { role: "admin" } }],
    [{ kind: "link_account", personId: "ada", account: { ...account, userId: "U2" } }],
    [{ kind: "unlink_account", personId: "ada", account }],
    [{ kind: "erase_person", personId: "ada" }],
    [{ kind: "add_team", team: { id: "x", name: "x", members: [], source: "api" } }],
    [{ kind: "publish_rules", set, source: "api" }],
    [{ kind: "remove_passkey", passkeyId: "cred-1" }],
    [{ kind: "put_webhook", webhook: { id: "w", url: "https://x.example", events: [], secrets: [] } }],
    [{ kind: "set_inline", allowed: false }],
    [{ kind: "make_sign_in", signIn: { hash: "s", name: "ada", role: "admin" }, lastsMs: 1 }],
  ] as const)("$kind needs a fresh sign-in in the console, and none with a key", (command) => {
    const start = given(...rows);
    start.when(command as never, { by: admin(NOW), now }).refused("fresh_sign_in_required");
    expect(start.when(command as never, { by: admin(NOW + 1), now }).step.decision.reply.ok).toBe(true);
    expect(start.when(command as never, { by: ADMIN, now }).step.decision.reply.ok).toBe(true);
  });

  test("a person's own absence, and ending sessions, need none", () => {
    const start = given(personRow("ada"), sessionRow({ expiresAt: now + 1 }));
    const by = signedIn("ada");
    const absence = { from: 0, until: 5 };
    start
      .when({ kind: "change_person", personId: "ada", patch: { absence } }, { by, now })
      .then("person.changed");
    start.when(close, { by, now }).then("session.ended");
    start.when({ kind: "end_sessions", personId: "ada" }, { by, now }).then("person.sessions_ended");
  });
});

describe("when a person last proved who they are", () => {
  test("is the start of a session, or what the identity provider said, never later than the session", () => {
    expect(provenAtOf({ madeAt: 5 })).toBe(5);
    expect(provenAtOf({ madeAt: 5, oidc: { ...OIDC, authenticatedAt: 3 } })).toBe(3);
    expect(provenAtOf({ madeAt: 5, oidc: { ...OIDC, authenticatedAt: 9 } })).toBe(5);
    expect(provenAtOf({ madeAt: 5, oidc: OIDC })).toBe(0);
  });

  test("sessions are found by subject and by the provider's session, of one issuer only", () => {
    expect(oidcSubjectKey(OIDC)).not.toBe(oidcSubjectKey({ ...OIDC, issuer: "https://other.example" }));
    expect(oidcSidKey("a", "1")).not.toBe(oidcSidKey("b", "1"));
  });
});
