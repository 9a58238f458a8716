/**
 * Evaluates rules on one call. The first rule that matches counts. Evaluation is pure and total: whatever a call
 * contains, there is a verdict.
 *
 * A rule whose condition cannot be tested, because an argument has an unexpected type or is too long, never allows: such an `allow`
 * does not match, and such an `ask` or `deny` becomes a question to a person.
 */

import type { Judge } from "../judge.ts";
import { all, boundedPatterns, type Patterns, type Test, testCondition } from "./condition.ts";
import { matchesName } from "./name-pattern.ts";
import { valueAt } from "./path.ts";
import type { GateRule, RuleSet, ToolCall, Verdict } from "./rule.ts";

/** A rule that matched; `null`: the default of the set. */
export interface Match {
  readonly index: number | null;
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface Evaluation extends Match {
  /** What a rule or a set in shadow mode would have said. It has no effect. */
  readonly shadow?: Match;
}

export function evaluate(set: RuleSet, call: ToolCall, judge: Judge): Evaluation {
  const candidates = candidatesOf(set, call);
  const patterns = boundedPatterns(judge);
  let shadow: Match | undefined;
  for (const index of candidates) {
    const match = matchOf(set.rules[index] as GateRule, index, call, patterns);
    if (match === null) continue;
    if (set.mode === "shadow") return { ...GOES_ON, shadow: match };
    if (set.rules[index]?.mode !== "shadow") return shadow === undefined ? match : { ...match, shadow };
    shadow ??= match;
  }
  const byDefault = { index: null, verdict: set.default, reason: DEFAULT_REASONS[set.default] };
  if (set.mode === "shadow") return { ...GOES_ON, shadow: byDefault };
  // Only a rule in shadow mode matched: its verdict is recorded and the call goes on.
  return shadow === undefined ? byDefault : { ...GOES_ON, shadow };
}

const GOES_ON: Match = { index: null, verdict: "allow", reason: "The rules are in shadow mode." };

const DEFAULT_REASONS: Readonly<Record<Verdict, string>> = {
  allow: "No rule matches this call, and calls without a rule are allowed.",
  ask: "No rule matches this call, so a person decides.",
  deny: "No rule matches this call, and calls without a rule are denied.",
};

function matchOf(rule: GateRule, index: number, call: ToolCall, judge: Patterns): Match | null {
  const test = testRule(rule, call, judge);
  const { verdict, reason = REASONS[verdict] } = rule;
  if (test === "yes") return { index, verdict, reason };
  if (test === "no" || verdict === "allow") return null;
  return { index, verdict: "ask", reason: UNCLEAR };
}

const UNCLEAR =
  "An argument has an unexpected type or is too long for the rule's pattern, so a person decides.";

const REASONS: Readonly<Record<Verdict, string>> = {
  allow: "A rule allows this call.",
  ask: "A rule says that a person decides.",
  deny: "A rule denies this call.",
};

function testRule(rule: GateRule, call: ToolCall, judge: Patterns): Test {
  if (!isFor(rule, call)) return "no";
  const conditions = Object.entries(rule.when ?? {});
  return all(conditions.map(([path, condition]) => testCondition(condition, valueAt(call, path), judge)));
}

function isFor({ tools, agents }: GateRule, { tool, agent }: ToolCall): boolean {
  return (
    tools.some((pattern) => matchesName(pattern, tool)) &&
    (agents === undefined || agents.some((pattern) => matchesName(pattern, agent)))
  );
}

/** Whether a rule that counts is about this tool of this agent, whatever its conditions. */
export function isAbout(set: RuleSet, agent: string, tool: string): boolean {
  if (set.mode === "shadow") return false;
  return set.rules.some((rule) => rule.mode !== "shadow" && isFor(rule, { agent, tool, args: {} }));
}

/**
 * Whether the rules allow every call of this tool by this agent, whatever its arguments are, and nothing in shadow mode has to be
 * recorded about it.
 */
export function allowsEveryCall(set: RuleSet, agent: string, tool: string): boolean {
  if (set.mode === "shadow") return false;
  const call = { agent, tool, args: {} };
  const first = candidatesOf(set, call).find((index) => isFor(set.rules[index] as GateRule, call));
  if (first === undefined) return set.default === "allow";
  const { verdict, when = {}, mode } = set.rules[first] as GateRule;
  return verdict === "allow" && mode !== "shadow" && Object.keys(when).length === 0;
}

/**
 * Rules by what the names of their tools begin with: the whole name, or the part before the first `*`. A call looks only
 * at rules that may be about its tool, however many others there are.
 */
interface RuleIndex {
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly prefixes: ReadonlyMap<string, readonly number[]>;
  /** The different lengths of the prefixes. */
  readonly lengths: readonly number[];
}

/** A published set never changes, so its index is made once. */
const indexes = new WeakMap<readonly GateRule[], RuleIndex>();

function candidatesOf({ rules }: RuleSet, { tool }: ToolCall): readonly number[] {
  let index = indexes.get(rules);
  if (index === undefined) {
    index = indexOf(rules);
    indexes.set(rules, index);
  }
  const { exact, prefixes, lengths } = index;
  const found = new Set(exact.get(tool));
  for (const length of lengths) for (const at of prefixes.get(tool.slice(0, length)) ?? []) found.add(at);
  return [...found].sort((one, other) => one - other);
}

function indexOf(rules: readonly GateRule[]): RuleIndex {
  const exact = new Map<string, number[]>();
  const prefixes = new Map<string, number[]>();
  for (const [at, { tools }] of rules.entries()) {
    for (const tool of tools) {
      const star = tool.indexOf("*");
      const [map, name] = star < 0 ? [exact, tool] : [prefixes, tool.slice(0, star)];
      const known = map.get(name);
      if (known === undefined) map.set(name, [at]);
      else known.push(at);
    }
  }
  return { exact, prefixes, lengths: [...new Set([...prefixes.keys()].map(({ length }) => length))] };
}

/** The rules that may ask about a call; `null` stands for the default of the set. */
export type AskRules = readonly (number | null)[];

/**
 * The rules that may ask about this call, whatever its patterns match. It needs no judge, so it can be computed before
 * anything is loaded.
 */
export function askRules(set: RuleSet, call: ToolCall): AskRules {
  if (set.mode === "shadow") return [];
  const asking: number[] = [];
  for (const index of candidatesOf(set, call)) {
    const rule = set.rules[index] as GateRule;
    const test = rule.mode === "shadow" ? "no" : testRule(rule, call, ALWAYS);
    if (test === "no" || (test === "unclear" && rule.verdict === "allow")) continue;
    if (rule.verdict === "ask" || test === "unclear") asking.push(index);
    const isCertain = !Object.values(rule.when ?? {}).some(({ matches }) => matches !== undefined);
    if (isCertain) return asking;
  }
  return set.default === "ask" ? [...asking, null] : asking;
}

const ALWAYS: Patterns = { pattern: () => () => true };
