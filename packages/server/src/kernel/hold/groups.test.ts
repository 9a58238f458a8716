import { describe, expect, test } from "vitest";
import {
  ADMIN,
  AGENT,
  APP,
  holdIn,
  INPUT,
  link,
  NOW,
  newLink,
  OPERATOR,
  OTHER_AGENT,
  openHold,
  reviewer,
} from "../../testing/core-samples.ts";
import { type BareCommand, given } from "../../testing/given.ts";
import { SYSTEM } from "../principal.ts";
import type { HoldIn } from "./commands.ts";

const by = AGENT;
const place = (groupId: string, ...holds: readonly Partial<HoldIn>[]) =>
  ({ kind: "place_group", groupId, holds: holds.map((hold) => holdIn(hold)) }) as const;
const pair = () =>
  given()
    .when(place("g1", { id: "a" }, { id: "b", ask: INPUT }), { by })
    .then("group.placed", "hold.placed", "hold.placed");
type Entries = Extract<BareCommand, { kind: "answer_group" }>["entries"];
const answer = (...entries: Entries) =>
  ({ kind: "answer_group", groupId: "g1", entries, door: "agui" }) as const;
const yes = { holdId: "a", action: "approve" } as const;
const city = { holdId: "b", action: "submit", data: { city: "Bonn" } } as const;
const tick = (holdId: string) => ({ kind: "tick_hold", holdId }) as const;

describe("placing a group", () => {
  test("placing a group places all its holds in one commit", () => {
    const after = given()
      .when({ ...place("g1", { id: "a" }, { id: "b" }), threadId: "t", runId: "r" }, { by })
      .then("group.placed", "hold.placed", "hold.placed");
    expect(after.get("group", "g1")).toEqual({
      id: "g1",
      createdBy: "refunder",
      createdAt: NOW,
      members: ["a", "b"],
      threadId: "t",
      runId: "r",
    });
    expect(after.hold("b").groupId).toBe("g1");
    expect(after.facts[0]).toMatchObject({ audience: "refunder", actor: "key:refunder" });
  });

  test("placing a group places none of its holds if one cannot be placed (G11)", () => {
    given()
      .when(place("g1", { id: "a" }, { id: "b", ask: { type: "input", prompt: "" } }), { by })
      .refused("invalid_ask");
    given()
      .when(place("g1", { id: "a" }), { by: OPERATOR })
      .refused("not_allowed");
  });

  test("placing a group again under the same id succeeds for its creator and is refused for others", () => {
    pair()
      .when(place("g1", { id: "x" }), { by })
      .then();
    pair()
      .when(place("g1", { id: "x" }), { by: OTHER_AGENT })
      .refused("already_exists");
  });

  test("placing a group again with the same keys finds the first group (G8)", () => {
    const first = given()
      .when(place("g1", { id: "a", key: "ka" }, { id: "b", key: "kb" }), { by })
      .then("group.placed", "hold.placed", "hold.placed");
    const again = place("g2", { id: "c", key: "ka", newLinks: [newLink()] }, { id: "d", key: "kb" });
    const after = first.when(again, { by }).then("hold.link_made");
    expect(after.reply).toEqual({ ok: true, id: "g1", fresh: false });
    expect(after.get("link", "a.hash-1")?.holdId).toBe("a");
    expect(after.get("group", "g2")).toBeUndefined();
  });

  test("a group cannot include a hold that was already placed alone or in another group", () => {
    const alone = given()
      .when({ kind: "place_hold", hold: holdIn({ id: "a", key: "ka" }) }, { by })
      .then("hold.placed");
    alone.when(place("g1", { id: "c", key: "ka" }), { by }).refused("key_reused");
    const pairOfOne = given()
      .when(place("g1", { id: "a", key: "ka" }), { by })
      .then("group.placed", "hold.placed");
    pairOfOne.when(place("g2", { id: "c" }, { id: "d", key: "ka" }), { by }).refused("key_reused");
  });

  test("two members of a group cannot have the same key", () => {
    given()
      .when(place("g1", { id: "a", key: "k" }, { id: "b", key: "k" }), { by })
      .refused("key_reused");
  });
});

