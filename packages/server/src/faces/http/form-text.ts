/** Forms as browsers send them, bounded in the number of their fields before any of them is made (G13). */

import { HttpTrouble } from "./respond.ts";
import { isStorable } from "./strict-json.ts";

/** The largest form that can be asked for has some 5,000 boxes to tick. */
export const FORM_FIELDS_MAX = 10_000;

export function readFormText(text: string): URLSearchParams {
  refuseManyFields(countOf(text, "&", FORM_FIELDS_MAX) + 1, FORM_FIELDS_MAX);
  const fields = new URLSearchParams(text);
  refuseUnstorable(fields);
  return fields;
}

export function refuseManyFields(count: number, fieldsMax: number): void {
  if (count > fieldsMax)
    throw new HttpTrouble({ code: "too_large", detail: `at most ${fieldsMax} form fields` });
}

export function refuseUnstorable(fields: URLSearchParams): void {
  for (const [name, value] of fields) {
    if (isStorable(name) && isStorable(value)) continue;
    throw new HttpTrouble({ code: "invalid_body", detail: "text has a NUL in it" });
  }
}

/** How often `part` is in it; stops looking one beyond `most`. */
export function countOf(whole: string | Buffer, part: string, most: number): number {
  let count = 0;
  for (let at = whole.indexOf(part); at !== -1 && count <= most; at = whole.indexOf(part, at + part.length))
    count += 1;
  return count;
}
