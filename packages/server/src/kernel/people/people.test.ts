import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, AUDITOR, DEV, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { type BareCommand, given } from "../../testing/given.ts";
import { logData } from "../../testing/tables.ts";
import { FRESH_MS } from "../access/fresh.ts";
import { SYSTEM } from "../principal.ts";
import type { PersonPatch } from "./commands.ts";
import { accountId, canCount, emailAccountId, isAway, type Person, personIdOf, type Team } from "./person.ts";

const by = ADMIN;

function person(id: string, part: Partial<Person> = {}): Person {
  return {
    ...{ id, name: id, role: "operator", teams: [], accounts: [], status: "active", isVerified: true },
    ...{ source: "api", madeAt: 0, ...part },
  };
}

function row(body: Person) {
  return { kind: "person", id: body.id, body } as const;
}

function team(id: string, members: readonly string[]) {
  const body: Team = { id, name: id, members, source: "api", madeAt: 0 };
  return { kind: "team", id, body } as const;
}

const add = (part: Partial<Person> = {}) => {
  const { accounts: _a, status: _s, madeAt: _m, ...rest } = person("ada", { name: "Ada Park", ...part });
  return { kind: "add_person", person: rest } as const;
};
const change = (patch: PersonPatch, personId = "ada") =>
  ({ kind: "change_person", personId, patch }) as const;
const slack = { platform: "slack", tenant: "T1", userId: "U1" } as const;
const link = { kind: "link_account", personId: "ada", account: slack } as const;

const MANAGING: readonly BareCommand[] = [
  add(),
  change({ name: "Ada" }),
  link,
  { kind: "erase_person", personId: "ada" },
  { kind: "add_team", team: { id: "finance", name: "Finance", members: [], source: "api" } },
  { kind: "change_team", teamId: "finance", patch: {} },
  { kind: "remove_team", teamId: "finance" },
];

describe.each(MANAGING)("the command $kind", (command) => {
  test.each([AGENT, { ...OPERATOR, name: "grace" }, AUDITOR])("is refused for the role $role", (stranger) => {
    given(row(person("ada")), team("finance", []))
      .when(command, { by: stranger })
      .refused("not_allowed");
  });

  test.each([ADMIN, DEV, SYSTEM])("is accepted from the role $role", (manager) => {
    const { reply } = given().when(command, { by: manager }).step.decision;
    expect(reply.ok || reply.failure.code).not.toBe("not_allowed");
  });
});

describe("adding a person", () => {
  test("adds a row, a row that finds the person by address, and the membership in the team's row", () => {
    const start = given(team("finance", ["grace"]));
    const command = add({ email: "Ada@Example.com", teams: ["finance"] });
    const after = start.when(command, { by }).then("person.added", "team.changed");
    expect(after.get("person", "ada")).toMatchObject({ status: "active", teams: ["finance"], madeAt: NOW });
    expect(after.get("account", emailAccountId("ada@example.com"))).toEqual({ personId: "ada" });
    expect(after.get("team", "finance")?.members).toEqual(["grace", "ada"]);
  });

  test("is refused for an id, an address or a team that cannot be", () => {
    given(row(person("ada")))
      .when(add(), { by })
      .refused("already_exists");
    const grace = row(person("grace"));
    const taken = { kind: "account", id: emailAccountId("a@b"), body: { personId: "grace" } } as const;
    given(grace, taken)
      .when(add({ email: "A@b" }), { by })
      .refused("already_exists");
    given()
      .when(add({ teams: ["finance"] }), { by })
      .refused("unknown_team");
  });
});

