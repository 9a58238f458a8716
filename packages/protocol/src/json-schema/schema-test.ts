/** One schema as a test of values. */

import { format, Validator } from "@cfworker/json-schema";
import {
  isObject,
  type Json,
  type JsonObject,
  modernSchema,
  type Problem,
  type SchemaTest,
  triedLengthMax,
} from "../rules/index.ts";
import { serverFormats } from "./formats.ts";

// The library looks formats up in this table and takes no others.
Object.assign(format, serverFormats(format as Parameters<typeof serverFormats>[0]));

/** Not all of a value was judged; `problem` says where and why. */
interface Left {
  readonly problem: Problem;
}
type Verdict = readonly Problem[] | Left;

/**
 * The test for pages, or why the schema cannot be used. A schema with `unevaluatedItems` or `unevaluatedProperties` is left to the
 * server: libraries read those two differently, and a page must not refuse what the server would accept. So is a value on which a
 * pattern decides that could take too long for it: nobody may freeze a page by a pattern.
 */
export function schemaTest(schema: object): SchemaTest | string {
  return testOf(schema, (modern) => {
    if (hasOneOf(modern, UNEVALUATED)) return () => [];
    const judge = judgeOf(modern);
    return (value) => {
      const verdict = judge(value);
      return "problem" in verdict ? [] : verdict;
    };
  });
}

/** The test for agents, after which nobody judges again: what cannot be judged here does not fit (G14). */
export function wholeSchemaTest(schema: object): SchemaTest | string {
  return testOf(schema, (modern) => {
    const judge = judgeOf(modern);
    return (value) => {
      const verdict = judge(value);
      return "problem" in verdict ? [verdict.problem] : verdict;
    };
  });
}

function testOf(schema: object, make: (modern: Json) => SchemaTest): SchemaTest | string {
  try {
    return make(modernSchema(schema as JsonObject));
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
}

function judgeOf(modern: Json): (value: Json) => Verdict {
  const whole = validatorOf(modern);
  const limits = new Map(patternsIn(modern).map((pattern) => [pattern, triedLengthMax(pattern)]));
  return (value) => {
    const length = longestText(value);
    const slow = new Map([...limits].filter(([, longest]) => length > longest));
    try {
      return slow.size === 0 ? whole(value) : withoutPatterns(modern, slow, value);
    } catch (fault) {
      // Only now does the library read a pattern, which may be none.
      return {
        problem: { key: "", rule: "schema", message: `cannot be judged: ${(fault as Error).message}` },
      };
    }
  };
}

const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
/** Beneath these a value may fit because a part of it does not, so that two readings of a pattern do not say enough. */
const REVERSING = [...UNEVALUATED, "not", "if", "oneOf", "maxContains", "patternProperties"];

/** For each pattern, how long a text may be for it to be tried. */
type Limits = ReadonlyMap<string, number>;

/** Half of the limit, because a character may count for two. */
const most = (longest: number): number => Math.floor(Math.max(0, longest) / 2);
/** Matches texts that are too long for the pattern. */
const longTexts = (longest: number): string => `^[\\s\\S]{${most(longest) + 1}}`;
/** Matches what the pattern matches, in texts that are short enough for it. */
const inShortTexts = (pattern: string, longest: number): string =>
  `^(?![\\s\\S]{${most(longest) + 1}})[\\s\\S]*?(?:${pattern})`;

/**
 * Judged as if the patterns matched every text that is too long for them, and as if they matched none of these: where both say the
 * same, the long texts do not matter.
 */
function withoutPatterns(modern: Json, patterns: Limits, value: Json): Verdict {
  const unknown = { key: "", rule: "pattern", message: "has a text that is too long for the pattern here" };
  if (hasOneOf(modern, REVERSING) || hasPatternInValue(modern)) return { problem: unknown };
  // A text that is no pattern must not become one in the brackets.
  for (const pattern of patterns.keys()) new RegExp(pattern, "u");
  const either = (pattern: string, longest: number) =>
    `${longTexts(longest)}|${inShortTexts(pattern, longest)}`;
  const problems = validatorOf(replaced(modern, patterns, either))(value);
  if (problems.length > 0) return problems;
  const strict = validatorOf(replaced(modern, patterns, inShortTexts))(value);
  const place = strict.findLast(({ rule }) => rule === "pattern");
  return strict.length === 0 ? [] : { problem: { ...unknown, key: place?.key ?? "" } };
}

function replaced(schema: Json, patterns: Limits, by: (pattern: string, longest: number) => string): Json {
  if (Array.isArray(schema)) return schema.map((part) => replaced(part, patterns, by));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, part]) => {
      const longest = name === "pattern" && typeof part === "string" ? patterns.get(part) : undefined;
      return [name, longest === undefined ? replaced(part, patterns, by) : by(part as string, longest)];
    }),
  );
}

/** There `pattern` is a member of a value, which replacing would change. */
function hasPatternInValue(schema: Json): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(
    ([name, part]: [string, Json]) =>
      ((name === "const" || name === "enum") && patternsIn(part).length > 0) || hasPatternInValue(part),
  );
}

function validatorOf(modern: Json): SchemaTest {
  const validator = new Validator(modern as ConstructorParameters<typeof Validator>[0], "2020-12", false);
  return (value) => {
    const { valid, errors } = validator.validate(value);
    if (valid) return [];
    const leaves = errors.filter(({ keyword }) => keyword !== "properties" && keyword !== "items");
    return leaves.map(
      ({ instanceLocation, keyword, error }): Problem => ({
        key: instanceLocation.replace(/^#/, ""),
        rule: keyword,
        message: error,
      }),
    );
  };
}

/** Names of properties that look like patterns count too: that only leaves more undecided. */
function patternsIn(schema: Json): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, part]: [string, Json]) => {
    const here =
      name === "pattern" ? [part] : name === "patternProperties" && isObject(part) ? Object.keys(part) : [];
    return [...here.filter((each) => typeof each === "string"), ...patternsIn(part)];
  });
}

/** Of names of members too, which `patternProperties` tests. */
function longestText(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (longest, [name, part]: [string, Json]) => Math.max(longest, name.length, longestText(part)),
    0,
  );
}

/** A property of that name counts too: that only leaves more undecided. */
function hasOneOf(schema: Json, names: readonly string[]): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(([name, part]) => names.includes(name) || hasOneOf(part, names));
}
