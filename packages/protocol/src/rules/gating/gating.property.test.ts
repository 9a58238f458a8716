import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainJudge } from "../../testing/plain-judge.ts";
import type { Json, JsonObject } from "../json.ts";
import { allowsEveryCall, evaluate } from "./evaluate.ts";
import { type ArgTermIn, type GrantArgs, grantArgs, matchesGrant } from "./grant-terms.ts";
import { coversName, matchesName, meetsName } from "./name-pattern.ts";
import type { ArgCondition, GateRule, RuleSet } from "./rule.ts";

const RUNS = { numRuns: 2_000 };
/** Values that look alike and are not the same: spellings of numbers, Unicode forms, empty and inherited things. */
const tricky = fc.constantFrom<Json>(
  ...[
    1,
    1.5,
    -0,
    0,
    "1",
    "1.0",
    "1e0",
    true,
    false,
    null,
    "",
    " 1",
    "\u00e9",
    "e\u0301",
    "EUR",
    "eur",
    "\u0415UR",
  ],
  ...[[], [1], {}, { amount: 1 }, { valueOf: 1 }],
);
const name = fc.constantFrom("amount", "currency", "to", "__proto__", "constructor", "toString");
const args = fc.array(fc.tuple(name, tricky), { maxLength: 4 }).map((entries) => {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object as JsonObject;
});
const condition: fc.Arbitrary<ArgCondition> = fc.oneof(
  tricky.map((equals) => ({ equals })),
  fc.array(tricky, { minLength: 1, maxLength: 3 }).map((among) => ({ in: among })),
  fc.record({ min: fc.integer({ min: -2, max: 2 }), max: fc.integer({ min: -2, max: 2 }) }),
  fc.constantFrom("^1$", "U", "^$").map((matches) => ({ matches })),
  fc.boolean().map((exists) => ({ exists })),
);
const when = fc.dictionary(
  name.filter((key) => key !== "__proto__").map((key) => `args.${key}`),
  condition,
  { maxKeys: 3 },
);

function allows(rule: GateRule, given: JsonObject): boolean {
  const set: RuleSet = { rules: [rule], default: "ask", mode: "enforce" };
  return evaluate(set, { agent: "a", tool: "pay", args: given }, plainJudge).verdict === "allow";
}

describe("rules hold for every call", () => {
  test("there is always exactly one verdict, and the same call always gets the same", () => {
    const verdicts = fc.constantFrom("allow", "ask", "deny" as const);
    const rule = fc.record({
      tools: fc.constant(["pay"]),
      when,
      verdict: verdicts,
    }) as fc.Arbitrary<GateRule>;
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), args, verdicts, (rules, given, byDefault) => {
        const set = { rules, default: byDefault, mode: "enforce" } as RuleSet;
        const call = { agent: "a", tool: "pay", args: given };
        const once = evaluate(set, call, plainJudge);
        expect(["allow", "ask", "deny"]).toContain(once.verdict);
        expect(evaluate(set, call, plainJudge)).toEqual(once);
      }),
      RUNS,
    );
  });

  test("adding a condition to an allow rule never allows more calls", () => {
    fc.assert(
      fc.property(when, name, condition, args, (conditions, more, extra, given) => {
        const wide: GateRule = { tools: ["pay"], when: conditions, verdict: "allow" };
        const path = `args.${more}`;
        if (path in conditions) return;
        const narrow: GateRule = { ...wide, when: { ...conditions, [path]: extra } };
        if (allows(narrow, given)) expect(allows(wide, given)).toBe(true);
      }),
      RUNS,
    );
  });

  test("rules that allow every call of a tool give no other verdict, whatever the arguments are", () => {
    const rule = fc.record(
      {
        tools: fc.constantFrom(["pay"], ["p*"], ["other"]),
        agents: fc.constantFrom(["a"], ["b*"]),
        when: fc.oneof(fc.constant({}), when),
        verdict: fc.constantFrom("allow", "ask", "deny"),
        mode: fc.constantFrom("enforce", "shadow"),
      },
      { requiredKeys: ["tools", "verdict"] },
    ) as fc.Arbitrary<GateRule>;
    const byDefault = fc.constantFrom("allow", "ask" as const);
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), byDefault, args, (rules, chosen, given) => {
        const set = { rules, default: chosen, mode: "enforce" } as RuleSet;
        if (!allowsEveryCall(set, "a", "pay")) return;
        const found = evaluate(set, { agent: "a", tool: "pay", args: given }, plainJudge);
        expect(found.verdict).toBe("allow");
        expect(found.shadow).toBeUndefined();
      }),
      RUNS,
    );
  });

  test("an allow rule with a range matches only numbers within it", () => {
    fc.assert(
      fc.property(args, fc.integer({ min: -2, max: 2 }), (given, min) => {
        const rule: GateRule = {
          tools: ["pay"],
          when: { "args.amount": { min, max: min + 1 } },
          verdict: "allow",
        };
        const amount = Object.hasOwn(given, "amount") ? given["amount"] : undefined;
        const isWithin = typeof amount === "number" && amount >= min && amount <= min + 1;
        expect(allows(rule, given)).toBe(isWithin);
      }),
      RUNS,
    );
  });

  test("a missing argument never matches an allow rule, unless the rule says that it must be absent", () => {
    fc.assert(
      fc.property(condition, args, (asked, given) => {
        fc.pre(!Object.hasOwn(given, "amount"));
        const rule: GateRule = { tools: ["pay"], when: { "args.amount": asked }, verdict: "allow" };
        expect(allows(rule, given)).toBe(asked.exists === false);
      }),
      RUNS,
    );
  });
});