describe("changing a person", () => {
  const ada = person("ada", { email: "a@b", teams: ["finance"], timeZone: "Europe/Berlin" });
  const start = () =>
    given(
      row(ada),
      row(person("grace")),
      { kind: "account", id: emailAccountId("a@b"), body: { personId: "ada" } },
      team("finance", ["ada"]),
      team("legal", []),
    );

  test("null removes a setting, and what is not named stays", () => {
    const after = start()
      .when(change({ timeZone: null, language: "de" }), { by })
      .then("person.changed");
    const { timeZone: _gone, ...rest } = ada;
    expect(after.get("person", "ada")).toEqual({ ...rest, language: "de" });
  });

  test("a new address finds the person and the old one finds nobody", () => {
    const after = start()
      .when(change({ email: "new@b" }), { by })
      .then("person.changed");
    expect(after.get("account", emailAccountId("a@b"))).toBeUndefined();
    expect(after.get("account", emailAccountId("new@b"))).toEqual({ personId: "ada" });
    const gone = after.when(change({ email: null }), { by }).then("person.changed");
    expect(gone.get("account", emailAccountId("new@b"))).toBeUndefined();
  });

  test("new teams are written to the rows of the old and of the new teams", () => {
    const after = start()
      .when(change({ teams: ["legal"] }), { by })
      .then("person.changed", "team.changed", "team.changed");
    expect(after.get("team", "finance")?.members).toEqual([]);
    expect(after.get("team", "legal")?.members).toEqual(["ada"]);
  });

  test("the log says when somebody is suspended, restored or confirmed", () => {
    const suspended = start()
      .when(change({ status: "suspended" }), { by })
      .then("person.suspended");
    suspended.when(change({ status: "active" }), { by }).then("person.restored");
    given(row(person("ada", { isVerified: false })))
      .when(change({ isVerified: true }), { by })
      .then("person.confirmed");
    start()
      .when(change({ isVerified: false }), { by })
      .then("person.changed");
  });

  test("a change that changes nothing states nothing", () => {
    start()
      .when(change({ email: "a@b", teams: ["finance"] }), { by })
      .then();
  });

  test("people set their own absence, time zone and language, and nothing else", () => {
    const absence = { from: 1, until: 5, delegate: "grace" };
    const mine = { absence, timeZone: "Asia/Tokyo", language: "ja" };
    start().when(change(mine), { by: OPERATOR }).then("person.changed");
    start()
      .when(change({ ...mine, role: "admin" }), { by: OPERATOR })
      .refused("not_allowed");
    start().when(change(mine, "grace"), { by: OPERATOR }).refused("not_allowed");
  });

  test("a person names a delegate only after a fresh sign-in, because somebody else gains votes", () => {
    const old = { ...OPERATOR, via: "session", signedInAt: NOW - FRESH_MS } as const;
    const away = { from: 1, until: 5 };
    const withDelegate = change({ absence: { ...away, delegate: "grace" } });
    start().when(withDelegate, { by: old }).refused("fresh_sign_in_required");
    start()
      .when(withDelegate, { by: { ...old, signedInAt: NOW } })
      .then("person.changed");
    start()
      .when(change({ absence: away }), { by: old })
      .then("person.changed");
    start()
      .when(change({ absence: null, timeZone: "Asia/Tokyo" }), { by: old })
      .then("person.changed");
  });

  test("a delegate is another person who exists", () => {
    const to = (delegate: string) => change({ absence: { from: 1, until: 2, delegate } });
    start().when(to("ada"), { by }).refused("unknown_person");
    start().when(to("nobody"), { by }).refused("unknown_person");
    start()
      .when(change({ absence: { from: 1, until: 2 } }), { by })
      .then("person.changed");
  });

  test("somebody who does not exist or was erased cannot be changed", () => {
    given()
      .when(change({ name: "x" }), { by })
      .refused("not_found");
    given(row(person("ada", { erasedAt: 1 })))
      .when(change({ name: "x" }), { by })
      .refused("not_found");
  });
});

describe("accounts", () => {
  test("an account finds one person, and linking it again changes nothing", () => {
    const linked = given(row(person("ada")), row(person("grace")))
      .when(link, { by })
      .then("person.account_linked");
    expect(linked.get("account", accountId(slack))).toEqual({ personId: "ada" });
    expect(linked.get("person", "ada")?.accounts).toEqual([{ ...slack, linkedBy: "key:root", at: NOW }]);
    linked.when(link, { by }).then();
    linked.when({ ...link, personId: "grace" }, { by }).refused("already_exists");
    given().when(link, { by }).refused("not_found");
  });
});

describe("erasing a person", () => {
  test("leaves a pseudonym, the id and the log, and frees address, accounts and teams", () => {
    const start = given(team("finance", [])).when(add({ email: "a@b", teams: ["finance"] }), { by });
    const linked = start
      .then("person.added", "team.changed")
      .when(link, { by })
      .then("person.account_linked");
    const erase = { kind: "erase_person", personId: "ada" } as const;
    const erased = linked.when(erase, { by }).then("person.erased", "team.changed");
    const left = erased.get("person", "ada");
    expect(left).toMatchObject({ id: "ada", status: "suspended", teams: [], accounts: [], erasedAt: NOW });
    expect(left?.name).toMatch(/^erased-/);
    expect(left?.email).toBeUndefined();
    expect(erased.get("account", accountId(slack))).toBeUndefined();
    expect(erased.get("account", emailAccountId("a@b"))).toBeUndefined();
    expect(erased.get("team", "finance")?.members).toEqual([]);
    erased.when(erase, { by }).then();
    given().when(erase, { by }).refused("not_found");
  });
});

