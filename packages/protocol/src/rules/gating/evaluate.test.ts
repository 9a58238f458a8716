import { describe, expect, test } from "vitest";
import { plainJudge } from "../../testing/plain-judge.ts";
import type { JsonObject } from "../json.ts";
import { allowsEveryCall, askRules, evaluate, isAbout } from "./evaluate.ts";
import type { GateRule, RuleSet, ToolCall } from "./rule.ts";

function set(rules: readonly GateRule[], part: Partial<RuleSet> = {}): RuleSet {
  return { rules, default: "ask", mode: "enforce", ...part };
}

function call(tool: string, args: JsonObject = {}, agent = "buyer"): ToolCall {
  return { agent, tool, args };
}

const verdict = (rules: RuleSet, of: ToolCall) => evaluate(rules, of, plainJudge).verdict;

const SAMPLE = set([
  { tools: ["read_*", "search"], verdict: "allow" },
  {
    tools: ["refund"],
    when: { "args.amount": { max: 50 }, "args.currency": { in: ["EUR", "USD"] } },
    verdict: "allow",
  },
  { name: "large wires", tools: ["wire"], when: { "args.amount": { min: 10_000 } }, verdict: "ask" },
  { agents: ["intern-*"], tools: ["*"], verdict: "deny", reason: "Interns' agents only read" },
]);

