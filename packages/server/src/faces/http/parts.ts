/** Checks the parts of a call against the operation's declaration: path parameters, query, headers, body. */

import { readShape } from "@holdpoint/protocol";
import type { Problem } from "@holdpoint/protocol/rules";
import type * as z from "zod";
import { fail } from "./failure.ts";
import { isStorable } from "./strict-json.ts";

/** The type of a checked part. */
export type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Percent-encoding can produce characters that are not allowed in JSON bodies. */
export function storable<Given extends object>(given: Given, code: "not_found" | "invalid_query"): Given {
  for (const name of Object.keys(given)) {
    const value = given[name as keyof Given] as string | readonly string[];
    const isFine = typeof value === "string" ? isStorable(value) : value.every(isStorable);
    if (isFine && isStorable(name)) continue;
    throw fail(code, "text has a NUL or half a surrogate pair in it");
  }
  return given;
}

const FIELDS_MAX = 50;

export function parse<Schema extends z.ZodType | undefined>(
  schema: Schema,
  value: unknown,
  code: "invalid_path" | "invalid_query" | "invalid_body",
) {
  if (schema === undefined) return undefined;
  const read = readShape(schema, value);
  if (read.ok) return read.data;
  if (code === "invalid_path") throw fail("not_found");
  const shape = read.refusal;
  const problems = shape.fields.slice(0, FIELDS_MAX).map(shortened);
  const [first] = problems;
  const message =
    first === undefined ? "it does not have the declared form" : `${first.key}: ${first.message}`;
  throw fail(code === "invalid_body" ? shape.code : code, message, { problems });
}

/** Shortens the texts of a problem, because they may repeat what the caller sent. */
function shortened({ key, rule, message }: Problem): Problem {
  return { key: key.slice(0, 200), rule, message: message.slice(0, 500) };
}