describe("teams", () => {
  const make = (...members: readonly string[]) =>
    ({ kind: "add_team", team: { id: "finance", name: "Finance", members, source: "api" } }) as const;
  const people = [row(person("ada")), row(person("grace"))] as const;

  test("members list the team, and leave it when they are no longer named", () => {
    const made = given(...people)
      .when(make("ada", "grace"), { by })
      .then("team.added", "person.changed", "person.changed");
    expect(made.get("person", "ada")?.teams).toEqual(["finance"]);
    made.when(make(), { by }).refused("already_exists");
    const patch = { name: "Finance", members: ["grace"] };
    made.when({ kind: "change_team", teamId: "finance", patch: { name: "Fi" } }, { by }).then("team.changed");
    const fewer = made
      .when({ kind: "change_team", teamId: "finance", patch }, { by })
      .then("team.changed", "person.changed");
    expect(fewer.get("person", "ada")?.teams).toEqual([]);
    fewer.when({ kind: "change_team", teamId: "finance", patch }, { by }).then();
    const gone = fewer
      .when({ kind: "remove_team", teamId: "finance" }, { by })
      .then("team.removed", "person.changed");
    expect(gone.get("person", "grace")?.teams).toEqual([]);
    gone.when({ kind: "remove_team", teamId: "finance" }, { by }).refused("not_found");
    gone.when({ kind: "change_team", teamId: "finance", patch }, { by }).refused("not_found");
    gone.when(make("ada"), { by }).then("team.added", "person.changed");
  });

  test("a member who does not exist is refused", () => {
    given().when(make("ada"), { by }).refused("unknown_person");
    given(...people)
      .when(make(), { by })
      .then("team.added")
      .when({ kind: "change_team", teamId: "finance", patch: { members: ["eve"] } }, { by })
      .refused("unknown_person");
  });
});

describe("keys and people", () => {
  const key = { id: "k1", name: "ada", hash: "h", hint: "", callbackSecret: "s" };

  test("an operator's new key adds a person whom an admin has to confirm", () => {
    const make = { kind: "make_key", key: { ...key, role: "operator" } } as const;
    const made = given().when(make, { by }).then("person.added", "key.made");
    expect(made.get("person", "ada")).toMatchObject({ isVerified: false, source: "key", role: "operator" });
    expect(made.get("api_key", "k1")?.owner).toBe("root");
    given(row(person("ada")))
      .when(make, { by })
      .then("key.made");
    const owned = { kind: "make_key", key: { ...key, role: "agent", owner: "grace" } } as const;
    expect(given().when(owned, { by: DEV }).then("key.made").get("api_key", "k1")?.owner).toBe("grace");
  });

  test("keys of agents, apps, auditors and dev stand for nobody", () => {
    expect([AGENT, AUDITOR, DEV].map(personIdOf)).toEqual([undefined, undefined, undefined]);
    expect([OPERATOR, ADMIN].map(personIdOf)).toEqual(["ada", "root"]);
  });
});

test("a person counts only while active and confirmed, and never as an auditor", () => {
  expect(canCount(person("ada"))).toBe(true);
  expect(canCount(undefined)).toBe(false);
  for (const part of [{ status: "suspended" }, { isVerified: false }, { role: "auditor" }] as const)
    expect(canCount(person("ada", part))).toBe(false);
});

test("an absence begins with its first moment and is over at its last", () => {
  const ada = person("ada", { absence: { from: 10, until: 20 } });
  expect([9, 10, 19, 20].map((now) => isAway(ada, now))).toEqual([false, true, true, false]);
  expect(isAway(person("ada"), 10)).toBe(false);
});

test("the log stores ids and states of people, and no names, addresses or user ids (G9)", () => {
  const secret = "must-not-show";
  const account = { platform: "slack", userId: secret, at: 1 };
  const absence = { from: 1, until: 2, delegate: "grace" };
  const ada = person("ada", { name: secret, email: secret, accounts: [account], absence });
  const shown = {
    person_id: "ada",
    role: "operator",
    status: "active",
    verified: true,
    teams: [],
    source: "api",
  };
  expect(logData({ type: "person.added", person: ada })).toEqual({ ...shown, out_of_office: absence });
  expect(logData({ type: "person.added", person: person("ada") })).toEqual(shown);
  expect(logData({ type: "person.account_linked", person: ada, account })).toEqual({
    person_id: "ada",
    platform: "slack",
  });
  expect(logData({ type: "person.erased", person: ada })).toEqual({ person_id: "ada" });
  expect(logData({ type: "team.added", team: team("finance", ["ada"]).body })).toEqual({
    team_id: "finance",
    members: ["ada"],
    source: "api",
  });
});
