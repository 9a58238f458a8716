import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rule } from "../../testing/people.ts";
import { MOVES, moveOn, RULES, startRows, type VoteState, walkVotes } from "../../testing/vote-walk.ts";

describe.each(Object.entries(RULES))(
  "every sequence of up to 4 votes and changes, with the rule: %s",
  (_name, part) => {
    test("no hold is decided below its rule or twice, and nobody counts twice, suspended or excluded", () => {
      const { met } = walkVotes(rule(part), 4);
      for (const word of [
        "hold.voted",
        "hold.decided",
        "hold.expired",
        "hold.vote_withdrawn",
        "not_entitled",
      ])
        expect(met).toContain(word);
    });
  },
);

test("random long histories of votes keep every promise, whatever the rule (G1)", () => {
  const sources = fc.constantFrom("team:finance", "person:ada", "person:lin", "person:eve");
  const stage = fc.record({
    need: fc.integer({ min: 1, max: 2 }),
    from: fc.uniqueArray(sources, { minLength: 1, maxLength: 3 }),
  });
  const decision = fc.record({
    approve: fc.array(stage, { minLength: 1, maxLength: 3 }),
    reject: fc.integer({ min: 1, max: 2 }),
    order: fc.constantFrom("any" as const, "listed" as const),
    excluded: fc.subarray(["grace", "eve"]),
  });
  const moves = fc.array(fc.nat(MOVES.length - 1), { maxLength: 25 });
  fc.assert(
    fc.property(decision, moves, (part, history) => {
      let state: VoteState = { rows: startRows(rule(part)), now: 0 };
      for (const at of history) state = moveOn(state, MOVES[at] as (typeof MOVES)[number], new Set());
    }),
    { numRuns: 300 },
  );
});
