import { describe, expect, test } from "vitest";
import { openHold } from "../testing/core-samples.ts";
import { worldOf } from "../testing/core-step.ts";
import { given } from "../testing/given.ts";
import type { Stated } from "./fact.ts";
import { worldAfter } from "./world-after.ts";

describe("the world after what was just stated", () => {
  test("has it, one fact upon the other, and all else as before", () => {
    const rows = given(openHold({ progressedAt: 1 }), openHold({ id: "h2" }), {
      kind: "form_session",
      id: "h1",
      body: { holdId: "h1", values: {}, step: 0, savedAt: 1 },
    }).rows;
    const world = worldOf(rows, undefined, "refuse");
    const frame = { kind: "hold", id: "h1", at: 7, actor: "system" } as const;
    const facts: readonly Stated[] = [
      { ...frame, fact: { type: "hold.opened" } },
      { ...frame, fact: { type: "hold.expired", outcome: { kind: "expired", at: 7 } } },
    ];
    const after = worldAfter(world, facts);
    expect(after.get("hold", "h1")).toMatchObject({ openedAt: 7, status: "expired" });
    expect(after.get("form_session", "h1"), "what was deleted is gone").toBeUndefined();
    expect(after.get("hold", "h2")).toBe(world.get("hold", "h2"));
    expect(after.version("hold", "h1")).toBe(1);
    expect(world.get("hold", "h1")).toMatchObject({ status: "open" });
  });
});
