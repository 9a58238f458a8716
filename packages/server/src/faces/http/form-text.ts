/** Reads forms as browsers send them. The number of fields is checked before they are parsed (G13). */

import type { Context } from "hono";
import { fail } from "./failure.ts";
import { isStorable } from "./strict-json.ts";

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** A form that a browser posts. The reply is always a page, also when something fails. */
export function isBrowserForm({ req }: Context): boolean {
  return (
    FORM.test(req.header("content-type") ?? "") &&
    (req.header("accept") ?? "").includes("text/html") &&
    req.header("authorization") === undefined
  );
}

/** The largest form that a hold can show has about 5,000 checkboxes. */
export const FORM_FIELDS_MAX = 10_000;

export function readFormText(text: string): URLSearchParams {
  refuseManyFields(countOf(text, "&", FORM_FIELDS_MAX) + 1, FORM_FIELDS_MAX);
  const fields = new URLSearchParams(text);
  refuseUnstorable(fields);
  return fields;
}

export function refuseManyFields(count: number, fieldsMax: number): void {
  if (count > fieldsMax) throw fail("too_large", `at most ${fieldsMax} form fields`);
}

export function refuseUnstorable(fields: URLSearchParams): void {
  for (const [name, value] of fields) {
    if (isStorable(name) && isStorable(value)) continue;
    throw fail("invalid_body", "text has a NUL in it");
  }
}

/** Counts `part` in the text, and stops at `most` + 1. */
export function countOf(whole: string | Buffer, part: string, most: number): number {
  let count = 0;
  for (let at = whole.indexOf(part); at !== -1 && count <= most; at = whole.indexOf(part, at + part.length))
    count += 1;
  return count;
}
