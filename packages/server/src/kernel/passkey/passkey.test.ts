import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { ADMIN, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { personRow, signedIn } from "../../testing/people.ts";
import { asLogged, logData, timerOf, worldWith } from "../../testing/tables.ts";
import { FRESH_MS, whyNotFresh } from "../access/fresh.ts";
import { NO_PLATFORM } from "../platform.ts";
import { SYSTEM } from "../principal.ts";
import type { SealedEvent } from "../record.ts";
import type { AnyChange } from "../table.ts";
import type { Challenge, Passkey } from "./passkey.ts";

const fresh = { ...signedIn("ada"), signedInAt: NOW - 1 };
const PASSKEY: Passkey = {
  ...{ id: "cred-1", personId: "ada", publicKey: "pk", counter: 0, transports: ["internal"] },
  ...{ relyingParty: "localhost", name: "Laptop", madeAt: 1 },
};
const { personId: _owner, madeAt: _made, ...NEW } = PASSKEY;
const key = (part: Partial<Passkey> = {}) =>
  ({ kind: "passkey", id: "cred-1", body: { ...PASSKEY, ...part } }) as const;
const challenge = (part: object = { purpose: "sign_in" }) => {
  const body = { id: "c1", expiresAt: NOW + 100, ...part } as Challenge;
  return { kind: "challenge", id: "c1", body } as const;
};
const toAdd = challenge({ purpose: "add", personId: "ada" });
const add = { kind: "add_passkey", challengeId: "c1", passkey: NEW } as const;
const remove = { kind: "remove_passkey", passkeyId: "cred-1" } as const;
const assertion = { credential: "cred-1", counter: 0 };
const signIn = {
  kind: "sign_in_by_passkey",
  ...{ assertion, session: { id: "s1", hash: "h" }, lastsMs: 1_000 },
} as const;

describe("a challenge", () => {
  test("is a row until it is used or its time is over, and is not in the log", () => {
    const made = given().when({ kind: "make_challenge", challenge: challenge().body }).then("challenge.made");
    expect(made.get("challenge", "c1")).toEqual(challenge().body);
    expect(timerOf(challenge())).toBe(NOW + 100);
    const drop = { kind: "drop_challenge", challengeId: "c1" } as const;
    made.when(drop, { by: SYSTEM }).then();
    const gone = made.when(drop, { by: SYSTEM, now: NOW + 100 }).then("challenge.ended");
    expect(gone.get("challenge", "c1")).toBeUndefined();
    gone.when(drop, { by: SYSTEM, now: NOW + 100 }).then();
    expect(logData({ type: "challenge.made", challenge: challenge().body })).toBeNull();
    expect(logData({ type: "challenge.ended" })).toBeNull();
  });
});

describe("adding a passkey", () => {
  const start = given(personRow("ada"), toAdd);

  test("adds the row, lists it with the person and uses the challenge up", () => {
    const after = start.when(add, { by: fresh }).then("challenge.ended", "passkey.added");
    expect(after.get("passkey", "cred-1")).toEqual({ ...PASSKEY, madeAt: NOW });
    expect(after.get("person", "ada")?.passkeys).toEqual(["cred-1"]);
    after.when(add, { by: fresh }).refused("not_proven");
    expect(logData(after.facts[1]?.fact as never)).toEqual({
      ...{ passkey_id: "cred-1", person_id: "ada", name: "Laptop", host: "localhost" },
    });
  });

  test("needs a sign-in within the last ten minutes, and no key is one", () => {
    const stale = { ...fresh, signedInAt: NOW - FRESH_MS };
    start.when(add, { by: stale }).refused("fresh_sign_in_required");
    start.when(add, { by: OPERATOR }).refused("fresh_sign_in_required");
    expect(whyNotFresh({ ...fresh, signedInAt: NOW - FRESH_MS + 1 }, NOW)).toBeNull();
  });

  test("needs a person, their own challenge in time, a new passkey and room for it", () => {
    given(toAdd).when(add, { by: fresh }).refused("unknown_person");
    const ada = personRow("ada");
    given(ada).when(add, { by: fresh }).refused("not_proven");
    for (const part of [
      { purpose: "sign_in" },
      { purpose: "add", personId: "grace" },
      { purpose: "add", personId: "ada", expiresAt: NOW },
    ])
      given(ada, challenge(part)).when(add, { by: fresh }).refused("not_proven");
    given(ada, toAdd, key()).when(add, { by: fresh }).refused("already_exists");
    const many = personRow("ada", { passkeys: Array.from({ length: 20 }, (_, at) => `p${at}`) });
    given(many, toAdd).when(add, { by: fresh }).refused("not_allowed");
  });

  test("tells every webhook that listens to it", () => {
    const webhooks = [
      { id: "all", events: [], lane: "https://a" },
      { id: "own", events: ["passkey.added"] },
      { id: "other", events: ["hold.decided"] },
    ];
    const settings = { kind: "workspace", id: "settings", body: { webhooks } } as const;
    const event = { workspace: "default", stream: "passkey:cred-1", seq: 1, type: "passkey.added", at: 5 };
    const told = (...rows: readonly AnyChange[]) =>
      TABLE.messages(
        { kind: "passkey", id: "cred-1", fact: { type: "passkey.added" }, at: 5, actor: "session:ada" },
        event as SealedEvent,
        worldWith(...rows),
        NO_PLATFORM,
      ).map(({ endpoint, lane, holdId }) => ({ endpoint, lane, holdId }));
    expect(told(settings)).toEqual([
      { endpoint: "all", lane: "https://a", holdId: null },
      { endpoint: "own", lane: "own", holdId: null },
    ]);
    expect(told()).toEqual([]);
  });
});

test("the host that passkeys are made for is noted once, by the server", () => {
  const note = { kind: "note_passkey_host", host: "localhost" } as const;
  const noted = given().when(note, { by: SYSTEM }).then("passkey.host_noted");
  expect(noted.get("passkey_host", "localhost")).toEqual({ host: "localhost" });
  expect(logData(noted.facts[0]?.fact as never)).toEqual({ host: "localhost" });
  noted.when(note, { by: SYSTEM }).then();
  given().when(note).refused("not_allowed");
});

describe("removing a passkey", () => {
  const start = given(personRow("ada", { passkeys: ["cred-0", "cred-1"] }), key());

  test.each([signedIn("ada"), ADMIN])("is for its owner and for admins: $role", (by) => {
    const after = start.when(remove, { by }).then("passkey.removed");
    expect(after.get("passkey", "cred-1")).toBeUndefined();
    expect(after.get("person", "ada")?.passkeys).toEqual(["cred-0"]);
  });

  test("is refused for others, and for one that does not exist", () => {
    start.when(remove, { by: signedIn("grace") }).refused("not_allowed");
    given().when(remove, { by: ADMIN }).refused("not_found");
  });

  test("happens when its owner is erased", () => {
    const erased = start.when({ kind: "erase_person", personId: "ada" }, { by: ADMIN }).then("person.erased");
    expect(erased.get("passkey", "cred-1")).toBeUndefined();
  });
});

describe("signing in with a passkey", () => {
  test("starts a session of its owner with their role", () => {
    const start = given(personRow("ada", { role: "admin" }), key());
    const after = start.when(signIn, { by: SYSTEM }).then("passkey.used", "session.started");
    expect(after.get("session", "h")).toEqual({
      ...{ id: "s1", hash: "h", name: "ada", role: "admin", how: "passkey" },
      ...{ madeAt: NOW, expiresAt: NOW + 1_000 },
    });
    expect(after.get("passkey", "cred-1")?.lastUsedAt).toBe(NOW);
    expect(asLogged(after.facts[0] as never)).toBeNull();
  });

  test("uses its challenge up, once and in time", () => {
    const use = { kind: "use_challenge", challengeId: "c1", purpose: "sign_in" } as const;
    given(challenge()).when(use, { by: SYSTEM }).then("challenge.ended").when(use).refused("not_proven");
    given(challenge({ purpose: "sign_in", expiresAt: NOW }))
      .when(use)
      .refused("not_proven");
    given(toAdd).when(use).refused("not_proven");
  });

  test.each([
    ["a passkey that was removed", [personRow("ada")]],
    ["a suspended person", [personRow("ada", { status: "suspended" }), key()]],
    ["a person who was erased", [personRow("ada", { erasedAt: 1 }), key()]],
  ] as const)("is refused for %s", (_what, rows) => {
    given(...rows)
      .when(signIn, { by: SYSTEM })
      .refused("not_proven");
  });

  test("is refused when the authenticator counts backwards, and not when it does not count", () => {
    const at = (stored: number, counter: number) =>
      given(personRow("ada"), key({ counter: stored })).when(
        { ...signIn, assertion: { ...assertion, counter } },
        { by: SYSTEM },
      );
    at(5, 5).refused("not_proven");
    const counted = at(5, 6).then("passkey.used", "session.started");
    expect(counted.get("passkey", "cred-1")).toMatchObject({ counter: 6 });
    at(0, 0).then("passkey.used", "session.started");
  });
});
