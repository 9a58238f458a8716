/** Tests one condition on one value. */

import { isObject, type Json } from "../json.ts";
import type { Judge } from "../judge.ts";
import { sameJson } from "../same-answer.ts";
import type { ArgCondition } from "./rule.ts";

/** `unclear`: the value has another type than the condition is about, or is too long, so the condition cannot be tested. */
export type Test = "yes" | "no" | "unclear";

/** The part of a judge that conditions need. */
export interface Patterns extends Pick<Judge, "pattern"> {
  /** Spends steps of work on patterns; `false`: so much is no longer left. */
  spend?(steps: number): boolean;
}

/** An agent chooses how long its arguments are; this much takes some hundredths of a second at worst (G13). */
const PATTERN_STEPS_MAX = 10_000_000;

/** The patterns for one evaluation of a call. */
export function boundedPatterns(judge: Judge): Patterns {
  let left = PATTERN_STEPS_MAX;
  return {
    pattern: (source) => judge.pattern(source),
    spend(steps) {
      left -= steps;
      return left >= 0;
    },
  };
}

export function testCondition(condition: ArgCondition, value: Json | undefined, judge: Patterns): Test {
  const { exists } = condition;
  if (value === undefined) return exists === false && Object.keys(condition).length === 1 ? "yes" : "no";
  if (exists === false) return "no";
  return all([
    condition.equals === undefined ? "yes" : testEqual(value, [condition.equals]),
    condition.in === undefined ? "yes" : testEqual(value, condition.in),
    testRange(condition, value),
    condition.matches === undefined ? "yes" : testPattern(condition.matches, value, judge),
  ]);
}

/** The result of several tests that must all hold. */
export function all(tests: readonly Test[]): Test {
  if (tests.includes("no")) return "no";
  return tests.includes("unclear") ? "unclear" : "yes";
}

function testEqual(value: Json, wanted: readonly Json[]): Test {
  if (wanted.some((one) => sameJson(one, value))) return "yes";
  return wanted.some((one) => typeOf(one) === typeOf(value)) ? "no" : "unclear";
}

function testRange({ min, max }: ArgCondition, value: Json): Test {
  if (min === undefined && max === undefined) return "yes";
  if (typeof value !== "number") return "unclear";
  return (min === undefined || value >= min) && (max === undefined || value <= max) ? "yes" : "no";
}

function testPattern(pattern: string, value: Json, judge: Patterns): Test {
  if (typeof value !== "string") return "unclear";
  const test = judge.pattern(anywhere(pattern));
  if (typeof test === "string") return "unclear";
  if (judge.spend?.((test.size ?? 0) * value.length) === false) return "unclear";
  return test(value) ? "yes" : "no";
}

/** The judge tests whole values; a rule's pattern may match any part. */
export function anywhere(pattern: string): string {
  return `(?s:.*)(?:${pattern})(?s:.*)`;
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "list";
  return isObject(value) || value === null ? "object" : typeof value;
}
