import { describe, expect, test } from "vitest";
import { type Command, TABLE } from "../../domains.ts";
import { AGENT, holdIn, newLink, openHold, WORKSPACE } from "../../testing/core-samples.ts";
import { type BareCommand, given } from "../../testing/given.ts";
import type { AnyWorld } from "../table.ts";
import type { Hold } from "./hold.ts";

const nothing: AnyWorld = { attachments: TABLE.attachments, get: () => undefined, version: () => 0 };

/** `kind id`, with a question mark for entities that are only read. */
function named(command: BareCommand, world: AnyWorld = nothing): readonly string[] {
  const found = TABLE.needs({ ...command, workspace: WORKSPACE, by: AGENT } as Command, world);
  return found.map(({ kind, id, read }) => `${kind} ${id}${read === true ? "?" : ""}`);
}

function worldWith(hold: Hold): AnyWorld {
  const { rows, get } = given(hold, { kind: "hold_key", id: "refunder\nk", body: { holdId: hold.id } });
  return { attachments: TABLE.attachments, get: get as AnyWorld["get"], version: () => rows.size };
}

describe("what a command loads and locks", () => {
  const settings = "workspace settings?";

  test("placing a hold reads the settings, its predecessor, its key and the hold already placed under that key", () => {
    expect(named({ kind: "place_hold", hold: holdIn() })).toEqual([settings]);
    expect(named({ kind: "place_hold", hold: holdIn({ previous: "h0" }) })).toEqual([settings, "hold h0"]);
    const keyed: BareCommand = { kind: "place_hold", hold: holdIn({ id: "h2", key: "k" }) };
    expect(named(keyed)).toEqual([settings, "hold_key refunder\nk"]);
    expect(named(keyed, worldWith(openHold()))).toEqual([settings, "hold_key refunder\nk", "hold h1"]);
  });

  test("a command about one open hold loads everything that ending the hold would change", () => {
    const answer: BareCommand = {
      kind: "answer_hold",
      holdId: "h1",
      action: "approve",
      data: {},
      door: "rest",
    };
    expect(named(answer)).toEqual(["hold h1", settings]);
    expect(named(answer, worldWith(openHold()))).toEqual(["hold h1", settings]);
    const begun = worldWith(openHold({ progressedAt: 1 }));
    expect(named(answer, begun)).toEqual(["hold h1", settings, "form_session h1"]);
    expect(named(answer, worldWith(openHold({ status: "cancelled" })))).toEqual(["hold h1", settings]);
    const grouped = worldWith(openHold({ groupId: "g1" }));
    expect(named(answer, grouped)).toEqual(["hold h1", settings, "group g1", "release g1"]);
  });

  test("a command that names a link by its hash loads that link", () => {
    expect(named({ kind: "open_hold", holdId: "h1", linkHash: "x" })).toEqual([
      "hold h1",
      settings,
      "link h1.x",
    ]);
    expect(named({ kind: "revoke_link", holdId: "h1", linkHash: "x" })).toEqual([
      "hold h1",
      settings,
      "link h1.x",
    ]);
    expect(named({ kind: "make_link", holdId: "h1", link: newLink() })).toEqual(["hold h1", settings]);
  });

  test("a command about a group loads the group, and placing with a known key loads the group of that key", () => {
    const resume: BareCommand = { kind: "answer_group", groupId: "g1", entries: [], door: "agui" };
    expect(named(resume)).toEqual(["group g1"]);
    const place: BareCommand = {
      kind: "place_group",
      groupId: "g2",
      holds: [holdIn({ id: "h2", key: "k" })],
    };
    expect(named(place)).toEqual(["group g2", settings, "hold_key refunder\nk"]);
    expect(named(place, worldWith(openHold({ groupId: "g1" })))).toContain("group g1");
  });
});
