import { describe, expect, test } from "vitest";
import { rule } from "../../testing/people.ts";
import { RULES, walkVotes } from "../../testing/vote-walk.ts";

describe.each(Object.entries(RULES))(
  "every sequence of up to 8 votes and changes, with the rule: %s",
  (_name, part) => {
    test("no hold is decided below its rule or twice, and nobody counts twice, suspended or excluded", {
      timeout: 600_000,
    }, () => {
      const { met, states } = walkVotes(rule(part), 8);
      expect(met).toContain("hold.decided");
      expect(states).toBeGreaterThan(5_000);
    });
  },
);