describe("evaluating rules on one call", () => {
  test("a text that a rule's pattern would take too long for never allows, and a person decides instead of a deny (G13)", () => {
    let tested = 0;
    const costly = (matches: boolean) => {
      const count = () => {
        tested += 1;
        return matches;
      };
      return { ...plainJudge, pattern: () => Object.assign(count, { size: 100 }) };
    };
    const rule = (verdict: "allow" | "deny") =>
      set([{ tools: ["run"], when: { "args.command": { matches: "rm" } }, verdict }], { default: "deny" });
    const run = (verdict: "allow" | "deny", length: number) =>
      evaluate(rule(verdict), call("run", { command: "x".repeat(length) }), costly(true));
    expect(run("allow", 100_000).verdict).toBe("allow");
    expect(run("allow", 100_001)).toMatchObject({ index: null, verdict: "deny" });
    expect(run("deny", 100_000).verdict).toBe("deny");
    expect(run("deny", 100_001)).toMatchObject({
      verdict: "ask",
      reason: expect.stringContaining("too long"),
    });
    // All rules of one call share the budget.
    const many = set(Array.from({ length: 5 }, () => rule("allow").rules[0] as GateRule));
    tested = 0;
    evaluate(many, call("run", { command: "x".repeat(40_000) }), costly(false));
    expect(tested).toBe(2);
  });

  test.each([
    ["read_file", {}, "allow"],
    ["search", {}, "allow"],
    ["searching", {}, "ask"],
    ["refund", { amount: 50, currency: "EUR" }, "allow"],
    ["refund", { amount: 51, currency: "EUR" }, "ask"],
    ["refund", { amount: 5, currency: "GBP" }, "ask"],
    ["refund", { amount: 5 }, "ask"],
    ["refund", { amount: "5", currency: "EUR" }, "ask"],
    ["refund", { amount: [5], currency: "EUR" }, "ask"],
    ["refund", { amount: null, currency: "EUR" }, "ask"],
    ["wire", { amount: 20_000 }, "ask"],
  ] as const)("a call of %s with %j gets the verdict %s", (tool, args, wanted) => {
    expect(verdict(SAMPLE, call(tool, args))).toBe(wanted);
  });

  test("the first rule that matches counts, and its reason is told", () => {
    const asked = evaluate(SAMPLE, call("delete", {}, "intern-7"), plainJudge);
    expect(asked).toEqual({ index: 3, verdict: "deny", reason: "Interns' agents only read" });
    expect(verdict(SAMPLE, call("read_file", {}, "intern-7"))).toBe("allow");
    expect(evaluate(SAMPLE, call("wire", { amount: 10_000 }), plainJudge).index).toBe(2);
  });

  test.each(["allow", "ask", "deny"] as const)(
    "a call that no rule matches gets the default %s",
    (byDefault) => {
      const found = evaluate(set([], { default: byDefault }), call("x"), plainJudge);
      expect(found).toMatchObject({ index: null, verdict: byDefault });
    },
  );

  test("an ask or deny rule becomes a question when an argument has an unexpected type", () => {
    const rules = set([{ tools: ["wire"], when: { "args.amount": { min: 100 } }, verdict: "deny" }], {
      default: "allow",
    });
    expect(verdict(rules, call("wire", { amount: 100 }))).toBe("deny");
    expect(verdict(rules, call("wire", { amount: "100" }))).toBe("ask");
    expect(verdict(rules, call("wire", { amount: 99 }))).toBe("allow");
    expect(verdict(rules, call("wire", {}))).toBe("allow");
  });

  test("a condition reads nested arguments and list items, and never what objects inherit", () => {
    const rules = set([
      { tools: ["a"], when: { "args.to.0.name": { equals: "ada" } }, verdict: "allow" },
      { tools: ["b"], when: { "args.constructor": { exists: true } }, verdict: "allow" },
      { tools: ["c"], when: { "args.__proto__.x": { exists: true } }, verdict: "allow" },
      { tools: ["d"], when: { "args.x": { exists: false } }, verdict: "allow" },
    ]);
    expect(verdict(rules, call("a", { to: [{ name: "ada" }] }))).toBe("allow");
    expect(verdict(rules, call("a", { to: [{ name: "eve" }] }))).toBe("ask");
    expect(verdict(rules, call("a", { to: "ada" }))).toBe("ask");
    expect(verdict(rules, call("b"))).toBe("ask");
    expect(verdict(rules, call("c"))).toBe("ask");
    expect(verdict(rules, call("d", { x: 1 }))).toBe("ask");
    expect(verdict(rules, call("d"))).toBe("allow");
  });

  test("matches finds its pattern anywhere in a text", () => {
    const rules = set([{ tools: ["sh"], when: { "args.cmd": { matches: "rm -rf" } }, verdict: "deny" }]);
    expect(verdict(rules, call("sh", { cmd: "sudo rm -rf /" }))).toBe("deny");
    expect(verdict(rules, call("sh", { cmd: "ls" }))).toBe("ask");
    expect(verdict(rules, call("sh", { cmd: 7 }))).toBe("ask");
    const anchored = set([
      { tools: ["sh"], when: { "args.cmd": { matches: "^git (status|log)$" } }, verdict: "allow" },
    ]);
    expect(verdict(anchored, call("sh", { cmd: "git status" }))).toBe("allow");
    expect(verdict(anchored, call("sh", { cmd: "git status; rm x" }))).toBe("ask");
  });

  test("a pattern that cannot be evaluated never allows a call", () => {
    const rules = set([{ tools: ["sh"], when: { "args.cmd": { matches: "(" } }, verdict: "allow" }]);
    expect(verdict(rules, call("sh", { cmd: "(" }))).toBe("ask");
  });
});

describe("shadow mode", () => {
  const rules: readonly GateRule[] = [
    { tools: ["wire"], verdict: "deny", mode: "shadow" },
    { tools: ["wire"], when: { "args.amount": { min: 100 } }, verdict: "ask" },
  ];

  test("a set in shadow mode lets every call go on and records what it would have said", () => {
    const found = evaluate(set(SAMPLE.rules, { mode: "shadow" }), call("x", {}, "intern-1"), plainJudge);
    expect(found).toMatchObject({ verdict: "allow", shadow: { index: 3, verdict: "deny" } });
    expect(evaluate(set([], { mode: "shadow" }), call("x"), plainJudge)).toMatchObject({
      verdict: "allow",
      shadow: { index: null, verdict: "ask" },
    });
    expect(askRules(set([], { mode: "shadow" }), call("x"))).toEqual([]);
  });

  test("a rule in shadow mode is recorded, and an enforced rule after it still counts", () => {
    const found = evaluate(set(rules), call("wire", { amount: 100 }), plainJudge);
    expect(found).toMatchObject({ index: 1, verdict: "ask", shadow: { index: 0, verdict: "deny" } });
    expect(evaluate(set(rules), call("wire", { amount: 1 }), plainJudge)).toMatchObject({
      verdict: "allow",
      shadow: { index: 0, verdict: "deny" },
    });
  });
});

