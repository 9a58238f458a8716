import { describe, expect, test } from "vitest";
import { TABLE } from "../../../domains.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import {
  ADMIN,
  AGENT,
  APP,
  AUDITOR,
  holdIn,
  NOW,
  OPERATOR,
  openHold,
} from "../../../testing/core-samples.ts";
import { type Given, given } from "../../../testing/given.ts";
import { asLogged as describeFact, timerOf } from "../../../testing/tables.ts";
import type { Release } from "./release.ts";

const about = { groupId: "g1" } as const;
const open = {
  kind: "open_release",
  ...about,
  proxy: "agent",
  threadId: "t1",
  caller: "shop",
  autoResume: true,
  idempotent: false,
} as const;
const begin = (fenceId = "f1") => ({ kind: "begin_release", ...about, fenceId, leaseMs: 100 }) as const;
const finish = (state: "released" | "pending" | "unknown" | "failed", fenceId = "f1", error?: string) =>
  ({ kind: "finish_release", ...about, fenceId, state, ...(error === undefined ? {} : { error }) }) as const;
const tick = { kind: "tick_release", ...about } as const;
const decide = (decision: "retry" | "mark_released") =>
  ({ kind: "decide_release", ...about, decision }) as const;

const group = { id: "g1", createdBy: APP.name, createdAt: 0, members: ["h1", "h2"] };
const holds = ["h1", "h2"].map((id) => openHold({ id, groupId: "g1", createdBy: APP.name }));
const waitingGroup = () => given(...holds, { kind: "group", id: "g1", body: group });
const releasedGroup = () => given({ kind: "group", id: "g1", body: { ...group, releasedAt: 5 } });
const bySystem = (now = NOW) => ({ by: SYSTEM, now });

const keyed = (id: string) => holdIn({ id, key: `key of ${id}` });
const pending = (more: Partial<typeof open> = {}) =>
  releasedGroup()
    .when({ ...open, ...more } as typeof open, { by: APP })
    .then("release.opened", "release.ready");
const sending = (more: Partial<Release> = {}) =>
  pending(more as never)
    .when(begin(), bySystem())
    .then("release.sending");
const release = (now: Given) => now.get("release", "g1") as Release;

