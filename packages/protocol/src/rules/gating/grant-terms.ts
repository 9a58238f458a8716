/** What calls a grant allows without a new question. The terms name every argument of the call it was made from. */

import { type Json, type JsonObject, pointer } from "../json.ts";
import type { Problem } from "../judge.ts";
import { sameJson } from "../same-answer.ts";

/** What one argument may be. */
export type ArgTerm =
  | { readonly equal: Json }
  | { readonly in: readonly Json[] }
  | { readonly min: number; readonly max: number }
  | { readonly any: true };

export type GrantArgs = Readonly<Record<string, ArgTerm>>;

/** A term as a person gives it: `equal` means the value of the call that was approved. */
export type ArgTermIn =
  | "equal"
  | "any"
  | { readonly in: readonly Json[] }
  | { readonly min: number; readonly max: number };

/** The terms for the arguments of one call. Arguments that nobody named must be equal. */
export function grantArgs(
  args: JsonObject,
  given: Readonly<Record<string, ArgTermIn>>,
): GrantArgs | readonly Problem[] {
  const problems = Object.entries(given).flatMap(([name, term]) => termProblems(args, name, term));
  if (problems.length > 0) return problems;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, ArgTerm] => {
      const term = Object.hasOwn(given, name) ? given[name] : "equal";
      if (term === undefined || term === "equal") return [name, { equal: value }];
      return [name, term === "any" ? { any: true } : term];
    }),
  );
}

/** The approved call itself must fit its own terms: otherwise they say something that nobody looked at. */
function termProblems(args: JsonObject, name: string, term: ArgTermIn): readonly Problem[] {
  const problem = (rule: string, message: string) => [{ key: pointer("grant", "args", name), rule, message }];
  if (!Object.hasOwn(args, name)) return problem("unknown", "the call has no argument of this name");
  if (term === "equal" || term === "any") return [];
  if (!("in" in term) && term.min > term.max) return problem("range", "min is above max");
  return fits(term, args[name] as Json)
    ? []
    : problem("own_call", "the approved call itself is outside these terms");
}

/** Whether a call's arguments are within the terms. Further arguments do not match. */
export function matchesGrant(terms: GrantArgs, args: JsonObject): boolean {
  const names = Object.keys(args);
  return (
    names.length === Object.keys(terms).length &&
    names.every((name) => Object.hasOwn(terms, name) && fits(terms[name] as ArgTerm, args[name] as Json))
  );
}

/** Whether only one exact set of arguments matches. */
export function isExact(terms: GrantArgs): boolean {
  return Object.values(terms).every((term) => "equal" in term);
}

function fits(term: ArgTerm, value: Json): boolean {
  if ("any" in term) return true;
  if ("equal" in term) return sameJson(term.equal, value);
  if ("in" in term) return term.in.some((one) => sameJson(one, value));
  return typeof value === "number" && value >= term.min && value <= term.max;
}

/** Says the terms in words. */
export function explainGrantArgs(terms: GrantArgs): string {
  const parts = Object.entries(terms).map(([name, term]) => `${name} ${explainTerm(term)}`);
  return parts.length === 0 ? "without arguments" : parts.join(", ");
}

function explainTerm(term: ArgTerm): string {
  if ("any" in term) return "is anything";
  if ("equal" in term) return `is ${JSON.stringify(term.equal)}`;
  if ("in" in term) return `is one of ${term.in.map((one) => JSON.stringify(one)).join(", ")}`;
  return `is from ${term.min} to ${term.max}`;
}
