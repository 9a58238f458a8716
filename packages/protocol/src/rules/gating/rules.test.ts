import { describe, expect, test } from "vitest";
import { plainJudge } from "../../testing/plain-judge.ts";
import { checkRules } from "./check-rules.ts";
import { explainRule } from "./explain-rule.ts";
import { explainGrantArgs, grantArgs, isExact } from "./grant-terms.ts";
import { type RecordedCheck, replay, sum } from "./replay.ts";
import { reviewRules } from "./review-rules.ts";
import type { GateRule, RuleSet } from "./rule.ts";

function set(...rules: readonly GateRule[]): RuleSet {
  return { rules, default: "ask", mode: "enforce" };
}

const problemsOf = (...rules: readonly GateRule[]) =>
  checkRules(set(...rules), plainJudge).map(({ key, rule }) => `${key} ${rule}`);

describe("checking rules before they are published", () => {
  test("accepts the rules that the documentation shows", () => {
    expect(
      problemsOf(
        { tools: ["read_*"], verdict: "allow" },
        { tools: ["refund"], when: { "args.amount": { min: 0, max: 50 } }, verdict: "allow" },
        { tools: ["sh"], when: { "annotations.destructiveHint": { equals: true } }, verdict: "ask", uses: 2 },
        {
          tools: ["sh"],
          when: { "args.cmd": { matches: "^ls" }, "args.x": { exists: false } },
          verdict: "deny",
        },
      ),
    ).toEqual([]);
  });

  test.each<[string, GateRule, string]>([
    ["a path outside the arguments", { tools: ["x"], when: { amount: { min: 1 } }, verdict: "ask" }, "path"],
    ["a path without a name", { tools: ["x"], when: { "args.": { min: 1 } }, verdict: "ask" }, "path"],
    ["an empty condition", { tools: ["x"], when: { "args.a": {} }, verdict: "ask" }, "condition"],
    [
      "a range without values",
      { tools: ["x"], when: { "args.a": { min: 2, max: 1 } }, verdict: "ask" },
      "condition",
    ],
    ["a broken pattern", { tools: ["x"], when: { "args.a": { matches: "(" } }, verdict: "ask" }, "condition"],
    [
      "a pattern that leaves its group",
      { tools: ["x"], when: { "args.a": { matches: ")(" } }, verdict: "ask" },
      "condition",
    ],
    [
      "an absent argument with a value",
      { tools: ["x"], when: { "args.a": { exists: false, min: 1 } }, verdict: "ask" },
      "condition",
    ],
    [
      "an allow rule that trusts a hint",
      { tools: ["x"], when: { "annotations.readOnlyHint": { equals: true } }, verdict: "allow" },
      "path",
    ],
    ["a timeout in a deny rule", { tools: ["x"], verdict: "deny", timeout: "2h" }, "ask_only"],
  ])("refuses %s", (_what, rule, problem) => {
    expect(problemsOf(rule)).toEqual([expect.stringContaining(problem)]);
  });

  test("refuses two rules of the same name", () => {
    const rule: GateRule = { name: "x", tools: ["x"], verdict: "ask" };
    expect(problemsOf(rule, rule)).toEqual(["/rules/1/name unique"]);
  });
});

describe("reviewing rules", () => {
  const kinds = (...rules: readonly GateRule[]) => reviewRules(set(...rules)).map(({ kind }) => kind);

  test("names a rule that never counts, because an earlier rule matches everything it matches", () => {
    expect(
      kinds(
        { tools: ["read_*"], verdict: "allow" },
        { tools: ["read_file"], when: { "args.a": { min: 1 } }, verdict: "deny" },
      ),
    ).toEqual(["unreachable"]);
    expect(kinds({ tools: ["a"], verdict: "allow" }, { tools: ["a"], verdict: "allow" })).toEqual([
      "unreachable",
    ]);
  });

  test("names two rules for the same calls with different verdicts", () => {
    expect(kinds({ tools: ["a"], verdict: "allow" }, { tools: ["a"], verdict: "deny" })).toEqual([
      "contradictory",
    ]);
  });

  test("names rules that some calls match both, but not an exception before a wider rule", () => {
    expect(
      kinds(
        { tools: ["a"], when: { "args.x": { min: 1 } }, verdict: "deny" },
        { tools: ["a", "b"], agents: ["c"], verdict: "allow" },
      ),
    ).toEqual(["overlapping"]);
    expect(kinds({ tools: ["pay_*"], verdict: "allow" }, { tools: ["*_prod"], verdict: "deny" })).toEqual([
      "overlapping",
    ]);
    expect(
      kinds(
        { tools: ["a"], when: { "args.x": { min: 1 } }, verdict: "allow" },
        { tools: ["*"], verdict: "ask" },
      ),
    ).toEqual([]);
    expect(
      kinds({ tools: ["a"], verdict: "allow", mode: "shadow" }, { tools: ["a"], verdict: "deny" }),
    ).toEqual([]);
    expect(kinds({ tools: ["a"], verdict: "allow" }, { tools: ["b"], verdict: "deny" })).toEqual([]);
  });

  test("stops after a hundred warnings", () => {
    const rules = Array.from({ length: 150 }, (): GateRule => ({ tools: ["a"], verdict: "ask" }));
    expect(reviewRules(set(...rules))).toHaveLength(100);
  });
});

