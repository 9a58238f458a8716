import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostSeats } from "../../testing/people.ts";
import type { Seat } from "./decision.ts";
import { type Candidate, isFull, matchSeats, total } from "./matching.ts";

const own = (person: string, ...stages: readonly number[]): Candidate => ({
  person,
  seats: [{ person, stages }],
});

describe("matching voters to seats", () => {
  test("a voter who fits two stages leaves the first to a voter who fits only that one", () => {
    const voters = [own("ada", 0, 1), own("grace", 0)];
    expect(matchSeats(voters, [1, 1]).given).toEqual([1, 1]);
    expect(matchSeats(voters.toReversed(), [1, 1]).given).toEqual([1, 1]);
  });

  test("a person fills one seat in the whole rule", () => {
    expect(matchSeats([own("ada", 0, 1)], [1, 1]).given).toEqual([1, 0]);
  });

  test("a delegate fills the absent person's seat or their own, and never both", () => {
    const lin: Candidate = {
      person: "lin",
      seats: [
        { person: "lin", stages: [0] },
        { person: "ada", stages: [1] },
      ],
    };
    expect(matchSeats([lin], [1, 1])).toMatchObject({ given: [1, 0], standsFor: new Map([["lin", "lin"]]) });
    const both = matchSeats([own("grace", 0), lin], [1, 1]);
    expect(both.given).toEqual([1, 1]);
    expect(both.standsFor.get("lin")).toBe("ada");
  });

  test("an absent person is represented once, by a delegate or by themselves", () => {
    const forAda: Candidate = { person: "lin", seats: [{ person: "ada", stages: [0] }] };
    expect(matchSeats([forAda, own("ada", 0)], [2]).given).toEqual([1]);
    expect(matchSeats([forAda, own("ada", 0)], [2]).standsFor).toEqual(new Map([["lin", "ada"]]));
  });
});

test("the matching fills as many seats as trying every assignment does, and nobody twice", () => {
  const names = ["a", "b", "c", "d"];
  const stages = fc.uniqueArray(fc.nat(2), { minLength: 1 });
  const everybody = fc.tuple(stages, stages, stages, stages);
  const delegates = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 4 });
  const needs = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }), fc.nat(2));
  fc.assert(
    fc.property(everybody, delegates, needs, fc.subarray(names), (entitled, standing, wanted, voting) => {
      const seat = (at: number): Seat => ({ person: names[at] as string, stages: entitled[at] as number[] });
      const voters = voting.map((person): Candidate => {
        const me = names.indexOf(person);
        const others = standing.filter(([from, to]) => from === me && to !== me).map(([, to]) => seat(to));
        return { person, seats: [seat(me), ...new Map(others.map((one) => [one.person, one])).values()] };
      });
      const found = matchSeats(voters, wanted);
      expect(total(found)).toBe(mostSeats(voters, wanted));
      expect(found.given.every((given, stage) => given <= (wanted[stage] as number))).toBe(true);
      expect(new Set(found.standsFor.values()).size).toBe(found.standsFor.size);
      expect(found.standsFor.size).toBe(total(found));
      expect(isFull(found, wanted)).toBe(total(found) === wanted[0] + wanted[1] + wanted[2]);
    }),
    { numRuns: 500 },
  );
});
