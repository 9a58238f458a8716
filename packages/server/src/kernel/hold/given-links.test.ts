import { describe, expect, test } from "vitest";
import {
  AGENT,
  DEV,
  holdIn,
  link,
  NOW,
  newLink,
  OPERATOR,
  openHold,
  reviewer,
} from "../../testing/core-samples.ts";
import { TEST_PLATFORM } from "../../testing/core-step.ts";
import { type BareCommand, given } from "../../testing/given.ts";
import type { AgentLinks } from "../platform.ts";
import type { Hold } from "./hold.ts";
import { throughLink } from "./link.ts";

const answer = {
  kind: "answer_hold",
  holdId: "h1",
  action: "approve",
  data: {},
  door: "inline",
  linkHash: "hash-1",
} as const;
const submitFor = (recipient: string) =>
  ({ kind: "make_link", holdId: "h1", link: newLink({ purpose: "submit", recipient }) }) as const;
const forAda = openHold({ answerers: ["ada"] });
const by = reviewer(link().body);

const answered = (hold: Hold, made: ReturnType<typeof link>, command: BareCommand = answer) =>
  given(hold, made).when(command, { by });

describe("attack 1: a link made by or handed to the asker carries no person (G7)", () => {
  test("a link that the asker makes for itself drops the recipient it names", () => {
    const after = given(openHold()).when(submitFor("ada"), { by: AGENT }).then("hold.link_made");
    expect(after.get("link", "h1.hash-1")).toEqual({
      ...newLink({ purpose: "submit" }),
      holdId: "h1",
      madeAt: NOW,
      madeBy: "key:refunder",
      givenTo: "asker",
    });
    const decided = after.when(answer, { by }).then("hold.decided").hold();
    expect(decided.outcome).toMatchObject({ by: { kind: "link", id: "link_1", givenTo: "asker" } });
    expect(decided.outcome).not.toHaveProperty("by.name");
  });

  test("a link that the asker made cannot answer a hold that names its answerers", () => {
    const after = given(forAda).when(submitFor("ada"), { by: AGENT }).then("hold.link_made");
    after.when(answer, { by }).refused("not_allowed");
    after.when(answer, { by: { ...by, name: "ada" } }).refused("not_allowed");
    after.when({ kind: "cancel_hold", holdId: "h1", linkHash: "hash-1" }, { by }).refused("not_allowed");
  });

  test("a link that the asker receives when placing the hold drops the recipient it names", () => {
    const hold = holdIn({ answerers: ["ada"], newLinks: [newLink({ recipient: "ada" })] });
    const after = given().when({ kind: "place_hold", hold }, { by: AGENT }).then("hold.placed");
    expect(after.get("link", "h1.hash-1")).toMatchObject({ givenTo: "asker" });
    expect(after.get("link", "h1.hash-1")).not.toHaveProperty("recipient");
    expect(after.hold()).not.toHaveProperty("addressed");
    after.when(answer, { by }).refused("not_allowed");
  });

  test.each([
    ["an operator with the asker's name", { ...OPERATOR, name: "refunder" }],
    ["the asker's own key under another name", { ...DEV, id: AGENT.id }],
  ])("%s makes links that carry no person", (_who, maker) => {
    const after = given(forAda).when(submitFor("ada"), { by: maker }).then("hold.link_made");
    after.when(answer, { by }).refused("not_allowed");
  });

  test("a link that dev makes to its own hold may answer, but carries no name", () => {
    const own = openHold({ createdBy: "dev", creatorKey: DEV.id });
    const after = given(own).when(submitFor("ada"), { by: DEV }).then("hold.link_made");
    const { outcome } = after.when(answer, { by }).then("hold.decided").hold();
    expect(outcome).toMatchObject({ by: { kind: "link", id: "link_1" } });
    expect(outcome).not.toHaveProperty("by.name");
    expect(outcome).not.toHaveProperty("by.givenTo");
  });

  test("a link that an operator makes for a named answerer counts as that person", () => {
    const after = given(forAda).when(submitFor("ada"), { by: OPERATOR }).then("hold.link_made");
    const { outcome } = after.when(answer, { by }).then("hold.decided").hold();
    expect(outcome).toMatchObject({ by: { kind: "link", id: "link_1", name: "ada" } });
    expect(outcome).not.toHaveProperty("by.givenTo");
  });

  describe("link rows written before the server recorded whom a link was given to", () => {
    const before = (part: Parameters<typeof link>[0]) => {
      const { givenTo: _new, ...body } = link(part).body;
      return { ...link(part), body };
    };

    test("an old link row without a recipient counts as given to the asker, and still answers", () => {
      const { outcome } = answered(openHold(), before({})).then("hold.decided").hold();
      expect(outcome).toMatchObject({ by: { kind: "link", givenTo: "asker" } });
      answered(forAda, before({})).refused("not_allowed");
    });

    test.each(["key:refunder", "session:key_refunder"])(
      "an old link row that the asker made (%s) carries no person even if it names one",
      (madeBy) => {
        const asked = before({ madeBy, recipient: "ada" });
        expect(answered(openHold(), asked).then("hold.decided").hold().outcome).toMatchObject({
          by: { givenTo: "asker" },
        });
        answered(forAda, asked).refused("not_allowed");
      },
    );

    test.each(["key:root", "session:session_1", "system"])(
      "an old link row made by %s counts as its recipient",
      (madeBy) => {
        const { outcome } = answered(forAda, before({ madeBy, recipient: "ada" }))
          .then("hold.decided")
          .hold();
        expect(outcome).toMatchObject({ by: { kind: "link", name: "ada" } });
      },
    );
  });

  test("throughLink changes only a caller who came with a link", () => {
    expect(throughLink(OPERATOR, openHold(), link().body)).toBe(OPERATOR);
    expect(throughLink(by, openHold(), undefined)).toBe(by);
  });
});

