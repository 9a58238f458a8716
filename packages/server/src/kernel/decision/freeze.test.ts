import { describe, expect, test } from "vitest";
import { AGENT, APP, holdIn, link, NOW, openHold, reviewer } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { personRow, rule, signedIn, teamRow } from "../../testing/people.ts";
import { logData } from "../../testing/tables.ts";
import { emailAccountId } from "../people/person.ts";
import type { DecisionIn } from "./decision.ts";

const TEAM = ["ada", "grace", "lin"] as const;
const people = TEAM.map((id) => personRow(id, { teams: ["finance"] }));
const finance = teamRow("finance", TEAM);
const answer = (action = "approve") =>
  ({ kind: "answer_hold", holdId: "h1", action, data: {}, door: "rest" }) as const;
const by = (name: string) => ({ by: signedIn(name) });

describe("placing with a decision", () => {
  const place = (decision: DecisionIn, part: Partial<Parameters<typeof holdIn>[0]> = {}) =>
    ({ kind: "place_hold", hold: holdIn({ decision, links: "server", ...part }) }) as const;
  const two = { approve: [{ need: 2, from: ["team:finance"] }] };
  const start = () => given(...people, finance);
  const agent = { by: AGENT };

  test("freezes the rule with its usual values, and the log has it", () => {
    const placed = start().when(place(two), agent).then("hold.placed");
    expect(placed.hold().decision).toEqual(rule());
    expect(placed.get("ruled_hold", "h1")).toEqual({ holdId: "h1" });
    expect(logData(placed.facts[0]?.fact as never)).toMatchObject({ decision: rule() });
  });

  test("refuses names that nobody has, and says where they stand", () => {
    const unknown = (from: string) => place({ approve: [{ need: 1, from: ["team:finance", from] }] });
    start().when(unknown("team:ops"), agent).refused("unknown_team");
    start().when(unknown("person:zoe"), agent).refused("unknown_person");
  });

  test("refuses a rule that nobody can meet, after exclusions", () => {
    const failureOf = (decision: DecisionIn, start_ = start()) => {
      const { reply } = start_.when(place(decision), agent).refused("unfulfillable_decision");
      return reply.ok ? "" : reply.failure.message;
    };
    expect(failureOf({ approve: [{ need: 4, from: ["team:finance"] }] })).toContain(
      "needs 4 people, and only 3",
    );
    const overlapping = [
      { need: 3, from: ["team:finance"] },
      { need: 1, from: ["person:ada"] },
    ];
    expect(failureOf({ approve: overlapping })).toContain("stage");
    expect(failureOf({ ...two, reject: 4 })).toContain("4 rejections are needed");
    const asked = given(...people, finance, personRow("refunder"), teamRow("pair", ["refunder", "ada"]));
    const pair = { approve: [{ need: 2, from: ["team:pair"] }] };
    expect(failureOf({ ...pair, exclude: ["asker"] }, asked)).toContain("only 1");
    // Who asks never votes (G7), so the rule cannot need them.
    expect(failureOf(pair, asked)).toContain("only 1");
  });

  test("nobody votes for an absent person who asked, whether the rule excludes the asker or not", () => {
    const absence = { from: NOW, until: NOW + 100, delegate: "lin" };
    const asked = given(...people, personRow("refunder", { absence }), teamRow("pair", ["refunder", "ada"]));
    const placed = asked
      .when(place({ approve: [{ need: 1, from: ["team:pair"] }] }), agent)
      .then("hold.placed");
    expect(placed.hold().decision?.excluded).toEqual(["refunder"]);
    placed.when(answer(), by("lin")).refused("not_entitled");
    placed.when(answer(), by("ada")).then("hold.voted", "hold.decided");
  });

  test("excludes the owner of the asking key: who it names, or who made it", () => {
    const key = {
      id: AGENT.id,
      name: "refunder",
      role: "agent",
      hash: "",
      hint: "",
      callbackSecret: "",
      madeAt: 0,
    } as const;
    const withKey = (part: { owner?: string; madeBy: string }) =>
      given(...people, finance, { kind: "api_key", id: AGENT.id, body: { ...key, ...part } })
        .when(place({ ...two, exclude: ["owner"] }), agent)
        .then("hold.placed")
        .hold().decision?.excluded;
    expect(withKey({ owner: "ada", madeBy: "key:root" })).toEqual(["ada"]);
    expect(withKey({ madeBy: "key:grace" })).toEqual(["grace"]);
    expect(withKey({ madeBy: "system" })).toEqual([]);
    const configured = start()
      .when(place({ ...two, exclude: ["owner"] }), agent)
      .then("hold.placed");
    expect(configured.hold().decision?.excluded).toEqual([]);
  });

  test("excludes voters and decider of the round before", () => {
    const before = openHold({ id: "h0", decision: rule() });
    const round = given(...people, finance, before)
      .when({ ...answer("edit"), holdId: "h0" }, by("ada"))
      .then("hold.voted", "hold.decided");
    const again = round
      .when(place({ ...two, exclude: ["previous_voters"] }, { previous: "h0" }), agent)
      .then("hold.placed", "hold.followed");
    expect(again.hold("h1").decision?.excluded).toEqual(["ada"]);
    const open = given(...people, finance, before)
      .when(place({ ...two, exclude: ["previous_voters"] }, { previous: "h0" }), agent)
      .then("hold.placed", "hold.followed");
    expect(open.hold("h1").decision?.excluded).toEqual([]);
    start()
      .when(place({ ...two, exclude: ["previous_voters"] }), agent)
      .then("hold.placed");
  });

  const ADDRESS = "Ada@example.com";
  const address = { kind: "account", id: emailAccountId(ADDRESS), body: { personId: "ada" } } as const;

  /** Who is excluded after `h0`, which has no rule, was answered through a link for this recipient. */
  const afterLink = (recipient: string) => {
    const mailed = link({ holdId: "h0", recipient });
    return given(...people, finance, address, openHold({ id: "h0" }), mailed)
      .when({ ...answer("edit"), holdId: "h0", linkHash: mailed.body.hash }, { by: reviewer(mailed.body) })
      .then("hold.decided")
      .when(place({ ...two, exclude: ["previous_voters"] }, { previous: "h0" }), agent)
      .then("hold.placed", "hold.followed");
  };

  test.each([ADDRESS, "person:ada", "ada"])(
    "excludes the person who answered the round before through a link for %s",
    (recipient) => {
      const again = afterLink(recipient);
      expect(again.hold("h1").decision?.excluded).toEqual(["ada"]);
      again.when(answer(), by("ada")).refused("not_entitled");
      again.when(answer(), by("grace")).then("hold.voted");
    },
  );

  test("excludes nobody else after an answer through a link for an address that no person has", () => {
    expect(afterLink("stranger@example.com").hold("h1").decision?.excluded).toEqual(["stranger@example.com"]);
  });

  test("excludes the user whom an app named when it relayed the answer of the round before", () => {
    const shop = { by: APP };
    const before = openHold({ id: "h0", createdBy: APP.name, creatorKey: APP.id, askedByApp: true });
    const again = given(...people, finance, before)
      .when({ ...answer("edit"), holdId: "h0" }, { by: { ...APP, claimed: { id: "ada" } } })
      .then("hold.decided")
      .when(place({ ...two, exclude: ["previous_voters"] }, { previous: "h0" }), shop)
      .then("hold.placed", "hold.followed");
    expect(again.hold("h1").decision?.excluded).toEqual(["ada"]);
  });

  test("the same key with another rule is another question", () => {
    const placed = start()
      .when(place(two, { key: "k" }), agent)
      .then("hold.placed");
    placed.when(place({ ...two, order: "any" }, { key: "k", id: "h2" }), agent).then();
    placed.when(place({ ...two, reject: 2 }, { key: "k", id: "h2" }), agent).refused("key_reused");
    const { decision: _none, ...plain } = holdIn({ key: "k", id: "h2" });
    placed.when({ kind: "place_hold", hold: plain }, agent).refused("key_reused");
  });
});