describe("an argument of another type", () => {
  const typed: readonly (readonly [ArgCondition, (value: Json) => boolean])[] = [
    [{ equals: 1 }, (value) => typeof value === "number"],
    [{ equals: "1" }, (value) => typeof value === "string"],
    [{ equals: true }, (value) => typeof value === "boolean"],
    [{ in: [1, 0, -1] }, (value) => typeof value === "number"],
    [{ min: -9, max: 9 }, (value) => typeof value === "number"],
    [{ matches: "" }, (value) => typeof value === "string"],
  ];

  test('never matches an allow rule: 1 is not "1", [1], true or { valueOf: 1 }', () => {
    fc.assert(
      fc.property(fc.constantFrom(...typed), tricky, ([asked, fits], amount) => {
        fc.pre(!fits(amount));
        const rule: GateRule = { tools: ["pay"], when: { "args.amount": asked }, verdict: "allow" };
        expect(allows(rule, { amount })).toBe(false);
      }),
      RUNS,
    );
  });

  test("a number matches alike however it was written, and the order of members does not matter", () => {
    const rule: GateRule = { tools: ["pay"], when: { "args.amount": { equals: 1 } }, verdict: "allow" };
    for (const text of ["1", "1.0", "1e0", "10e-1", "0.1e1"]) {
      expect(allows(rule, JSON.parse(`{ "amount": ${text}, "to": "ada" }`))).toBe(true);
      expect(allows(rule, JSON.parse(`{ "to": "ada", "amount": ${text} }`))).toBe(true);
      expect(allows(rule, JSON.parse(`{ "amount": "${text}" }`))).toBe(false);
    }
    // Letters that look alike, or that Unicode counts as equal, are other letters.
    const named: GateRule = { tools: ["pay"], when: { "args.to": { equals: "é" } }, verdict: "allow" };
    expect(allows(named, { to: "\u00e9" })).toBe(true);
    for (const to of ["e\u0301", "É", "é\u200b", "е"]) expect(allows(named, { to })).toBe(false);
    expect(allows(rule, JSON.parse('{ "__proto__": { "amount": 1 } }'))).toBe(false);
  });
});

describe("grants hold for every call", () => {
  const term: fc.Arbitrary<ArgTermIn> = fc.oneof(
    fc.constantFrom<ArgTermIn>("equal", "any"),
    fc.array(tricky, { minLength: 1, maxLength: 3 }).map((among) => ({ in: among })),
    fc.tuple(fc.integer({ min: -2, max: 2 }), fc.nat(3)).map(([min, more]) => ({ min, max: min + more })),
  );

  test("a grant allows no call outside its terms, whatever spelling, order or inherited member is tried", () => {
    fc.assert(
      fc.property(args, fc.dictionary(name, term, { maxKeys: 3 }), args, (approved, given, tried) => {
        const terms = grantArgs(approved, given);
        if (Array.isArray(terms)) return;
        expect(matchesGrant(terms as GrantArgs, approved)).toBe(true);
        if (!matchesGrant(terms as GrantArgs, tried)) return;
        expect(Object.keys(tried).toSorted()).toEqual(Object.keys(approved).toSorted());
        for (const key of Object.keys(approved)) {
          const value = tried[key] as Json;
          const asked = Object.hasOwn(given, key) ? given[key] : "equal";
          if (asked === "any") continue;
          if (asked === "equal" || asked === undefined) expect(text(value)).toBe(text(approved[key] as Json));
          else if (typeof asked === "object" && "in" in asked)
            expect(asked.in.map(text)).toContain(text(value));
          else expect(typeof value === "number" && value >= asked.min && value <= asked.max).toBe(true);
        }
      }),
      RUNS,
    );
  });

  /** -0 and 0 are one JSON number; everything else differs if its text differs. */
  function text(value: Json): string {
    return JSON.stringify(value);
  }
});

describe("patterns for names", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "_"), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "_", "*"), minLength: 1, maxLength: 8 });

  test("a pattern matches exactly what the regular expression with .* for each star matches", () => {
    fc.assert(
      fc.property(pattern, letters, (of, text) => {
        const expression = new RegExp(`^${of.replaceAll("*", ".*")}$`, "s");
        expect(matchesName(of, text)).toBe(expression.test(text));
      }),
      RUNS,
    );
  });

  test("two patterns meet exactly if some name matches both", () => {
    const short = fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 4 });
    const names = Array.from({ length: 9 }, (_none, length) =>
      Array.from({ length: 2 ** length }, (_zero, bits) =>
        Array.from({ length }, (_one, at) => ((bits >> at) % 2 === 0 ? "a" : "b")).join(""),
      ),
    ).flat();
    fc.assert(
      fc.property(short, short, (one, other) => {
        const isMet = names.some((text) => matchesName(one, text) && matchesName(other, text));
        expect(meetsName(one, other)).toBe(isMet);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a pattern that covers another matches every name that the other matches", () => {
    fc.assert(
      fc.property(pattern, pattern, letters, (wide, narrow, text) => {
        if (coversName(wide, narrow) && matchesName(narrow, text)) expect(matchesName(wide, text)).toBe(true);
      }),
      RUNS,
    );
  });
});
