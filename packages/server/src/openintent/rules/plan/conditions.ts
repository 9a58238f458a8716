/**
 * Conditions of a plan, such as `tasks['audit'].output.issues_found > 0`. A condition compares one value of a task's output
 * with one literal, or tests whether that value is non-empty. Conditions are parsed and never executed as code.
 */

import { isObject, type Json, member, sameJson } from "@holdpoint/protocol/rules";

type Operator = "==" | "!=" | ">" | "<" | ">=" | "<=";

export interface ReadCondition {
  /** The task's id or name. */
  readonly task: string;
  readonly path: readonly string[];
  readonly test?: { readonly operator: Operator; readonly value: Json };
}

/**
 * The beginning of a condition. A repetition ends at a character that it cannot match, and nothing follows the last one, so
 * that this takes linear time whatever agents write (G13). The rest is taken apart by hand.
 */
const HEAD = /^tasks\[\s*(?:'([^']{1,200})'|"([^"]{1,200})")\s*\]\.output((?:\.\w{1,100}){0,20})/;
type Matched = readonly [whole: string, single: string | undefined, double: string | undefined, path: string];
const OPERATOR = /^(?:[=!<>]=|[<>])/;
const VALUE_MAX = 500;
const LINE_END = /[\n\r\u2028\u2029]/;

export function readCondition(when: string): ReadCondition | null {
  const text = when.trim();
  const head = HEAD.exec(text);
  if (head === null) return null;
  const [matched, single, double, path] = head as readonly unknown[] as Matched;
  const read = {
    task: single ?? (double as string),
    path: path === "" ? [] : path.slice(1).split("."),
  };
  const rest = text.slice(matched.length).trimStart();
  if (rest === "") return read;
  const operator = OPERATOR.exec(rest)?.[0];
  if (operator === undefined) return null;
  const value = readLiteral(rest.slice(operator.length).trimStart());
  return value === undefined ? null : { ...read, test: { operator: operator as Operator, value } };
}

/** A JSON literal or a string in single quotes. Python's `True`, `False` and `None` are accepted too. */
function readLiteral(text: string): Json | undefined {
  if (text.length > VALUE_MAX || LINE_END.test(text)) return undefined;
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1);
  const words: Readonly<Record<string, Json>> = { True: true, False: false, None: null };
  if (Object.hasOwn(words, text)) return words[text];
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function holds({ path, test }: ReadCondition, output: Json): boolean {
  const value = path.reduce<Json>((at, name) => (isObject(at) ? (member(at, name) ?? null) : null), output);
  if (test === undefined) return isSomething(value);
  switch (test.operator) {
    case "==":
      return sameJson(value, test.value);
    case "!=":
      return !sameJson(value, test.value);
    default:
      return isOrdered(value, test.operator, test.value);
  }
}

function isSomething(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** Only two numbers or two strings can be ordered; any other pair is false. */
function isOrdered(a: Json, operator: Operator, b: Json): boolean {
  if (typeof a !== typeof b || (typeof a !== "number" && typeof a !== "string")) return false;
  const order = a === b ? 0 : a < (b as typeof a) ? -1 : 1;
  switch (operator) {
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case ">=":
      return order >= 0;
    default:
      return order <= 0;
  }
}
