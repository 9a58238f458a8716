import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, APP, AUDITOR, DEV, NOW, OPERATOR, openHold } from "../../testing/core-samples.ts";
import { type Given, given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import { mayKnow, sees } from "../hold/who.ts";
import type { Person } from "../people/person.ts";
import { SYSTEM } from "../principal.ts";
import { BROWSER_TOKENS } from "./domain.ts";
import { type BrowserToken, LASTS_MAX_MS, principalOf } from "./token.ts";

const token = { id: "t1", hash: "h", person: "lin" };
const make = { kind: "make_browser_token", token, lastsMs: 60_000 } as const;

const LIN: Person = {
  ...{ id: "lin", name: "Lin", role: "operator", teams: ["finance"], accounts: [], status: "active" },
  ...{ isVerified: true, source: "api", madeAt: 0 },
};
const withLin = (part: Partial<Person> = {}) =>
  given({ kind: "person", id: "lin", body: { ...LIN, ...part } }, openHold());

function principal(start: Given, by = OPERATOR, more: object = {}) {
  const made = start.when({ ...make, token: { ...token, ...more } }, { by }).then("browser_token.made");
  const row = made.get("browser_token", "t1");
  if (row === undefined) throw new Error("no token was made");
  return principalOf(row);
}

describe("making a browser token", () => {
  test.each([OPERATOR, ADMIN])(
    "the role $role makes one for an active person, who then acts with a link's strength",
    (by) => {
      expect(principal(withLin(), by)).toEqual({
        ...{ role: "operator", via: "link", id: "t1", name: "lin" },
        reach: { person: "lin", teams: ["finance"] },
      });
    },
  );

  test.each([
    ["unknown", given()],
    ["suspended", withLin({ status: "suspended" })],
    ["unconfirmed", withLin({ isVerified: false })],
    ["an auditor", withLin({ role: "auditor" })],
    ["erased", withLin({ erasedAt: 1 })],
  ])("an operator makes none for a person who is %s", (_why, start) => {
    start.when(make, { by: OPERATOR }).refused("unknown_person");
  });

  test("an app makes one for a user of its own, who is claimed and not proven", () => {
    expect(principal(given(), APP)).toEqual({
      ...{ role: "app", via: "key", id: "t1", name: APP.name, claimed: { id: "lin" } },
      reach: { person: "lin", teams: [] },
    });
  });

  test("a dev key makes one for anybody, for trials on one machine", () => {
    expect(principal(given(), DEV)).toMatchObject({ role: "operator", via: "link", name: "lin" });
  });

  test.each([AGENT, AUDITOR])("the role $role makes none (G7)", (by) => {
    withLin().when(make, { by }).refused("not_allowed");
  });

  test("it is for a hold that its maker sees, and for no other", () => {
    const one = { ...make, token: { ...token, holdId: "h1" } };
    withLin().when(one, { by: APP }).refused("not_found");
    given()
      .when({ ...one, token: { ...one.token, person: "u" } }, { by: APP })
      .refused("not_found");
    expect(principal(withLin(), OPERATOR, { holdId: "h1" }).reach?.holdId).toBe("h1");
  });

  test("it ends after an hour at the latest", () => {
    const made = withLin()
      .when({ ...make, lastsMs: 9e9 })
      .then("browser_token.made");
    expect(made.get("browser_token", "t1")?.expiresAt).toBe(NOW + LASTS_MAX_MS);
  });

  test("the log has the person and the hold, and no hash", () => {
    const [fact] = withLin()
      .when({ ...make, token: { ...token, holdId: "h1" } })
      .then("browser_token.made").facts;
    expect(fact && asLogged(fact, "default")?.data).toEqual({ token_id: "t1", person: "lin", hold_id: "h1" });
    const [inbox] = withLin().when(make).then("browser_token.made").facts;
    expect(inbox && asLogged(inbox, "default")?.data).toEqual({ token_id: "t1", person: "lin" });
  });
});

describe("the end of a browser token", () => {
  const made = withLin().when(make, { by: OPERATOR }).then("browser_token.made");
  const revoke = { kind: "revoke_browser_token", tokenId: "t1" } as const;

  test.each([OPERATOR, ADMIN, DEV])("$name revokes it, once", (by) => {
    const after = made.when(revoke, { by }).then("browser_token.revoked");
    expect(after.get("browser_token", "t1")?.revokedAt).toBe(NOW);
    after.when(revoke, { by }).then();
  });

  test("another key finds no such token", () => {
    made.when(revoke, { by: APP }).refused("not_found");
    made.when(revoke, { by: { ...APP, name: OPERATOR.name } }).refused("not_found");
    given().when(revoke, { by: ADMIN }).refused("not_found");
  });

  test("its row is dropped when its time is over, and not before", () => {
    const drop = { kind: "drop_browser_token", tokenId: "t1" } as const;
    const row = made.get("browser_token", "t1") as BrowserToken;
    expect(BROWSER_TOKENS.kinds.browser_token.timer?.dueAt(row)).toBe(NOW + 60_000);
    made.when(drop, { by: SYSTEM }).then();
    const after = made.when(drop, { by: SYSTEM, now: NOW + 60_000 }).then("browser_token.dropped");
    expect(after.get("browser_token", "t1")).toBeUndefined();
    const [fact] = after.facts;
    expect(fact && asLogged(fact, "default")).toBeNull();
    after.when(drop, { by: SYSTEM }).then();
  });
});

describe("what a browser token reaches", () => {
  const decision = (from: string) => ({
    ...{ approve: [{ need: 1, from: [from] }], reject: 1, exclude: [], excluded: [] },
    ...({ strength: "link", order: "any" } as const),
  });
  const inbox = principal(withLin());

  test.each([
    ["anybody may answer", {}, true],
    ["names the person", { answerers: ["lin"] }, true],
    ["names another", { answerers: ["eve"] }, false],
    ["has a decision with the person", { decision: decision("person:lin") }, true],
    ["has a decision with the person's team", { decision: decision("team:finance") }, true],
    ["has a decision of others", { decision: decision("team:legal") }, false],
  ])("an inbox of the directory has a hold that %s: %j → %s", (_name, part, isThere) => {
    expect(sees(openHold(part), inbox, undefined)).toBe(isThere);
  });

  test("a token for one hold reaches that hold and no other", () => {
    const one = principal(withLin(), OPERATOR, { holdId: "h1" });
    expect(sees(openHold(), one, undefined)).toBe(true);
    expect(sees(openHold({ id: "h2" }), one, undefined)).toBe(false);
  });

  test("an app's inbox has the holds that the app placed for that user", () => {
    const user = principal(given(), APP);
    const own = { createdBy: APP.name, askedByApp: true } as const;
    expect(sees(openHold({ ...own, metadata: { person: "lin" } }), user, undefined)).toBe(true);
    expect(sees(openHold({ ...own, metadata: { person: "eve" } }), user, undefined)).toBe(false);
    expect(sees(openHold(own), user, undefined)).toBe(false);
    expect(sees(openHold({ metadata: { person: "lin" } }), user, undefined)).toBe(false);
  });

  test("sensitive values of an answer are not for pages, even of the app that asked (G9)", () => {
    expect(mayKnow(openHold({ createdBy: APP.name }), APP)).toBe(true);
    expect(mayKnow(openHold({ createdBy: APP.name }), principal(given(), APP))).toBe(false);
  });
});
