/** What a schema found wrong, as the problems a refusal carries. */

import type * as z from "zod";
import { hasMoreValuesThan } from "../rules/json.ts";
import type { Problem } from "../rules/judge.ts";

type Issue = z.core.$ZodIssue;

export interface ShapeRefusal {
  readonly code: "unknown_member" | "invalid_body";
  readonly fields: readonly Problem[];
}

export type ShapeReading<Schema extends z.ZodType> =
  | { readonly ok: true; readonly data: z.output<Schema> }
  | { readonly ok: false; readonly refusal: ShapeRefusal };

/** Zod's own `validate` sets it to stop at the first problem; a parse takes it too, although its types do not say so. */
const FIRST_ONLY = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;
/** A value with more parts than this is refused for the first thing that is wrong with it: there may be one for each part (G13). */
const EVERY_PROBLEM_MAX = 1_000;
/** Nobody reads more. */
const UNKNOWN_MAX = 50;

/** Holds a value against a schema; a small one is refused for everything that is wrong with it. */
export function readShape<Schema extends z.ZodType>(schema: Schema, value: unknown): ShapeReading<Schema> {
  const first = schema.safeParse(value, FIRST_ONLY);
  if (first.success) return { ok: true, data: first.data };
  const every = hasMoreValuesThan(value, EVERY_PROBLEM_MAX) ? first : schema.safeParse(value);
  return { ok: false, refusal: shapeRefusal((every.error ?? first.error) as z.core.$ZodError) };
}

/** Places are JSON pointers into what was checked. Unknown members are told apart, because they are mostly misspellings. */
function shapeRefusal(error: z.core.$ZodError): ShapeRefusal {
  const fields = error.issues.flatMap((issue) => problemsOf(issue, []));
  const unknown = fields.every((field) => field.rule === "unknown_member");
  return { code: unknown ? "unknown_member" : "invalid_body", fields };
}

function problemsOf(issue: Issue, above: readonly PropertyKey[]): readonly Problem[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, UNKNOWN_MAX).map((key) => ({
      key: pointer([...path, key]),
      rule: "unknown_member",
      message: `There is no member ${key} here`,
    }));
  }
  if (issue.code === "invalid_union") {
    const nearest = nearestBranch(issue.errors);
    if (nearest !== undefined) return nearest.flatMap((inner) => problemsOf(inner, path));
  }
  return [{ key: pointer(path), rule: issue.code, message: issue.message }];
}

/** The branch that came furthest: a caller that wrote an object meant the object, not the word it could also have been. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const beyondTheTop = branches.filter((issues) => issues.every((issue) => !isWrongKind(issue)));
  return beyondTheTop.toSorted((one, other) => one.length - other.length)[0];
}

function isWrongKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
