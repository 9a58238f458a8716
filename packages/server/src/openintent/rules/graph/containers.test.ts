import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moves, play } from "../../../testing/containers.ts";

describe("random graphs, portfolios, plans and tasks keep all container rules", () => {
  test.each(["strict", "soft"] as const)(
    "OI-130 OI-131 OI-134 OI-138 OI-142 OI-148 random graphs with a %s gate keep all container rules",
    (gate) => {
      const met = new Map<string, number>();
      fc.assert(
        fc.property(moves, (all) => {
          for (const [word, count] of play(all, gate)) met.set(word, (met.get(word) ?? 0) + count);
        }),
        { seed: 26, numRuns: 25 },
      );
      // The run must have exercised every rule; otherwise a pass proves nothing.
      for (const word of [
        "suspend_intent done",
        "respond_to_suspension done",
        "set_status done",
        "set_status dependencies_incomplete",
        "add_dependency dependency_cycle",
        "change_task done",
        "change_task suspension_pending",
        "add_member done",
        "create_plan done",
      ]) {
        expect(met.get(word) ?? 0, word).toBeGreaterThan(0);
      }
    },
  );

  test.each([
    { gate: "strict", room: 0, movesPerTick: 1 },
    { gate: "soft", room: 1, movesPerTick: 1 },
    { gate: "strict", room: 0, movesPerTick: 3 },
    { gate: "soft", room: 0, movesPerTick: 5 },
  ] as const)(
    "G13: they do where what follows is left to later commits ($gate gate, room for $room, $movesPerTick moves before timers fire)",
    ({ gate, ...pace }) => {
      let left = 0;
      fc.assert(
        fc.property(moves, (all) => {
          left += play(all, gate, pace).get("left behind") ?? 0;
        }),
        { seed: 26, numRuns: 25 },
      );
      expect(left).toBeGreaterThan(50);
    },
  );
});
