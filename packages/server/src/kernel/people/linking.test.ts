import { describe, expect, test } from "vitest";
import { ADMIN, DEV, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { type Given, given } from "../../testing/given.ts";
import { asLogged, type Recorded } from "../../testing/tables.ts";
import { FRESH_MS } from "../access/fresh.ts";
import { messageAbout } from "../message.ts";
import { NO_PLATFORM } from "../platform.ts";
import { SYSTEM } from "../principal.ts";
import type { SealedEvent } from "../record.ts";
import { accountCode, readCode } from "./account-code.ts";
import { PEOPLE_FACTS } from "./facts.ts";
import { ACCOUNT_CODE_MS, type Account, type Person } from "./person.ts";

function person(id: string, part: Partial<Person> = {}) {
  const body: Person = {
    ...{ id, name: id, role: "operator", teams: [], accounts: [], status: "active" },
    ...{ isVerified: true, source: "api", madeAt: 0 },
    ...part,
  };
  return { kind: "person", id, body } as const;
}

const T1 = { platform: "telegram", userId: "1" };
const people = (...more: readonly ReturnType<typeof person>[]) =>
  given(person("ada"), person("root", { role: "admin" }), ...more);
const link = (personId: string, account = T1) => ({ kind: "link_account", personId, account }) as const;
const unlink = (personId: string, account = T1) => ({ kind: "unlink_account", personId, account }) as const;
const make = (personId: string) => ({ kind: "make_account_code", personId, hash: "c1" }) as const;
const use = (account = T1) => ({ kind: "use_account_code", hash: "c1", account }) as const;

describe("an admin links an account", () => {
  test("and that is recorded, with who did it", () => {
    const after = people().when(link("ada"), { by: ADMIN }).then("person.account_linked");
    expect(after.get("person", "ada")?.accounts).toMatchObject([{ ...T1, linkedBy: "key:root" }]);
    expect(after.facts[0]?.fact).toMatchObject({ isForPerson: true });
    after.when(link("ada"), { by: ADMIN }).then();
    after.when(link("root"), { by: ADMIN }).refused("already_exists");
    people().when(link("nobody"), { by: ADMIN }).refused("not_found");
  });

  test("but never one of their own to somebody else, not even after unlinking it", () => {
    const own = people().when(link("root"), { by: ADMIN }).then("person.account_linked");
    expect(own.facts[0]?.fact).not.toHaveProperty("isForPerson");
    const free = own.when(unlink("root"), { by: ADMIN }).then("person.account_unlinked");
    free.when(link("ada"), { by: ADMIN }).refused("not_allowed");
    free.when(link("ada"), { by: DEV }).then("person.account_linked");
    const again = free.when(link("root"), { by: ADMIN }).then("person.account_linked");
    const twice = again.when(unlink("root"), { by: ADMIN }).then("person.account_unlinked");
    expect(twice.get("former_account", "telegram\n\n1")).toEqual({ people: ["root"] });
  });
});

describe("unlinking", () => {
  test("is for the person and for admins", () => {
    const rows = people().when(link("ada"), { by: ADMIN }).then("person.account_linked");
    rows.when(unlink("root"), { by: OPERATOR }).refused("not_allowed");
    rows.when(unlink("ada", { ...T1, userId: "9" }), { by: OPERATOR }).refused("not_found");
    rows.when(unlink("nobody"), { by: ADMIN }).refused("not_found");
    const after = rows.when(unlink("ada"), { by: OPERATOR }).then("person.account_unlinked");
    expect(after.get("account", "telegram\n\n1")).toBeUndefined();
    expect(after.get("person", "ada")?.accounts).toEqual([]);
  });
});

describe("a code", () => {
  const made = (): Given => people().when(make("ada"), { by: OPERATOR }).then("account_code.made");
  const asServer = { by: SYSTEM, now: NOW };

  test("is made by a person for themselves only", () => {
    expect(made().get("account_code", "c1")).toEqual({
      personId: "ada",
      madeAt: NOW,
      expiresAt: NOW + ACCOUNT_CODE_MS,
    });
    people().when(make("ada"), { by: ADMIN }).refused("not_allowed");
    people().when(make("ada"), { by: DEV }).refused("not_allowed");
    given().when(make("ada"), { by: OPERATOR }).refused("not_found");
  });

  test("needs a fresh sign-in in the console, so that a console left open links nobody's account", () => {
    const ada = { ...OPERATOR, via: "session", signedInAt: NOW - FRESH_MS + 1 } as const;
    people().when(make("ada"), { by: ada }).then("account_code.made");
    people()
      .when(make("ada"), { by: { ...ada, signedInAt: NOW - FRESH_MS } })
      .refused("fresh_sign_in_required");
  });

  test("links the account that sends it, once", () => {
    const after = made().when(use(), asServer).then("account_code.over", "person.account_linked");
    expect(after.get("person", "ada")?.accounts).toMatchObject([{ ...T1, linkedBy: "channel:ada" }]);
    expect(after.facts[1]?.fact).not.toHaveProperty("isForPerson");
    after.when(use(), asServer).refused("not_found");
    const again = after.when(make("ada"), { by: OPERATOR }).then("account_code.made");
    again.when(use(), asServer).then("account_code.over");
  });

  test("is refused when it is old, when the account is somebody else's, and for a suspended or erased person", () => {
    made()
      .when(use(), { by: SYSTEM, now: NOW + ACCOUNT_CODE_MS })
      .refused("not_found");
    const taken = made().when(link("root"), { by: ADMIN }).then("person.account_linked");
    taken.when(use(), asServer).refused("already_exists");
    const suspended = made()
      .when({ kind: "change_person", personId: "ada", patch: { status: "suspended" } }, { by: ADMIN })
      .then("person.suspended");
    suspended.when(use(), asServer).refused("not_allowed");
    const erased = made()
      .when({ kind: "erase_person", personId: "ada" }, { by: ADMIN })
      .then("person.erased");
    erased.when(use(), asServer).refused("not_found");
    made().when(use(), { by: OPERATOR }).refused("not_allowed");
  });

  test("of an auditor links the auditor's account", () => {
    const code = {
      kind: "account_code",
      id: "c1",
      body: { personId: "kay", madeAt: 0, expiresAt: NOW + 1 },
    } as const;
    const rows = given(person("kay", { role: "auditor" }), code);
    const after = rows.when(use(), asServer).then("account_code.over", "person.account_linked");
    expect(after.facts[1]?.fact).not.toHaveProperty("isForPerson");
  });

  test("is not in the log, neither when it is made nor when it is over; the link that it makes is", () => {
    const after = made().when(use(), asServer).then("account_code.over", "person.account_linked");
    const [code] = people().when(make("ada"), { by: OPERATOR }).then("account_code.made").facts;
    const logged = [code as Recorded, ...after.facts].map((fact) => asLogged(fact)?.data ?? null);
    expect(logged).toEqual([null, null, { person_id: "ada", platform: "telegram" }]);
  });

  test("is dropped when its time is over", () => {
    const drop = { kind: "drop_account_code", hash: "c1" } as const;
    made().when(drop, asServer).then();
    made()
      .when(drop, { by: SYSTEM, now: NOW + ACCOUNT_CODE_MS })
      .then("account_code.over");
    given().when(drop, asServer).then();
  });

  test("is short, has no letter that is easily misread, and is read in any of its forms", () => {
    const code = accountCode("Ab9-_zZ01qwertyuiop");
    expect(code).toMatch(/^[2-9a-hj-kmnp-tv-z]{12}$/);
    for (const text of [code, `/start ${code}`, `/start@bot ${code}`, ` link ${code.toUpperCase()} `])
      expect(readCode(text)).toBe(code);
    for (const text of ["hello", "/start", "", "0".repeat(12)]) expect(readCode(text)).toBeUndefined();
  });
});

test("a person is told by every way that reaches them when somebody else links an account, and of which account", () => {
  const event = { ...messageEvent(), stream: "person:ada" };
  const account: Account = { ...T1, at: 1, linkedBy: "key:root" };
  const { body } = person("ada", { email: "ada@example.com", accounts: [account] });
  const record = (isForPerson?: true) =>
    ({
      ...{ kind: "person", id: "ada", at: 1, actor: "key:root" },
      fact: { type: "person.account_linked", person: body, account, ...(isForPerson && { isForPerson }) },
    }) as const;
  const kinds = { mail: "email", tg: "telegram", sl: "slack" };
  const platform = { ...NO_PLATFORM, notify: { ...NO_PLATFORM.notify, kinds } };
  const spec = PEOPLE_FACTS["person.account_linked"];
  const rows = spec.messages?.(record(true), event, undefined as never, platform, 0) ?? [];
  expect(rows.map(({ kind, endpoint, holdId }) => [kind, endpoint, holdId])).toEqual([
    ["tell", "mail", null],
    ["tell", "tg", null],
  ]);
  const named = { platform: "telegram", user_id: "1" };
  expect(rows[0]?.detail).toEqual({
    ...{ person: "ada", about: "account_linked" },
    account: { ...named, linked_by: "key:root" },
  });
  const elsewhere = {
    ...record(true),
    fact: { ...record(true).fact, account: { ...T1, tenant: "T", at: 1 } },
  };
  const [other] = spec.messages?.(elsewhere, event, undefined as never, platform, 0) ?? [];
  expect(other?.detail).toMatchObject({ account: { ...named, tenant: "T" } });
  expect(spec.messages?.(record(), event, undefined as never, platform, 0)).toEqual([]);
  expect(spec.messages?.(record(true), event, undefined as never, NO_PLATFORM, 0)).toEqual([]);
  expect(spec.log(record(true).fact)).toEqual({
    person_id: "ada",
    platform: "telegram",
    linked_by: "key:root",
  });
  const { linkedBy: _none, ...bare } = account;
  expect(spec.log({ ...record(true).fact, account: bare })).toMatchObject({ linked_by: "" });
});

function messageEvent(): SealedEvent {
  const event = { workspace: "w", stream: "s", seq: 1, type: "t", at: 1, actor: "a", audience: null };
  const sealed = { ...event, data: "{}", previous: "", hash: "" };
  expect(messageAbout(sealed, "x", "tell", "e", "l", {}).kind).toBe("tell");
  return sealed;
}
