/** Whether one field of a form is well made, looked at alone. */

import { boundsOf, type Flaw, isGiven, isKnownFieldType, readBound, typeFlaw } from "./field-value.ts";
import type { Field, FieldOption, FieldType, Validation } from "./form.ts";
import { pointer } from "./json.ts";
import type { Judge, Problem } from "./judge.ts";

/** A field and the JSON pointer of its place in the ask. */
export interface PlacedField {
  readonly field: Field;
  readonly at: string;
}

const KEY = /^[a-zA-Z][a-zA-Z0-9_]*$/;
const KEY_LENGTH_MAX = 200;
const LABEL_LENGTH_MAX = 200;
export const OPTIONS_MAX = 1_000;

type ValidationMember = keyof Validation;

const TEXT_RULES: readonly ValidationMember[] = ["minLength", "maxLength", "pattern"];
const ALL_RULES: readonly ValidationMember[] = [...TEXT_RULES, "min", "max"];

const RULES_OF_TYPE: ReadonlyMap<FieldType, readonly ValidationMember[]> = new Map<
  FieldType,
  readonly ValidationMember[]
>([
  ["text", TEXT_RULES],
  ["textarea", ["minLength", "maxLength"]],
  ["email", TEXT_RULES],
  ["url", TEXT_RULES],
  ["number", ["min", "max"]],
  ["range", ["min", "max"]],
  ["date", ["min", "max"]],
  ["boolean", []],
  ["select", []],
  ["multiselect", []],
]);

export function checkField({ field, at }: PlacedField, judge: Judge): readonly Problem[] {
  return [
    ...checkName(field, at),
    ...checkOptions(field, `${at}/options`),
    ...checkDefault(field, `${at}/default`),
    ...checkValidation(field, field.validation ?? {}, `${at}/validation`, judge),
  ];
}

function checkName(field: Field, at: string): Problem[] {
  const problems: Problem[] = [];
  if (!KEY.test(field.key) || field.key.length > KEY_LENGTH_MAX) {
    const message = `must be a letter, then letters, digits or _, at most ${KEY_LENGTH_MAX}`;
    problems.push({ key: `${at}/key`, rule: "key", message });
  }
  if (field.label.length > LABEL_LENGTH_MAX) {
    problems.push({
      key: `${at}/label`,
      rule: "maxLength",
      message: `must have at most ${LABEL_LENGTH_MAX} characters`,
    });
  }
  if (!isKnownFieldType(field.type) && !/^x-./.test(field.type)) {
    problems.push({
      key: `${at}/type`,
      rule: "type",
      message: "is no field type; types of your own start with x-",
    });
  }
  return problems;
}

function checkOptions(field: Field, at: string): Problem[] {
  const { options } = field;
  if (field.type !== "select" && field.type !== "multiselect") {
    if (options === undefined || !isKnownFieldType(field.type)) return [];
    return [{ key: at, rule: "not_here", message: `a ${field.type} field has no options` }];
  }
  if (options === undefined || options.length === 0) {
    return [{ key: at, rule: "required", message: `a ${field.type} field needs options` }];
  }
  if (options.length > OPTIONS_MAX) {
    return [{ key: at, rule: "maxItems", message: `must be at most ${OPTIONS_MAX}` }];
  }
  return checkOptionValues(options, at);
}

function checkOptionValues(options: readonly FieldOption[], at: string): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, { value }] of options.entries()) {
    const key = at + pointer(index, "value");
    // A value that is not text would not come back from an HTML form as what it was; an empty one means "nothing".
    if (typeof value !== "string" || value === "") {
      problems.push({ key, rule: "type", message: "must be a text that is not empty" });
    } else if (seen.has(value)) {
      problems.push({ key, rule: "unique", message: "is the value of another option too" });
    }
    seen.add(value);
  }
  return problems;
}

function checkDefault(field: Field, at: string): Problem[] {
  if (field.default === undefined) return [];
  if (field.sensitive === true) {
    return [{ key: at, rule: "sensitive", message: "a sensitive field cannot carry its value as default" }];
  }
  const flaw = isGiven(field.default) ? typeFlaw(field, field.default) : null;
  return flaw === null ? [] : [{ key: at, ...flaw }];
}

function checkValidation(field: Field, validation: Validation, at: string, judge: Judge): Problem[] {
  const allowed = RULES_OF_TYPE.get(field.type) ?? ALL_RULES;
  const problems: Problem[] = [];
  for (const name of ALL_RULES) {
    if (validation[name] === undefined) continue;
    const flaw: Flaw | null = allowed.includes(name)
      ? ruleFlaw(field, validation, name, judge)
      : { rule: "not_here", message: `does not apply to a ${field.type} field` };
    if (flaw !== null) problems.push({ key: `${at}/${name}`, ...flaw });
  }
  return problems.length > 0 ? problems : checkOrder(field, validation, at);
}

function ruleFlaw(field: Field, validation: Validation, name: ValidationMember, judge: Judge): Flaw | null {
  if (name === "pattern") {
    const usable = judge.pattern(validation.pattern as string);
    return typeof usable === "string" ? { rule: "pattern", message: usable } : null;
  }
  if (name === "minLength" || name === "maxLength") {
    const length = validation[name] as number;
    const sane = Number.isSafeInteger(length) && length >= 0;
    return sane ? null : { rule: "type", message: "must be a whole number, 0 or more" };
  }
  if (readBound(field, validation[name]) !== null) return null;
  const message = field.type === "date" ? "must be epoch milliseconds or an ISO date" : "must be a number";
  return { rule: "type", message };
}

function checkOrder(field: Field, validation: Validation, at: string): Problem[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = validation;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = boundsOf(field);
  if (minLength > maxLength)
    return [{ key: at, rule: "order", message: "minLength must not exceed maxLength" }];
  if (min > max) return [{ key: at, rule: "order", message: "min must not exceed max" }];
  return [];
}
