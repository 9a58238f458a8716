/** Why a set of rules cannot be published. The wire schema has checked types and lengths before. */

import { pointer } from "../json.ts";
import type { Judge, Problem } from "../judge.ts";
import { anywhere } from "./condition.ts";
import { isHintPath, whyBadPath } from "./path.ts";
import type { ArgCondition, GateRule, RuleSet } from "./rule.ts";

export function checkRules({ rules }: RuleSet, judge: Judge): readonly Problem[] {
  return [...rules.flatMap((rule, at) => ruleProblems(rule, at, judge)), ...sameNames(rules)];
}

function ruleProblems(rule: GateRule, at: number, judge: Judge): readonly Problem[] {
  const problem = (member: string, rule: string, message: string): Problem => ({
    key: pointer("rules", at, ...member.split("/")),
    rule,
    message,
  });
  const problems = Object.entries(rule.when ?? {}).flatMap(([path, condition]) => [
    ...pathProblems(rule, path).map((message) => problem(`when/${path}`, "path", message)),
    ...conditionProblems(condition, judge).map((message) => problem(`when/${path}`, "condition", message)),
  ]);
  if (rule.verdict === "ask") return problems;
  const surplus = ASK_ONLY.filter((member) => rule[member] !== undefined);
  return [...problems, ...surplus.map((member) => problem(member, "ask_only", ASK_ONLY_MESSAGE))];
}

const ASK_ONLY = ["decision", "timeout", "ladder", "uses", "per", "grantable"] as const;
const ASK_ONLY_MESSAGE = "has an effect only in a rule whose verdict is ask; remove it or change the verdict";

function pathProblems({ verdict }: GateRule, path: string): readonly string[] {
  const bad = whyBadPath(path);
  if (bad !== null) return [bad];
  if (verdict !== "allow" || !isHintPath(path)) return [];
  return ["a tool's own hints may add questions and never remove any, so no allow rule may depend on them"];
}

function conditionProblems(condition: ArgCondition, judge: Judge): readonly string[] {
  const { min, max, matches, exists, ...rest } = condition;
  const problems: string[] = [];
  if (Object.keys(condition).length === 0)
    problems.push("must say what the argument must be: equals, in, min, max, matches or exists");
  if (min !== undefined && max !== undefined && min > max)
    problems.push("min is above max, so no value can match");
  if (exists === false && Object.keys({ ...rest, ...defined({ min, max, matches }) }).length > 0)
    problems.push("an absent argument can have no other condition; keep exists: false alone");
  const why = matches === undefined ? null : whyBadPattern(matches, judge);
  if (why !== null) problems.push(`matches ${why}`);
  return problems;
}

/** The pattern is tested alone first: a stray parenthesis must not end the group that `anywhere` puts around it. */
function whyBadPattern(matches: string, judge: Judge): string | null {
  for (const source of [matches, anywhere(matches)]) {
    const test = judge.pattern(source);
    if (typeof test === "string") return test;
  }
  return null;
}

function defined(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function sameNames(rules: readonly GateRule[]): readonly Problem[] {
  const seen = new Set<string>();
  return rules.flatMap(({ name }, at) => {
    if (name === undefined) return [];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ key: pointer("rules", at, "name"), rule: "unique", message: "another rule has this name" }];
  });
}
