/**
 * Whether values answer a form. Only what shows is asked for: a hidden field is not required, and its value is dropped
 * even when somebody sends one.
 */

import { isGiven, valueFlaws } from "./field-value.ts";
import { type Field, type Form, fieldsOf } from "./form.ts";
import { type Json, type JsonObject, member } from "./json.ts";
import { type Judge, type Problem, withinWork } from "./judge.ts";
import { visibleFields } from "./visible.ts";

export interface Checked {
  readonly data: JsonObject;
  readonly problems: readonly Problem[];
}

/** Some tenths of a second at worst. A text of a thousand characters with `.{1,1000}` as its pattern takes a fifth. */
const PATTERN_STEPS_MAX = 10_000_000;

/** Problems' keys are field keys. */
export function checkFormAnswer(form: Form, values: JsonObject, judge: Judge): Checked {
  const keys = new Set(fieldsOf(form).map((field) => field.key));
  const unknown = Object.keys(values).filter((key) => !keys.has(key));
  const problems: Problem[] = unknown.map((key) => ({
    key,
    rule: "unknown_field",
    message: "is no field of this form",
  }));
  const bounded = withinWork(judge, PATTERN_STEPS_MAX);
  const kept: [string, Json][] = [];
  for (const field of visibleFields(form, values)) {
    const value = member(values, field.key);
    problems.push(...checkFieldAnswer(field, value, bounded));
    if (isGiven(value)) kept.push([field.key, value]);
  }
  return { data: Object.fromEntries(kept), problems };
}

/** What is wrong with the value of one field that shows; pages call it as people type. */
export function checkFieldAnswer(field: Field, value: Json | undefined, judge: Judge): readonly Problem[] {
  const { key } = field;
  // "No option" is an answer to a multiselect, but not to one that must be answered.
  const given = isGiven(value) && !(field.required === true && Array.isArray(value) && value.length === 0);
  if (given) return valueFlaws(field, value, judge).map((flaw) => ({ key, ...flaw }));
  return field.required === true ? [{ key, rule: "required", message: "must be answered" }] : [];
}