describe("AG-UI releases", () => {
  test("a release waits for its group and becomes ready in the commit that ends the last member", () => {
    const opened = waitingGroup().when(open, { by: APP }).then("release.opened");
    expect(release(opened)).toMatchObject({ state: "waiting", attempt: 0, createdBy: APP.name });
    expect(opened.when(open, { by: APP }).then().facts).toEqual([]);
    const answer = { kind: "answer_hold", action: "approve", data: {}, door: "rest" } as const;
    const half = opened.when({ ...answer, holdId: "h1" }).then("hold.decided");
    expect(release(half).state).toBe("waiting");
    const ready = half
      .when({ ...answer, holdId: "h2" })
      .then("hold.decided", "release.ready", "group.released");
    expect(release(ready)).toMatchObject({ state: "pending", dueAt: NOW });
  });

  test("opening a release requires a group, and the release is ready at once if the group has already ended", () => {
    given().when(open, { by: APP }).refused("not_found");
    given().when(begin(), bySystem()).refused("not_found");
    expect(release(pending())).toMatchObject({ state: "pending", dueAt: NOW });
    expect(release(pending({ autoResume: false } as never)).dueAt).toBeUndefined();
  });

  test("a group is placed with its release in one commit, and the same keys find both again", () => {
    const { kind: _kind, groupId: _groupId, ...settings } = open;
    const holds = [keyed("h1"), keyed("h2")];
    const place = { kind: "place_released_group", ...about, holds, release: settings } as const;
    const placed = given()
      .when(place, { by: APP })
      .then("group.placed", "hold.placed", "hold.placed", "release.opened");
    expect(release(placed)).toMatchObject({ state: "waiting", threadId: "t1", createdBy: APP.name });
    const again = placed.when({ ...place, groupId: "g2" }, { by: APP }).then();
    expect([again.get("group", "g2"), again.get("release", "g2")]).toEqual([undefined, undefined]);
    const twice = [keyed("h1"), { ...keyed("h2"), key: "key of h1" }];
    given()
      .when({ ...place, holds: twice }, { by: APP })
      .refused("key_reused");
  });

  test("R1 only the sender that holds the fence can renew or finish a release", () => {
    const first = sending();
    expect(release(first)).toMatchObject({
      state: "sending",
      attempt: 1,
      fence: { id: "f1", until: NOW + 100 },
    });
    const second = first.when(begin("f2"), bySystem()).then();
    expect(release(second).fence?.id).toBe("f1");
    first.when({ kind: "renew_release", ...about, fenceId: "f2", leaseMs: 1 }, bySystem()).then();
    const renewed = first
      .when({ kind: "renew_release", ...about, fenceId: "f1", leaseMs: 100 }, bySystem(NOW + 50))
      .then("release.renewed");
    expect(release(renewed).fence?.until).toBe(NOW + 150);
    renewed.when(finish("released", "f2"), bySystem()).then();
    const done = renewed.when(finish("released"), bySystem()).then("release.released");
    expect(release(done).state).toBe("released");
    done.when(finish("failed"), bySystem()).then();
    done.when({ kind: "renew_release", ...about, fenceId: "f1", leaseMs: 1 }, bySystem()).then();
  });

  test("R2 a release whose sender is lost becomes unknown and is never retried automatically", () => {
    const before = sending();
    before.when(tick, bySystem(NOW + 99)).then();
    const lost = before.when(tick, bySystem(NOW + 100)).then("release.unknown");
    expect(release(lost)).toMatchObject({ state: "unknown", error: "sender_lost" });
    lost.when(begin("f2"), bySystem()).then();
    lost.when(tick, bySystem(NOW + 1e9)).then();
  });

  test("R2 a release to an idempotent agent becomes pending again when its sender is lost", () => {
    const lost = sending({ idempotent: true })
      .when(tick, bySystem(NOW + 100))
      .then("release.put_back");
    expect(release(lost)).toMatchObject({ state: "pending", dueAt: NOW + 100 + 5_000 });
    expect(release(lost.when(begin("f2"), bySystem()).then("release.sending")).attempt).toBe(2);
  });

  test("a failed release is sent again only to an idempotent agent", () => {
    const failed = sending().when(finish("failed"), bySystem()).then("release.failed");
    failed.when(begin("f2"), bySystem()).then();
    const harmless = sending({ idempotent: true }).when(finish("failed"), bySystem()).then("release.failed");
    harmless.when(begin("f2"), bySystem()).then("release.sending");
  });

  test("R4 the last sender's report of arrival counts, even if the release was queued for a retry", () => {
    const back = sending({ idempotent: true })
      .when(tick, bySystem(NOW + 100))
      .then("release.put_back");
    back.when(finish("unknown"), bySystem()).then();
    back.when(finish("released", "f2"), bySystem()).then();
    expect(release(back.when(finish("released"), bySystem()).then("release.released")).state).toBe(
      "released",
    );
    const again = back.when(begin("f2"), bySystem()).then("release.sending");
    again.when(finish("released"), bySystem()).then();
  });

  test("R3 an unknown release becomes released when its sender reports late", () => {
    const lost = sending()
      .when(tick, bySystem(NOW + 100))
      .then("release.unknown");
    lost.when(finish("released", "f2"), bySystem()).then();
    const reported = lost.when(finish("released"), bySystem()).then("release.released");
    expect(release(reported).error).toBeUndefined();
  });

  test("a release that did not arrive is retried with growing delays, and without auto-resume only when its client connects", () => {
    const back = sending()
      .when(finish("pending", "f1", "unreachable"), bySystem())
      .then("release.put_back");
    expect(release(back)).toMatchObject({ state: "pending", error: "unreachable", dueAt: NOW + 5_000 });
    const again = back.when(begin("f2"), bySystem()).then("release.sending");
    expect(release(again).error).toBeUndefined();
    const twice = again.when(finish("pending", "f2", "unreachable"), bySystem()).then("release.put_back");
    expect(release(twice).dueAt).toBe(NOW + 10_000);
    const byClient = sending({ autoResume: false })
      .when(finish("pending"), bySystem())
      .then("release.put_back");
    expect(release(byClient).dueAt).toBeUndefined();
  });

  test("a pending release is handed to one server at a time, and to another after ten seconds without a start", () => {
    const due = pending();
    const handed = due.when(tick, bySystem()).then("release.handed_out");
    expect(release(handed)).toMatchObject({ handedAt: NOW, dueAt: NOW + 10_000 });
    handed.when(tick, bySystem(NOW + 1)).then();
    handed.when(tick, bySystem(NOW + 10_000)).then("release.handed_out");
    pending({ autoResume: false } as never)
      .when(tick, bySystem())
      .then();
  });

  test.each(["unknown", "failed"] as const)(
    "an operator can retry a release that is %s or mark it released",
    (state) => {
      const stuck = sending()
        .when(finish(state, "f1", "broken_off"), bySystem())
        .then(`release.${state}`);
      const retried = stuck.when(decide("retry"), { by: OPERATOR }).then("release.retried");
      expect(release(retried)).toMatchObject({ state: "pending", dueAt: NOW, decidedBy: "key:ada" });
      expect(release(retried.when(begin("f2"), bySystem()).then("release.sending")).attempt).toBe(2);
      const marked = stuck.when(decide("mark_released"), { by: ADMIN }).then("release.marked_released");
      expect(release(marked)).toMatchObject({ state: "released", decidedBy: "key:root" });
      marked.when(decide("retry"), { by: OPERATOR }).refused("release_not_stuck");
      stuck.when(decide("retry"), { by: AUDITOR }).refused("not_allowed");
      for (const by of [AGENT, APP]) stuck.when(decide("retry"), { by }).refused("not_found");
    },
  );

  describe("R5 a release that a person marked as arrived", () => {
    const stuck = sending().when(finish("unknown"), bySystem()).then("release.unknown");
    const marked = () => stuck.when(decide("mark_released"), { by: ADMIN }).then("release.marked_released");
    /** Every try that its timer makes, until it has none. */
    const tried = () => {
      let now = marked();
      const moments: number[] = [];
      for (let dueAt = release(now).dueAt; dueAt !== undefined; dueAt = release(now).dueAt) {
        now.when(tick, bySystem(dueAt - 1)).then();
        const fact = moments.length < 12 ? "release.handed_out" : "release.stalled";
        now = now.when(tick, bySystem(dueAt)).then(fact);
        moments.push((dueAt - NOW) / 1_000);
      }
      return { now, moments };
    };

    test("asks servers to continue its thread twelve times, ever less often, and is then stalled", () => {
      const { now, moments } = tried();
      expect(moments).toEqual([
        ...[5, 15, 35, 75, 155, 315, 635, 1_275, 2_555, 5_115, 8_715, 12_315],
        15_915,
      ]);
      expect(release(now)).toMatchObject({ state: "stalled", error: "thread_not_continued" });
      expect(timerOf({ kind: "release", id: "g1", body: release(now) })).toBeNull();
      now.when(begin("f2"), bySystem()).then();
    });

    test("ends when its thread continued, before it stalled or after", () => {
      for (const now of [marked(), tried().now]) {
        now.when(finish("unknown"), bySystem()).then();
        const ended = release(now.when(finish("released", "f9"), bySystem()).then("release.released"));
        expect(ended).toMatchObject({ state: "released", decidedBy: "key:root" });
        expect(Object.keys(ended)).not.toEqual(expect.arrayContaining(["dueAt", "error", "continuations"]));
        expect(timerOf({ kind: "release", id: "g1", body: ended })).toBeNull();
      }
    });

    test("can be decided again once it is stalled, which begins the tries again", () => {
      const again = tried().now.when(decide("mark_released"), { by: ADMIN }).then("release.marked_released");
      expect(release(again)).toMatchObject({ state: "released", dueAt: NOW + 5_000 });
      expect(release(again).continuations).toBeUndefined();
    });
  });

  test("a release logs its outcomes but not its hand-outs, has a timer while it is due, and is indexed by its state", () => {
    const logged = (now: Given & { facts: readonly Parameters<typeof describeFact>[0][] }) =>
      now.facts.map((fact) => describeFact(fact, "default")?.data);
    const failed = sending()
      .when(finish("failed", "f1", "AGENT_ERROR"), bySystem())
      .then("release.failed");
    expect(logged(failed)).toEqual([{ proxy: "agent", state: "failed", attempt: 1, error: "AGENT_ERROR" }]);
    expect(logged(pending().when(tick, bySystem()).then("release.handed_out"))).toEqual([undefined]);
    expect(logged(sending())).toEqual([{ proxy: "agent", state: "sending", attempt: 1 }]);
    const timer = (body: Release) => timerOf({ kind: "release", id: "g1", body });
    expect(timer(release(pending()))).toBe(NOW);
    expect(timer(release(pending({ autoResume: false } as never)))).toBeNull();
    expect(timer(release(sending()))).toBe(NOW + 100);
    expect(timer(release(failed))).toBeNull();
    expect(TABLE.indexValues("release", release(failed))).toEqual({ state: "failed" });
  });
});
