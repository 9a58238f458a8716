/** Whether a form is well made as a whole: its shape, its keys, and the conditions between its fields. */

import { checkField, OPTIONS_MAX, type PlacedField } from "./check-field.ts";
import { readMoment } from "./date.ts";
import { isKnownFieldType } from "./field-value.ts";
import type { Condition, Field, FieldType, Form, Step } from "./form.ts";
import { type Json, pointer } from "./json.ts";
import type { Judge, Problem } from "./judge.ts";

const FIELDS_MAX = 500;
const STEPS_MAX = 100;
const TITLE_LENGTH_MAX = 200;
/** Patterns are the one part of a form whose checking is work; this bounds it. */
const PATTERNS_MAX = 50;

/** Of all fields together: a page lays them all out. */
const FORM_OPTIONS_MAX = 5_000;

/** Field types whose values have an order. */
const ORDERED: ReadonlySet<FieldType> = new Set<FieldType>(["number", "range", "date"]);

export function checkForm(form: Form, at: string, judge: Judge): readonly Problem[] {
  if ((form.fields === undefined) === (form.steps === undefined)) {
    return [{ key: at, rule: "fields_or_steps", message: "must have either fields or steps" }];
  }
  const placed = placeFields(form, at);
  const tooMuch = checkAmounts(form, placed, at);
  if (tooMuch.length > 0) return tooMuch;
  return [
    ...(form.steps ?? []).flatMap((step, index) => checkStep(step, at + pointer("steps", index))),
    ...placed.flatMap((field) => checkField(field, judge)),
    ...checkUnique(placed),
    ...checkConditions(placed),
  ];
}

function placeFields(form: Form, at: string): readonly PlacedField[] {
  const place = (fields: readonly Field[], under: string): PlacedField[] =>
    fields.map((field, index) => ({ field, at: under + pointer("fields", index) }));
  const inSteps = (form.steps ?? []).flatMap((step, index) =>
    place(step.fields, at + pointer("steps", index)),
  );
  return [...place(form.fields ?? [], at), ...inSteps];
}

function checkAmounts(form: Form, placed: readonly PlacedField[], at: string): readonly Problem[] {
  const patterns = placed.filter(({ field }) => field.validation?.pattern !== undefined).length;
  if (placed.length === 0) return [{ key: at, rule: "required", message: "must have at least one field" }];
  if (placed.length > FIELDS_MAX) {
    return [{ key: at, rule: "maxItems", message: `must have at most ${FIELDS_MAX} fields` }];
  }
  if ((form.steps?.length ?? 0) > STEPS_MAX) {
    return [{ key: at, rule: "maxItems", message: `must have at most ${STEPS_MAX} steps` }];
  }
  if (patterns > PATTERNS_MAX) {
    return [{ key: at, rule: "maxItems", message: `must have at most ${PATTERNS_MAX} patterns` }];
  }
  const options = placed.reduce((sum, { field }) => sum + (field.options?.length ?? 0), 0);
  if (options > FORM_OPTIONS_MAX) {
    return [{ key: at, rule: "maxItems", message: `must have at most ${FORM_OPTIONS_MAX} options in all` }];
  }
  return [];
}

function checkStep(step: Step, at: string): readonly Problem[] {
  const key = `${at}/title`;
  if (step.title.trim() === "") return [{ key, rule: "blank", message: "must not be blank" }];
  if (step.title.length <= TITLE_LENGTH_MAX) return [];
  return [{ key, rule: "maxLength", message: `must have at most ${TITLE_LENGTH_MAX} characters` }];
}

function checkUnique(placed: readonly PlacedField[]): readonly Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { field, at } of placed) {
    if (seen.has(field.key)) {
      problems.push({ key: `${at}/key`, rule: "unique", message: "is the key of another field too" });
    }
    seen.add(field.key);
  }
  return problems;
}

function checkConditions(placed: readonly PlacedField[]): readonly Problem[] {
  const byKey = new Map(placed.map(({ field }) => [field.key, field]));
  return placed.flatMap(({ field, at }) => {
    if (field.conditional === undefined) return [];
    return checkCondition(field, field.conditional, byKey, `${at}/conditional`);
  });
}

function checkCondition(
  field: Field,
  condition: Condition,
  byKey: ReadonlyMap<string, Field>,
  at: string,
): readonly Problem[] {
  const other = byKey.get(condition.field);
  if (other === undefined) {
    return [{ key: `${at}/field`, rule: "unknown_field", message: "must be the key of another field" }];
  }
  if (leadsBackTo(field, byKey)) {
    return [{ key: `${at}/field`, rule: "cycle", message: "makes the field depend on itself" }];
  }
  return checkRelation(condition, other, at);
}

function leadsBackTo(start: Field, byKey: ReadonlyMap<string, Field>): boolean {
  const passed = new Set<string>();
  let key = start.conditional?.field;
  while (key !== undefined && !passed.has(key)) {
    if (key === start.key) return true;
    passed.add(key);
    key = byKey.get(key)?.conditional?.field;
  }
  return false;
}

function checkRelation(condition: Condition, other: Field, at: string): readonly Problem[] {
  const { operator, value } = condition;
  if (operator === "in" && !Array.isArray(value)) {
    return [{ key: `${at}/value`, rule: "type", message: "must be a list for the operator in" }];
  }
  if (operator === "in" && (value as readonly Json[]).length > OPTIONS_MAX) {
    return [{ key: `${at}/value`, rule: "maxItems", message: `must be at most ${OPTIONS_MAX}` }];
  }
  if (operator !== "gt" && operator !== "lt") return [];
  if (isKnownFieldType(other.type) && !ORDERED.has(other.type)) {
    const message = `${operator} needs a number, range or date field to look at`;
    return [{ key: `${at}/operator`, rule: "type", message }];
  }
  const comparable = other.type === "date" ? readMoment(value) !== null : typeof value === "number";
  if (comparable) return [];
  const message = other.type === "date" ? "must be a date for a date field" : "must be a number";
  return [{ key: `${at}/value`, rule: "type", message }];
}
