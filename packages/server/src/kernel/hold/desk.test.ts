import { describe, expect, test } from "vitest";
import {
  ADMIN,
  AGENT,
  APP,
  AUDITOR,
  DEV,
  decidedHold,
  NOW,
  OPERATOR,
  OTHER_AGENT,
  openHold,
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import type { Person } from "../people/person.ts";
import { EXTEND_MAX_MS, SNOOZE_MAX_MS } from "./desk.ts";

function person(id: string, part: Partial<Person> = {}) {
  const body: Person = {
    ...{ id, name: id, role: "operator", teams: [], accounts: [], status: "active", isVerified: true },
    ...{ source: "api", madeAt: 0, ...part },
  };
  return { kind: "person", id, body } as const;
}

const assign = { kind: "assign_hold", holdId: "h1", to: "ben" } as const;
const release = { kind: "assign_hold", holdId: "h1" } as const;

describe("assigning a hold", () => {
  test("a hold is assigned to a person, handed over, and given back to everybody", () => {
    const assigned = given(openHold(), person("ben"), person("kim")).when(assign).then("hold.assigned");
    expect(assigned.hold().assignee).toBe("ben");
    expect(assigned.facts.map((fact) => asLogged(fact, "default"))).toMatchObject([
      { type: "hold.assigned", actor: "key:ada", data: { assignee: "ben" } },
    ]);
    assigned.when(assign).then();
    const handed = assigned.when({ ...assign, to: "kim" }).then("hold.assigned");
    expect(handed.hold().assignee).toBe("kim");
    const free = handed.when(release).then("hold.assigned");
    expect(free.hold()).toEqual(openHold());
    expect(free.facts.map((fact) => asLogged(fact, "default")?.data)).toEqual([{ assignee: null }]);
    free.when(release).then();
  });

  test("a person who takes a hold is not told; one who is handed a hold is", () => {
    const told = given(openHold(), person("ben")).when(assign).then("hold.assigned");
    expect(told.facts[0]?.fact).toMatchObject({ isTold: true });
    const taken = given(openHold())
      .when({ ...assign, to: OPERATOR.name })
      .then("hold.assigned");
    expect(taken.facts[0]?.fact).not.toHaveProperty("isTold");
  });

  test("only people who may answer can be assigned", () => {
    given(openHold()).when(assign).refused("unknown_person");
    given(openHold(), person("ben", { status: "suspended" }))
      .when(assign)
      .refused("unknown_person");
    given(openHold(), person("ben", { role: "auditor" }))
      .when(assign)
      .refused("unknown_person");
    given(openHold(), person("ben", { erasedAt: 1 }))
      .when(assign)
      .refused("unknown_person");
  });

  test("only operators assign, and only open holds", () => {
    for (const by of [ADMIN, DEV])
      given(openHold(), person("ben")).when(assign, { by }).then("hold.assigned");
    for (const by of [AGENT, AUDITOR])
      given(openHold(), person("ben")).when(assign, { by }).refused("not_allowed");
    given(openHold()).when(assign, { by: OTHER_AGENT }).refused("not_found");
    given(decidedHold(), person("ben")).when(assign).refused("already_settled");
    given(openHold({ expiresAt: NOW }), person("ben"))
      .when(assign)
      .refused("hold_expired", "hold.expired");
  });
});

const extend = { kind: "extend_hold", holdId: "h1", to: { afterMs: 500 } } as const;

describe("giving a hold more time", () => {
  test("a duration is added to the present expiry, and the hold ends then", () => {
    const after = given(openHold({ expiresAt: 2_000 }))
      .when(extend)
      .then("hold.extended");
    expect(after.hold().expiresAt).toBe(2_500);
    expect(after.facts.map((fact) => asLogged(fact, "default"))).toMatchObject([
      { data: { expires_at: 2_500 } },
    ]);
    const tick = { kind: "tick_hold", holdId: "h1" } as const;
    after.when(tick, { now: 2_499 }).then();
    after.when(tick, { now: 2_500 }).then("hold.expired");
  });

  test("a time is taken as it is", () => {
    const after = given(openHold({ expiresAt: 2_000 }))
      .when({ ...extend, to: { at: 9_000 } })
      .then("hold.extended");
    expect(after.hold().expiresAt).toBe(9_000);
  });

  test("a hold is not shortened, not kept for more than 90 days, and one without expiry is left alone", () => {
    const open = given(openHold({ expiresAt: 2_000 }));
    open.when({ ...extend, to: { at: 2_000 } }).refused("not_extendable");
    open.when({ ...extend, to: { at: NOW + EXTEND_MAX_MS + 1 } }).refused("not_extendable");
    given(openHold()).when(extend).refused("not_extendable");
  });

  test("only operators extend, and only open holds", () => {
    given(openHold({ expiresAt: 2_000 }))
      .when(extend, { by: AGENT })
      .refused("not_allowed");
    given(decidedHold({ expiresAt: 2_000 }))
      .when(extend)
      .refused("already_settled");
  });
});

const snooze = { kind: "snooze_hold", holdId: "h1", until: { afterMs: 100 } } as const;

describe("snoozing a hold", () => {
  test("each person puts a hold off for themselves, later or no longer", () => {
    const once = given(openHold()).when(snooze).then("hold.snoozed");
    expect(once.hold().snoozed).toEqual([{ person: "ada", until: NOW + 100 }]);
    once.when(snooze).then();
    const both = once.when(snooze, { by: ADMIN }).then("hold.snoozed");
    const later = both.when({ ...snooze, until: { at: NOW + 200 } }).then("hold.snoozed");
    expect(later.hold().snoozed).toEqual([
      { person: "root", until: NOW + 100 },
      { person: "ada", until: NOW + 200 },
    ]);
    expect(later.facts.map((fact) => asLogged(fact, "default")?.data)).toEqual([
      { person: "ada", until: NOW + 200 },
    ]);
    const awake = later.when({ kind: "snooze_hold", holdId: "h1" }).then("hold.snoozed");
    expect(awake.hold().snoozed).toEqual([{ person: "root", until: NOW + 100 }]);
    expect(awake.facts.map((fact) => asLogged(fact, "default")?.data)).toEqual([
      { person: "ada", until: null },
    ]);
    const none = awake.when({ kind: "snooze_hold", holdId: "h1" }, { by: ADMIN }).then("hold.snoozed");
    expect(none.hold()).toEqual(openHold());
  });

  test("a hold is not snoozed into the past or for more than 30 days", () => {
    given(openHold())
      .when({ ...snooze, until: { at: NOW } })
      .refused("not_extendable");
    given(openHold())
      .when({ ...snooze, until: { afterMs: SNOOZE_MAX_MS + 1 } })
      .refused("not_extendable");
  });

  test("only operators snooze, and only open holds", () => {
    given(openHold()).when(snooze, { by: AGENT }).refused("not_allowed");
    given(decidedHold()).when(snooze).refused("already_settled");
  });
});

describe("an erased hold", () => {
  test("keeps who was responsible, and loses comments and what was put off", () => {
    const by = { kind: "key", id: "k" } as const;
    const hold = decidedHold({
      assignee: "ben",
      snoozed: [{ person: "ada", until: 9 }],
      comments: [{ id: "c1", at: 1, by, text: "private" }],
    });
    const after = given(hold).when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN }).then("hold.erased");
    expect(after.hold()).toMatchObject({ assignee: "ben" });
    expect(after.hold()).not.toHaveProperty("snoozed");
    expect(after.hold()).not.toHaveProperty("comments");
  });
});

test("an app is no operator of its own hold", () => {
  const own = openHold({ createdBy: APP.name, askedByApp: true, expiresAt: 2_000 });
  for (const command of [assign, extend, snooze])
    given(own).when(command, { by: APP }).refused("not_allowed");
});
