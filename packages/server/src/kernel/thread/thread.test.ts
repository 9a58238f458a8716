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
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged as describeFact, timerOf } from "../../testing/tables.ts";
import { NO_SETTINGS } from "../access/access.ts";
import { SYSTEM } from "../principal.ts";
import { threadKeyId } from "./thread.ts";

const keep = { kind: "keep_thread", threadId: "t1", data: { run: 1 } } as const;
const id = threadKeyId(AGENT.name, "t1");

describe("threads", () => {
  test.each([AGENT, APP, DEV])("are kept by those who ask: $role", (by) => {
    const after = given().when(keep, { by }).then("thread.kept");
    expect(after.get("thread", threadKeyId(by.name, "t1"))).toEqual({
      threadId: "t1",
      createdBy: by.name,
      data: { run: 1 },
      keptAt: NOW,
    });
  });

  test.each([OPERATOR, AUDITOR])("are not for the role $role", (by) => {
    given().when(keep, { by }).refused("not_allowed");
    given().when({ kind: "forget_thread", threadId: keep.threadId }, { by }).refused("not_allowed");
  });

  test("of two runs that read the same version only one keeps", () => {
    const first = given()
      .when({ ...keep, ifVersion: 0 }, { by: AGENT })
      .then("thread.kept");
    first.when({ ...keep, ifVersion: 0 }, { by: AGENT }).refused("precondition_failed");
    first.when({ ...keep, ifVersion: 1 }, { by: AGENT }).then("thread.kept");
  });

  test("belong to one creator each, and are forgotten by them", () => {
    const kept = given().when(keep, { by: AGENT }).then("thread.kept");
    kept.when({ kind: "forget_thread", threadId: "t1" }, { by: OTHER_AGENT }).refused("not_found");
    const gone = kept.when({ kind: "forget_thread", threadId: "t1" }, { by: AGENT }).then("thread.forgotten");
    expect(gone.get("thread", id)).toBeUndefined();
  });

  test("leave nothing in the log", () => {
    const { facts } = given().when(keep, { by: AGENT }).then("thread.kept");
    expect(facts.map((fact) => describeFact(fact, "default"))).toEqual([null]);
  });

  describe("with a time to be kept", () => {
    const settings = { kind: "workspace", id: "settings", body: { ...NO_SETTINGS, retainMs: 100 } } as const;
    const tick = { kind: "tick_thread", id } as const;
    const kept = (more: object = {}) =>
      given(settings)
        .when({ ...keep, ...more }, { by: AGENT })
        .then("thread.kept");
    const groupOf = (part: object = {}) =>
      ({
        kind: "group",
        id: "g1",
        body: { id: "g1", createdBy: AGENT.name, members: ["h1"], createdAt: 0, ...part },
      }) as never;
    const waiting = (part: object = {}) =>
      given(settings, groupOf(part))
        .when({ ...keep, waitsFor: "g1" }, { by: AGENT })
        .then("thread.kept");

    test("are forgotten so long after they were kept last", () => {
      const thread = kept().get("thread", id);
      expect(thread).toMatchObject({ retainMs: 100, forgetAt: NOW + 100 });
      expect(timerOf({ kind: "thread", id, body: thread as never })).toBe(NOW + 100);
      expect(timerOf({ kind: "thread", id, body: { ...thread, forgetAt: undefined } as never })).toBeNull();
      expect(timerOf({ kind: "thread", id, body: null })).toBeNull();
      kept()
        .when(tick, { now: NOW + 99, by: SYSTEM })
        .then();
      kept()
        .when(tick, { now: NOW + 100, by: SYSTEM })
        .then("thread.forgotten");
      given().when(tick, { by: SYSTEM }).refused("not_found");
      given().when(keep, { by: AGENT }).then("thread.kept").when(tick, { by: SYSTEM }).then();
    });

    test("are looked at a day later while people have not answered", () => {
      const later = waiting()
        .when(tick, { now: NOW + 100, by: SYSTEM })
        .then("thread.kept");
      expect(later.get("thread", id)).toMatchObject({ data: { run: 1 }, forgetAt: NOW + 100 + 86_400_000 });
      waiting({ releasedAt: 5 })
        .when(tick, { now: NOW + 100, by: SYSTEM })
        .then("thread.forgotten");
    });

    test("go with a hold that is erased on request, unless they still wait for another", () => {
      const erase = { kind: "erase_hold", holdId: "h1" } as const;
      const hold = decidedHold({ threadId: "t1" });
      const thread = (waitsFor?: string) =>
        ({
          kind: "thread",
          id,
          body: { threadId: "t1", createdBy: AGENT.name, data: {}, keptAt: 0, ...(waitsFor && { waitsFor }) },
        }) as never;
      given(hold, thread()).when(erase, { by: ADMIN }).then("hold.erased", "thread.forgotten");
      given(hold, thread("g1"), groupOf()).when(erase, { by: ADMIN }).then("hold.erased");
      given(hold, thread("g1"), groupOf({ releasedAt: 1 }))
        .when(erase, { by: ADMIN })
        .then("hold.erased", "thread.forgotten");
      given(hold).when(erase, { by: ADMIN }).then("hold.erased");
    });
  });
});