describe("rules that may ask about a call", () => {
  test("include every rule that could ask when patterns are left unevaluated", () => {
    const rules = set([
      { tools: ["a"], when: { "args.x": { matches: "1" } }, verdict: "allow" },
      { tools: ["a"], when: { "args.x": { matches: "2" } }, verdict: "ask" },
      { tools: ["a"], verdict: "ask", mode: "shadow" },
      { tools: ["a"], when: { "args.y": { min: 1 } }, verdict: "deny" },
    ]);
    expect(askRules(rules, call("a", { x: "1" }))).toEqual([1, null]);
    expect(askRules(rules, call("a", { x: "1", y: 5 }))).toEqual([1]);
    expect(askRules(rules, call("a", { x: 1, y: "5" }))).toEqual([1, 3]);
    expect(askRules(set([{ tools: ["*"], verdict: "allow" }]), call("a"))).toEqual([]);
    expect(askRules(set([], { default: "allow" }), call("a"))).toEqual([]);
  });
});

test("a tool is gated when a rule that counts is about it", () => {
  expect(isAbout(SAMPLE, "buyer", "refund")).toBe(true);
  expect(isAbout(SAMPLE, "buyer", "delete")).toBe(false);
  expect(isAbout(SAMPLE, "intern-1", "delete")).toBe(true);
  expect(isAbout({ ...SAMPLE, mode: "shadow" }, "buyer", "refund")).toBe(false);
  expect(isAbout(set([{ tools: ["x"], verdict: "deny", mode: "shadow" }]), "a", "x")).toBe(false);
});

test("rules by exact name and rules with a star keep their order, also when a rule names a tool twice", () => {
  const rules = set([
    { tools: ["*"], agents: ["eve"], verdict: "deny" },
    { tools: ["pay", "pay"], verdict: "allow" },
    { tools: ["pay"], verdict: "deny" },
  ]);
  expect(evaluate(rules, call("pay"), plainJudge).index).toBe(1);
  expect(evaluate(rules, call("pay", {}, "eve"), plainJudge).index).toBe(0);
});

describe("a set of rules that allows every call of a tool", () => {
  const every = (rules: readonly GateRule[], part: Partial<RuleSet> = {}) =>
    allowsEveryCall(set(rules, part), "buyer", "read_file");

  test("has an allow without conditions before any other rule about the tool, or a default that allows", () => {
    expect(every([{ tools: ["read_*"], verdict: "allow" }])).toBe(true);
    expect(every([{ tools: ["other"], verdict: "deny" }], { default: "allow" })).toBe(true);
    expect(
      every([
        { tools: ["read_*"], agents: ["intern"], verdict: "deny" },
        { tools: ["*"], verdict: "allow" },
      ]),
    ).toBe(true);
  });

  test.each<[string, readonly GateRule[], Partial<RuleSet>]>([
    ["the default asks", [], {}],
    ["the allow has a condition", [{ tools: ["*"], when: { "args.a": { max: 1 } }, verdict: "allow" }], {}],
    [
      "a rule before it has a condition",
      [
        { tools: ["read_file"], when: { "args.path": { matches: "^/etc" } }, verdict: "deny" },
        { tools: ["*"], verdict: "allow" },
      ],
      {},
    ],
    [
      "a rule in shadow mode watches",
      [
        { tools: ["*"], verdict: "deny", mode: "shadow" },
        { tools: ["*"], verdict: "allow" },
      ],
      {},
    ],
    ["the allow itself is in shadow mode", [{ tools: ["*"], verdict: "allow", mode: "shadow" }], {}],
    ["the set is in shadow mode", [{ tools: ["*"], verdict: "allow" }], { mode: "shadow" }],
    ["it is denied", [{ tools: ["*"], verdict: "deny" }], { default: "allow" }],
  ])("is not one where %s", (_what, rules, part) => {
    expect(every(rules, part)).toBe(false);
  });
});
