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
import { NO_PLATFORM } from "../platform.ts";
import { SYSTEM } from "../principal.ts";
import { threadKeyId } from "./thread.ts";

const keep = { kind: "keep_thread", threadId: "t1", data: { run: 1 } } as const;
const id = threadKeyId(AGENT.name, "t1");

describe("threads", () => {
  test.each([AGENT, APP, DEV])("the role $role may store a thread", (by) => {
    const after = given().when(keep, { by }).then("thread.kept");
    expect(after.get("thread", threadKeyId(by.name, "t1"))).toEqual({
      threadId: "t1",
      createdBy: by.name,
      data: { run: 1 },
      keptAt: NOW,
    });
  });

  test.each([OPERATOR, AUDITOR])("the role $role may not store a thread", (by) => {
    given().when(keep, { by }).refused("not_allowed");
    given().when({ kind: "forget_thread", threadId: keep.threadId }, { by }).refused("not_allowed");
  });

  test("of two runs that read the same version of a thread, only one can store it", () => {
    const first = given()
      .when({ ...keep, ifVersion: 0 }, { by: AGENT })
      .then("thread.kept");
    first.when({ ...keep, ifVersion: 0 }, { by: AGENT }).refused("precondition_failed");
    first.when({ ...keep, ifVersion: 1 }, { by: AGENT }).then("thread.kept");
  });

  test("a thread belongs to its creator, and nobody else can forget it", () => {
    const kept = given().when(keep, { by: AGENT }).then("thread.kept");
    kept.when({ kind: "forget_thread", threadId: "t1" }, { by: OTHER_AGENT }).refused("not_found");
    const gone = kept.when({ kind: "forget_thread", threadId: "t1" }, { by: AGENT }).then("thread.forgotten");
    expect(gone.get("thread", id)).toBeUndefined();
  });

  test("neither storing nor forgetting a thread writes a log event", () => {
    const kept = given().when(keep, { by: AGENT }).then("thread.kept");
    const gone = kept.when({ kind: "forget_thread", threadId: "t1" }, { by: AGENT }).then("thread.forgotten");
    const facts = [...kept.facts, ...gone.facts];
    expect(facts.map((fact) => describeFact(fact, "default"))).toEqual([null, null]);
  });

  test("a role that cannot place holds can neither keep nor forget a thread", () => {
    for (const command of [keep, { kind: "forget_thread", threadId: "t1" } as const])
      given().when(command, { by: AUDITOR }).refused("not_allowed");
  });

  describe("threads in a workspace with retention", () => {
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

    test("the server's retention counts instead of the workspace's, and for ever means never", () => {
      const under = (retainMs: number | "forever") =>
        given(settings)
          .when(keep, { by: AGENT, platform: { ...NO_PLATFORM, retainMs } })
          .then("thread.kept")
          .get("thread", id);
      expect(under(7)).toMatchObject({ retainMs: 7, forgetAt: NOW + 7 });
      expect(under("forever")).not.toHaveProperty("forgetAt");
    });

    test("a thread is forgotten when the retention time after its last change has passed", () => {
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

    test("a thread whose run waits for answers is kept, and its timer tries again a day later", () => {
      const later = waiting()
        .when(tick, { now: NOW + 100, by: SYSTEM })
        .then("thread.kept");
      expect(later.get("thread", id)).toMatchObject({ data: { run: 1 }, forgetAt: NOW + 100 + 86_400_000 });
      waiting({ releasedAt: 5 })
        .when(tick, { now: NOW + 100, by: SYSTEM })
        .then("thread.forgotten");
    });

    test("erasing a hold on request forgets its thread too, unless the thread still waits for a group", () => {
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