describe("attack 3: an asker is given a link only where the operator allows it (G7)", () => {
  const CASE = { name: "hitl" };
  const place = (agentLinks: AgentLinks, face: Hold["face"], links: Hold["links"] = "agent") =>
    given().when(
      { kind: "place_hold", hold: holdIn({ links, newLinks: [newLink()], ...(face && { face }) }) },
      { by: AGENT, platform: { ...TEST_PLATFORM, agentLinks } },
    );

  test.each([
    ["never", undefined, "server"],
    ["never", CASE, "server"],
    ["hitl", undefined, "server"],
    ["hitl", { name: "other" }, "server"],
    ["hitl", CASE, "agent"],
    ["always", undefined, "agent"],
    ["always", CASE, "agent"],
  ] as const)(
    "with agent_links %s, links of a hold placed by the face %j go to the %s",
    (agentLinks, face, links) => {
      const after = place(agentLinks, face).then("hold.placed");
      expect(after.hold().links).toBe(links);
      expect(after.get("link", "h1.hash-1") !== undefined).toBe(links === "agent");
    },
  );

  test("a hold that asks for no link gets none, even if the operator allows links for agents", () => {
    const after = place("always", CASE, "server").then("hold.placed");
    expect(after.get("link", "h1.hash-1")).toBeUndefined();
  });

  test("people are notified through the default channel when the asker is refused a link", () => {
    const notify = { allow: [], channels: {}, defaultChannel: "console" };
    const command = { kind: "place_hold", hold: holdIn({ links: "agent" }) } as const;
    const platform = { ...TEST_PLATFORM, agentLinks: "hitl", notify } as const;
    const { rungs } = given().when(command, { by: AGENT, platform }).then("hold.placed").hold();
    expect(rungs).toMatchObject([{ channel: "console" }]);
  });

  test("once the operator forbids links for agents, placing again with the same key makes no further link", () => {
    const keyed = (hash: string) =>
      ({ kind: "place_hold", hold: holdIn({ key: "k", newLinks: [newLink({ hash })] }) }) as const;
    const placed = given().when(keyed("hash-1"), { by: AGENT }).then("hold.placed");
    placed.when(keyed("hash-2"), { by: AGENT }).then("hold.link_made");
    const platform = { ...TEST_PLATFORM, agentLinks: "never" } as const;
    placed.when(keyed("hash-2"), { by: AGENT, platform }).then();
    const inline = { ...submitFor("ada"), link: newLink({ hash: "hash-3", purpose: "submit" }) };
    placed.when(inline, { by: AGENT, platform }).refused("not_allowed");
    placed.when(inline, { by: AGENT }).then("hold.link_made");
  });

  test("an erased outcome still records that the answer came through the asker's link", () => {
    const after = place("always", undefined).then("hold.placed").when(answer, { by });
    const decided = after.then("hold.decided");
    const erased = decided.when({ kind: "erase_hold", holdId: "h1" }, { by: DEV }).then("hold.erased");
    expect(erased.hold().outcome).toMatchObject({ by: { kind: "link", id: "link_1", givenTo: "asker" } });
  });
});

describe("a link limited to some actions does nothing else (G7)", () => {
  const dismiss = { kind: "cancel_hold", holdId: "h1", linkHash: "hash-1" } as const;

  test("attack 12: a link limited to some actions cannot dismiss the hold", () => {
    answered(openHold(), link({ actions: ["reject"] }), dismiss).refused("not_allowed");
    answered(openHold(), link(), dismiss).then("hold.cancelled");
  });

  test("a review link limited to some actions answers with those only", () => {
    answered(openHold(), link({ actions: ["reject"] })).refused("not_allowed");
    answered(openHold(), link({ actions: ["approve"] })).then("hold.decided");
  });
});
