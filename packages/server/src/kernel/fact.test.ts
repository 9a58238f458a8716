import { describe, expect, test } from "vitest";
import { APPROVAL, APPROVED, openHold } from "../testing/core-samples.ts";
import { asLogged, type Recorded } from "../testing/tables.ts";

const frame = { kind: "hold", id: "h1", at: 5, actor: "key:ada" } as const;

describe("a fact as a log event", () => {
  test("a log event names its stream, its actor and the agent that may follow it", () => {
    const stated: Recorded = { ...frame, audience: "refunder", fact: { type: "hold.opened" } };
    expect(asLogged(stated, "default")).toEqual({
      workspace: "default",
      stream: "hold:h1",
      type: "hold.opened",
      at: 5,
      actor: "key:ada",
      audience: "refunder",
      data: {},
    });
  });

  test("a log event carries private content apart from its data, because content is stored in the row", () => {
    const placed = asLogged({ ...frame, fact: { type: "hold.placed", hold: openHold() } }, "default");
    expect(placed?.content).toMatchObject({ ask: APPROVAL });
    const decided = asLogged({ ...frame, fact: { type: "hold.decided", outcome: APPROVED } }, "default");
    expect(decided?.content).toEqual(APPROVED);
    const expired = { kind: "expired", at: 5 } as const;
    expect(
      asLogged({ ...frame, fact: { type: "hold.expired", outcome: expired } }, "default")?.content,
    ).toEqual(expired);
    const cancelled = { kind: "cancelled", cancelledBy: { kind: "key", id: "k" }, at: 5 } as const;
    expect(
      asLogged({ ...frame, fact: { type: "hold.cancelled", outcome: cancelled } }, "default")?.content,
    ).toEqual(cancelled);
  });

  test("facts about groups and settings become log events of their own streams", () => {
    const group = { id: "g1", createdBy: "refunder", createdAt: 1, members: ["a", "b"] };
    const placed: Recorded = { ...frame, kind: "group", id: "g1", fact: { type: "group.placed", group } };
    expect(asLogged(placed, "default")).toMatchObject({ stream: "group:g1", data: { members: ["a", "b"] } });
    expect(asLogged({ ...placed, fact: { type: "group.released" } }, "default")).toMatchObject({ data: {} });
    const settings: Recorded = {
      ...frame,
      kind: "workspace",
      id: "settings",
      fact: { type: "workspace.changed", settings: { webhooks: [] } },
    };
    expect(asLogged(settings, "default")).toMatchObject({
      stream: "workspace:settings",
      data: { webhooks: 0 },
    });
  });

  test("saving an unfinished answer writes no log event", () => {
    const session = { holdId: "h1", values: {}, step: 0, savedAt: 1 };
    expect(asLogged({ ...frame, fact: { type: "hold.draft_saved", session } }, "default")).toBeNull();
  });
});