describe("rules in words", () => {
  test.each<[GateRule, string]>([
    [{ tools: ["*"], verdict: "ask" }, "Ask a person about every call."],
    [{ tools: ["a", "b"], agents: ["x"], verdict: "deny" }, "Deny calls of a or b by x."],
    [
      {
        tools: ["a"],
        when: { "args.n": { min: 1, max: 2 }, "args.c": { in: ["EUR", 7] } },
        verdict: "allow",
      },
      "Allow calls of a if n is from 1 to 2 and c is EUR or 7.",
    ],
    [
      {
        tools: ["a"],
        when: { "args.n": { min: 1 }, "args.m": { max: 2 }, "args.t": { matches: "x" } },
        verdict: "ask",
        mode: "shadow",
      },
      "Ask a person about calls of a if n is at least 1, m is at most 2 and t matches x (only recorded, without effect).",
    ],
    [
      {
        tools: ["a"],
        when: { "args.n": { exists: true, equals: null }, "args.m": { exists: false } },
        verdict: "ask",
      },
      "Ask a person about calls of a if n is given and is null and m is not given.",
    ],
    [
      {
        ...{ tools: ["pay"], verdict: "ask", timeout: "4h", uses: 3, per: "session", grantable: false },
        ladder: [
          { after: "1h", channel: "mail", to: "team:ops" },
          { after: "2h", channel: "chat" },
          { at: "2027-01-01T00:00:00Z", to: "oncall:ops" },
        ],
        decision: {
          approve: [
            { need: 2, from: ["team:finance", "person:lin"] },
            { need: 1, from: ["person:ada"] },
          ],
          ...{ reject: 2, exclude: ["owner", "previous_voters"], strength: "passkey", max_age: 60 },
        },
      },
      "Ask 2 of team:finance or person:lin and 1 of person:ada about calls of pay (2 rejections settle it; without owner and previous voters; proven by passkey; signed in within 60 s; within 4h; told after 1h by mail to team:ops, then after 2h by chat, then at 2027-01-01T00:00:00Z to oncall:ops; one approval counts for 3 calls; again in every session; similar calls cannot be allowed in advance).",
    ],
    [
      {
        ...{ tools: ["pay"], verdict: "ask" },
        decision: {
          order: "listed",
          approve: [
            { need: 2, from: ["team:ops"] },
            { need: 1, from: ["person:ada"] },
          ],
        },
      },
      "Ask 2 of team:ops, then 1 of person:ada about calls of pay.",
    ],
  ])("the rule %j is explained in a sentence", (rule, words) => {
    expect(explainRule(rule)).toBe(words);
  });
});

describe("the terms of a grant", () => {
  const args = { amount: 5, currency: "EUR", note: { a: 1 } };

  test("require arguments that nobody named to be equal", () => {
    const terms = grantArgs(args, { amount: { min: 0, max: 10 }, note: "any", currency: "equal" });
    expect(terms).toEqual({ amount: { min: 0, max: 10 }, currency: { equal: "EUR" }, note: { any: true } });
    expect(isExact(grantArgs(args, {}) as never)).toBe(true);
    expect(isExact(terms as never)).toBe(false);
  });

  test.each([
    [{ other: "any" }, "unknown"],
    [{ amount: { min: 9, max: 1 } }, "range"],
    [{ amount: { min: 6, max: 10 } }, "own_call"],
    [{ currency: { in: ["USD"] } }, "own_call"],
    [{ currency: { min: 0, max: 1 } }, "own_call"],
  ] as const)("are refused when they are %j", (given, rule) => {
    expect(grantArgs(args, given as never)).toMatchObject([{ rule }]);
  });

  test("are explained in words", () => {
    const terms = grantArgs(args, {
      amount: { min: 0, max: 10 },
      note: "any",
      currency: { in: ["EUR", "USD"] },
    });
    expect(explainGrantArgs(terms as never)).toBe(
      'amount is from 0 to 10, currency is one of "EUR", "USD", note is anything',
    );
    expect(explainGrantArgs({ a: { equal: 1 } })).toBe("a is 1");
    expect(explainGrantArgs({})).toBe("without arguments");
  });
});

describe("replaying recorded checks", () => {
  const check = (id: string, amount: number, part: Partial<RecordedCheck>): RecordedCheck => ({
    ...{ id, at: 0, agent: "a", tool: "pay", args: { amount }, verdict: "ask" },
    ...part,
  });
  const rules: RuleSet = {
    rules: [
      { tools: ["pay"], when: { "args.amount": { max: 10 } }, verdict: "allow" },
      { tools: ["pay"], when: { "args.amount": { min: 100 } }, verdict: "deny" },
    ],
    default: "ask",
    mode: "shadow",
  };
  const checks = [
    check("1", 5, { decided: "approved" }),
    check("2", 5, { decided: "rejected" }),
    check("3", 500, { decided: "approved" }),
    check("4", 50, { decided: "nobody" }),
    check("5", 50, { verdict: "allow" }),
    check("6", 5, { verdict: "deny" }),
    check("7", 5, { decided: "open" }),
  ];

  test("counts the calls with a different verdict, and lists the worst first", () => {
    const found = replay(checks, rules, plainJudge);
    expect(found).toMatchObject({
      ...{ checks: 7, approved: 2, approved_then_allowed: 1, approved_then_denied: 1 },
      ...{ rejected: 1, rejected_then_allowed: 1 },
      moves: { ask_allow: 3, ask_ask: 1, ask_deny: 1, allow_ask: 1, deny_allow: 1 },
    });
    expect(found.cases.map(({ check_id }) => check_id).slice(0, 3)).toEqual(["2", "3", "6"]);
    expect(Object.values(found.moves).reduce((all, one) => all + one, 0)).toBe(7);
  });

  test("gives the same numbers in pages as at once", () => {
    const pages = checks.map((one) => replay([one], rules, plainJudge));
    expect(sum(pages)).toEqual(replay(checks, rules, plainJudge));
    expect(sum([]).checks).toBe(0);
  });
});
