import { describe, expect, test } from "vitest";
import { ADMIN, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { personRow, signedIn, teamRow } from "../../testing/people.ts";
import { asLogged } from "../../testing/tables.ts";
import { SYSTEM } from "../principal.ts";
import type { Granted, PersonPatch, SignInByAccount } from "./commands.ts";
import { accountId, emailAccountId, keepsSession } from "./person.ts";

const ACCOUNT = { platform: "oidc", tenant: "https://id.example", userId: "sub-1" };
const OIDC = {
  ...{ provider: "corp", issuer: "https://id.example", subject: "sub-1", sid: "sid-1" },
  ...{ authenticatedAt: 500, acr: "2", amr: ["pwd"] },
};
const owned = (personId: string) =>
  ({ kind: "account", id: accountId(ACCOUNT), body: { personId } }) as const;
const granted = (part: Partial<Granted> = {}): Granted => ({
  ...{ role: "operator", teams: [], mappedTeams: [], ...part },
});
const signIn = (part: Partial<SignInByAccount> = {}) =>
  ({
    ...{ kind: "sign_in_by_account", account: ACCOUNT, newPerson: { id: "oidc-1", name: "Ada" } },
    ...{ session: { id: "s1", hash: "h" }, oidc: OIDC, lastsMs: 1_000, ...part },
  }) as SignInByAccount;
const by = { by: SYSTEM };

describe("signing in with an account", () => {
  test("signs in the person it is linked to, with their role, and records how the provider proved it", () => {
    const start = given(personRow("ada", { role: "admin" }), owned("ada"));
    const after = start.when(signIn(), by).then("session.started");
    expect(after.get("session", "h")).toEqual({
      ...{ id: "s1", hash: "h", name: "ada", role: "admin", how: "oidc", oidc: OIDC },
      ...{ madeAt: NOW, expiresAt: NOW + 1_000 },
    });
    const { data } = asLogged(after.facts[0] as never) ?? {};
    expect(data).toEqual({
      ...{ session_id: "s1", name: "ada", role: "admin", how: "oidc", provider: "corp" },
      ...{ auth_time: "1970-01-01T00:00:00.500Z", acr: "2", amr: ["pwd"] },
    });
    const silent = { provider: "corp", issuer: OIDC.issuer, subject: "sub-1" };
    const said = start.when(signIn({ oidc: silent }), by).then("session.started");
    expect(asLogged(said.facts[0] as never)?.data).not.toHaveProperty("auth_time");
  });

  test("is refused for an account of nobody, unless a group gives a role", () => {
    given().when(signIn(), by).refused("not_allowed");
    given()
      .when(signIn({ granted: null }), by)
      .refused("not_allowed");
    const after = given()
      .when(signIn({ granted: granted({ role: "auditor" }) }), by)
      .then("person.added", "person.account_linked", "session.started");
    expect(after.get("person", "oidc-1")).toMatchObject({
      ...{ name: "Ada", role: "auditor", source: "oidc", isVerified: true, status: "active" },
      accounts: [{ ...ACCOUNT, linkedBy: "system", at: NOW }],
    });
    expect(after.get("account", accountId(ACCOUNT))).toEqual({ personId: "oidc-1" });
  });

  test("gives a new person the verified address, unless somebody else has it: the address never finds the person", () => {
    const newPerson = { id: "oidc-1", name: "Ada", email: "ada@example.com" };
    const command = signIn({ granted: granted(), newPerson });
    const free = given().when(command, by).then("person.added", "person.account_linked", "session.started");
    expect(free.get("person", "oidc-1")?.email).toBe("ada@example.com");
    const taken = {
      kind: "account",
      id: emailAccountId("ada@example.com"),
      body: { personId: "ada" },
    } as const;
    const after = given(personRow("ada", { email: "ada@example.com" }), taken)
      .when(command, by)
      .then("person.added", "person.account_linked", "session.started");
    expect(after.get("person", "oidc-1")?.email).toBeUndefined();
    expect(after.get("session", "h")?.name).toBe("oidc-1");
  });

  test("reads role and teams again each time; teams that no group decides about stay", () => {
    const start = given(
      personRow("ada", { teams: ["finance", "climbing"] }),
      ...[teamRow("finance", ["ada"]), teamRow("climbing", ["ada"]), teamRow("ops", []), owned("ada")],
    );
    const now = granted({ role: "admin", teams: ["ops", "gone"], mappedTeams: ["ops", "finance", "gone"] });
    const after = start
      .when(signIn({ granted: now }), by)
      .then("person.changed", "team.changed", "team.changed", "session.started");
    expect(after.get("person", "ada")).toMatchObject({ role: "admin", teams: ["climbing", "ops"] });
    expect(after.get("team", "finance")?.members).toEqual([]);
    expect(after.get("session", "h")).toMatchObject({ role: "admin" });
    expect(keepsSession(after.get("person", "ada"), NOW)).toBe(true);
    expect(keepsSession(after.get("person", "ada"), NOW - 1)).toBe(false);
    const again = signIn({ granted: now, session: { id: "s2", hash: "h2" } });
    after.when(again, by).then("session.started");
  });

  test("without any mapped group is refused, and ends the sessions that the person still has", () => {
    const after = given(personRow("ada"), owned("ada"))
      .when(signIn({ granted: null }), by)
      .refused("not_allowed", "person.sessions_ended");
    expect(keepsSession(after.get("person", "ada"), NOW)).toBe(false);
  });

  test("without any mapped group suspends somebody whose role came from the groups, and a mapped group restores them", () => {
    const withGroup = signIn({ granted: granted({ role: "admin" }) });
    const admin = given(personRow("ada"), personRow("root", { role: "admin" }), owned("ada"))
      .when(withGroup, by)
      .then("person.changed", "session.started");
    expect(admin.get("person", "ada")?.roleFrom).toBe(OIDC.issuer);
    const lost = admin
      .when(signIn({ granted: null, otherAdmins: ["root"] }), by)
      .refused("not_allowed", "person.suspended");
    expect(lost.get("person", "ada")).toMatchObject({ status: "suspended", suspendedBy: "groups" });
    expect(asLogged(lost.facts[0] as never)?.data).toMatchObject({ suspended_by: "groups" });
    lost.when(signIn({ granted: null }), by).refused("not_allowed");
    lost.when(signIn(), by).refused("not_allowed");
    const again = signIn({ granted: granted(), session: { id: "s2", hash: "h2" } });
    const back = lost.when(again, by).then("person.restored", "session.started");
    expect(back.get("person", "ada")).toMatchObject({ status: "active", role: "operator" });
    expect(back.get("person", "ada")).not.toHaveProperty("suspendedBy");
  });

  test.each([
    ["there is no other", []],
    ["the other one is suspended", [personRow("root", { role: "admin", status: "suspended" })]],
    ["the other one is no admin any more", [personRow("root")]],
    ["the other one was erased", [personRow("root", { role: "admin", erasedAt: 1 })]],
  ])("no groups take the role of the last admin: %s", (_which, rows) => {
    const ada = personRow("ada", { role: "admin", source: "oidc", roleFrom: OIDC.issuer });
    const start = given(ada, ...rows, owned("ada"));
    const otherAdmins = rows.map(({ id }) => id);
    const lost = start
      .when(signIn({ granted: null, otherAdmins }), by)
      .refused("not_allowed", "person.sessions_ended");
    expect(lost.get("person", "ada")).toMatchObject({ status: "active", role: "admin" });
    expect(keepsSession(lost.get("person", "ada"), NOW)).toBe(false);
    expect(asLogged(lost.facts[0] as never)?.data).toEqual({ person_id: "ada", kept: "last_admin" });
    const less = start
      .when(signIn({ granted: granted(), otherAdmins }), by)
      .then("person.sessions_ended", "session.started");
    expect(less.get("person", "ada")).toMatchObject({ status: "active", role: "admin" });
    expect(less.get("session", "h")).toMatchObject({ role: "operator" });
    expect(keepsSession(less.get("person", "ada"), less.get("session", "h")?.madeAt ?? 0)).toBe(true);
    start.when(signIn({ granted: granted({ role: "admin" }) }), by).then("session.started");
  });

  test("without any mapped group suspends a person whom an earlier version added for the groups", () => {
    given(personRow("ada", { source: "oidc" }), owned("ada"))
      .when(signIn({ granted: null }), by)
      .refused("not_allowed", "person.suspended");
  });

  test("without any mapped group leaves a role that another provider or an admin gave", () => {
    given(personRow("ada", { roleFrom: "https://other.example", source: "oidc" }), owned("ada"))
      .when(signIn({ granted: null }), by)
      .refused("not_allowed", "person.sessions_ended");
    const change = (patch: PersonPatch) => ({ kind: "change_person", personId: "ada", patch }) as const;
    const start = given(personRow("ada", { roleFrom: OIDC.issuer, source: "oidc" }), owned("ada"));
    const renamed = start
      .when(change({ name: "Ada", role: "operator" }), { by: ADMIN })
      .then("person.changed");
    expect(renamed.get("person", "ada")?.roleFrom).toBe(OIDC.issuer);
    const raised = start.when(change({ role: "admin" }), { by: ADMIN }).then("person.changed");
    raised.when(signIn({ granted: null }), by).refused("not_allowed", "person.sessions_ended");
    const lost = start.when(signIn({ granted: null }), by).refused("not_allowed", "person.suspended");
    const restored = lost.when(change({ status: "active" }), { by: ADMIN }).then("person.restored");
    expect(restored.get("person", "ada")).not.toHaveProperty("suspendedBy");
    restored.when(signIn({ granted: null }), by).refused("not_allowed", "person.sessions_ended");
    const kept = lost.when(change({ status: "suspended" }), { by: ADMIN }).then("person.changed");
    kept.when(signIn({ granted: granted() }), by).refused("not_allowed");
  });

  test("takes the votes of somebody whose groups now make them an auditor", () => {
    const after = given(personRow("ada"), owned("ada"), {
      kind: "voter",
      id: "ada",
      body: { holds: [] },
    } as const)
      .when(signIn({ granted: granted({ role: "auditor" }) }), by)
      .then("person.changed", "session.started");
    expect(after.get("session", "h")?.role).toBe("auditor");
  });

  test("is refused for a suspended person, and for an erased one who comes again", () => {
    given(personRow("ada", { status: "suspended" }), owned("ada"))
      .when(signIn(), by)
      .refused("not_allowed");
    given(personRow("oidc-1", { erasedAt: 1, status: "suspended" }))
      .when(signIn({ granted: granted() }), by)
      .refused("not_allowed");
  });
});

describe("accounts", () => {
  const link = { kind: "link_account", personId: "ada", account: ACCOUNT } as const;
  const unlink = { kind: "unlink_account", personId: "ada", account: ACCOUNT } as const;

  test("are linked by the person if the platform confirmed it, and otherwise by admins only", () => {
    const start = given(personRow("ada"));
    start.when({ ...link, isProven: true }, { by: signedIn("ada") }).then("person.account_linked");
    start.when({ ...link, isProven: true }, { by: signedIn("grace") }).refused("not_allowed");
    start.when(link, { by: signedIn("ada") }).refused("not_allowed");
    start.when(link, { by: ADMIN }).then("person.account_linked");
  });

  test("are unlinked by the person and by admins, and then find nobody", () => {
    const linked = given(personRow("ada")).when(link, { by: ADMIN }).then("person.account_linked");
    linked.when(unlink, { by: signedIn("grace") }).refused("not_allowed");
    for (const who of [OPERATOR, ADMIN]) {
      const after = linked.when(unlink, { by: who }).then("person.account_unlinked");
      expect(after.get("account", accountId(ACCOUNT))).toBeUndefined();
      expect(after.get("person", "ada")?.accounts).toEqual([]);
      after.when(unlink, { by: who }).refused("not_found");
      expect(asLogged(after.facts[0] as never)?.data).toEqual({ person_id: "ada", platform: "oidc" });
    }
    given().when(unlink, { by: ADMIN }).refused("not_found");
  });
});