describe("answering a group", () => {
  test("answering a group ends all its open members in one commit and releases the group", () => {
    const after = pair().when(answer(yes, city)).then("hold.decided", "hold.decided", "group.released");
    expect(after.hold("b").outcome).toMatchObject({ kind: "decided", data: { city: "Bonn" }, door: "agui" });
    expect(after.get("group", "g1")?.releasedAt).toBe(NOW);
    after.when(answer(yes, city)).then();
  });

  test("G9: a repeated answer does not tell a caller whether it has guessed a withheld value", () => {
    const form = { fields: [{ key: "pin", type: "text", label: "PIN", sensitive: true }] } as const;
    const ask = { type: "input", prompt: "PIN?", form } as const;
    const pin = (value: string) => answer({ holdId: "a", action: "submit", data: { pin: value } });
    const decided = (more: Partial<HoldIn> = {}) =>
      given()
        .when(place("g1", { id: "a", ask, ...more }), { by })
        .then("group.placed", "hold.placed")
        .when(pin("1234"))
        .then("hold.decided", "group.released");
    for (const value of ["1234", "9999"]) {
      decided().when(pin(value)).refused("already_settled");
      decided({ withholdSensitive: true }).when(pin(value), { by }).refused("already_settled");
    }
    decided().when(pin("1234"), { by }).then();
    decided().when(pin("9999"), { by }).refused("already_settled");
  });

  test("G15: a member whose call is unknown is not approved by a button without a note", () => {
    const ask = { type: "approval", prompt: "Run it?", context: { call_unknown: true } } as const;
    const placed = given()
      .when(place("g1", { id: "a", ask }), { by })
      .then("group.placed", "hold.placed");
    placed.when({ ...answer(yes), door: "console" }).refused("invalid_answer");
    placed
      .when({ ...answer({ ...yes, data: { note: "I asked the team." } }), door: "console" })
      .then("hold.decided", "group.released");
    placed
      .when({ ...answer({ ...yes, action: "reject" }), door: "console" })
      .then("hold.decided", "group.released");
  });

  test("a group entry without an action cancels its member (G5)", () => {
    const after = pair()
      .when(answer(yes, { holdId: "b", reason: "no idea" }))
      .then("hold.decided", "hold.cancelled", "group.released");
    expect(after.hold("b").outcome).toMatchObject({ kind: "cancelled", reason: "no idea" });
    pair()
      .when(answer({ holdId: "a" }, { holdId: "b" }), { by })
      .then("hold.cancelled", "hold.cancelled", "group.released");
  });

  test("answering a group ends no member if one entry does not fit its ask (G11)", () => {
    const after = pair()
      .when(answer(yes, { holdId: "b", action: "submit" }))
      .refused("invalid_answer");
    expect(after.reply.ok === false && after.reply.failure.detail).toEqual({ hold_id: "b" });
    pair()
      .when(answer(yes, { ...city, action: "dance" }))
      .refused("invalid_action");
  });

  test("each group entry is refused unless its shown digest is the digest of its member (G12)", () => {
    const { digest } = pair().hold("a");
    const after = pair()
      .when(answer({ ...yes, shown: digest }, city))
      .then("hold.decided", "hold.decided", "group.released");
    expect(after.hold("a").outcome).toMatchObject({ shown: digest });
    const other = pair()
      .when(answer({ ...yes, shown: "sha256:other" }, city))
      .refused("shown_mismatch");
    expect(other.reply.ok === false && other.reply.failure.detail).toEqual({ hold_id: "a" });
  });

  test("each group entry may carry its own claimed name", () => {
    const after = pair()
      .when(answer({ ...yes, claimed: { name: "Eve" } }, { holdId: "b", claimed: { name: "Mallory" } }))
      .then("hold.decided", "hold.cancelled", "group.released");
    expect(after.hold("a").outcome).toMatchObject({ by: { claimed: { name: "Eve" } } });
    expect(after.hold("b").outcome).toMatchObject({ cancelledBy: { claimed: { name: "Mallory" } } });
  });

  test("answering a group is refused when an open member has no entry", () => {
    const after = pair().when(answer(yes)).refused("group_incomplete");
    expect(after.reply.ok === false && after.reply.failure.detail).toEqual({ missing: ["b"] });
  });

  test("a group answer may omit a member that already ended, or repeat its outcome", () => {
    const half = pair()
      .when({ kind: "answer_hold", holdId: "a", action: "reject", data: {}, door: "page" })
      .then("hold.decided");
    const after = half.when(answer(city)).then("hold.decided", "group.released");
    expect(after.hold("a").outcome).toMatchObject({ action: "reject" });
    const no = { ...yes, action: "reject" };
    half.when(answer(no, city)).then("hold.decided", "group.released");
  });

  test("a group answer that contradicts an ended member is refused and ends nothing (G1)", () => {
    const half = pair()
      .when({ kind: "answer_hold", holdId: "a", action: "approve", data: { note: "fine" }, door: "page" })
      .then("hold.decided");
    for (const late of [yes, { ...yes, action: "reject" }, { holdId: "a" }]) {
      const { reply } = half.when(answer(late, city)).refused("already_settled");
      expect(reply.ok === false && reply.failure.detail).toEqual({ hold_id: "a" });
    }
    const same = { ...yes, data: { note: "fine" } };
    const whole = half.when(answer(same, city)).then("hold.decided", "group.released");
    whole.when(answer(same, city)).then();
    whole.when(answer({ ...same, data: { note: 7 } }, city)).refused("already_settled");
    const erased = whole.when({ kind: "erase_hold", holdId: "a" }, { by: ADMIN }).then("hold.erased");
    erased.when(answer(same)).refused("already_settled");
  });

  test("a repeated cancel fits a member that was cancelled, and nothing fits a member that expired", () => {
    const half = pair().when({ kind: "cancel_hold", holdId: "a" }, { by }).then("hold.cancelled");
    half.when(answer({ holdId: "a" }, city)).then("hold.decided", "group.released");
    half.when(answer(yes, city)).refused("already_settled");
    const late = given()
      .when(place("g1", { id: "a", expires: { at: 5_000 } }, { id: "b" }), { by })
      .then("group.placed", "hold.placed", "hold.placed")
      .when(tick("a"), { by: SYSTEM, now: 5_000 })
      .then("hold.expired");
    late.when(answer(yes, { ...yes, holdId: "b" })).refused("hold_expired");
  });

  test("a group answer is refused when it has two entries for one member or an entry for a stranger", () => {
    for (const wrong of [yes, { ...yes, holdId: "stranger" }]) {
      const { reply } = pair()
        .when(answer(yes, city, wrong))
        .refused("invalid_answer");
      expect(reply.ok === false && reply.failure.problems?.[0]?.key).toBe("/entries/2/hold_id");
    }
  });

  test("a group answer is refused unless the caller may answer or cancel every open member (G7)", () => {
    pair().when(answer(yes, city), { by }).refused("not_allowed");
    const relayed = given()
      .when(place("g1", { id: "a" }), { by: APP })
      .then("group.placed", "hold.placed");
    relayed
      .when(answer(yes), { by: { ...APP, claimed: { name: "Eve" } } })
      .then("hold.decided", "group.released");
    pair()
      .when(answer({ holdId: "a" }, { holdId: "b" }), { by: SYSTEM })
      .refused("not_allowed");
  });

  test("answering a group of another agent, or through a link, gets not_found", () => {
    pair().when(answer(yes, city), { by: OTHER_AGENT }).refused("not_found");
    pair()
      .when(answer(yes, city), { by: reviewer(link().body) })
      .refused("not_found");
    given().when(answer(yes)).refused("not_found");
  });
});

describe("a group's release", () => {
  const expiring = (...at: readonly number[]) =>
    given()
      .when(place("g1", ...at.map((moment, i) => ({ id: `m${i}`, expires: { at: moment } }))), { by })
      .then("group.placed", ...at.map(() => "hold.placed"));

  test("a group is released at the time its last member ends, no matter what ends it", () => {
    const half = expiring(5_000, 6_000).when(tick("m0"), { by: SYSTEM, now: 5_000 }).then("hold.expired");
    const after = half.when(tick("m1"), { by: SYSTEM, now: 7_000 }).then("hold.expired", "group.released");
    expect(after.get("group", "g1")?.releasedAt).toBe(6_000);
  });

  test("one late answer that finds all members expired states every expiry and releases the group", () => {
    const after = expiring(6_000, 5_000)
      .when(answer(), { now: 7_000 })
      .refused("hold_expired", "hold.expired", "hold.expired", "group.released");
    expect(after.facts.map(({ id }) => id)).toEqual(["m1", "m0", "g1"]);
    expect(after.get("group", "g1")?.releasedAt).toBe(6_000);
    expect(after.reply.ok === false && after.reply.failure.detail).toEqual({ hold_ids: ["m0", "m1"] });
  });

  test("a late answer that finds one member expired states that expiry and releases nothing", () => {
    const after = expiring(5_000, 9_000)
      .when(answer(), { now: 7_000 })
      .refused("hold_expired", "hold.expired");
    expect(after.get("group", "g1")).not.toHaveProperty("releasedAt");
  });

  test("a group is released even if it lists a member that was never placed", () => {
    const group = { id: "g1", createdBy: "refunder", createdAt: 0, members: ["h1", "ghost"] };
    given(openHold({ groupId: "g1" }), { kind: "group", id: "g1", body: group })
      .when(answer({ holdId: "h1", action: "approve" }))
      .then("hold.decided", "group.released");
  });
});
