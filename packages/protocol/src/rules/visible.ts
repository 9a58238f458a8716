/**
 * Which fields of a form show. A field with a condition shows while the field it names shows and stands in the given
 * relation; so a hidden field hides everything that hangs on it, whatever values were sent.
 *
 * | operator | met when the other field's value …                                      | nothing entered |
 * |----------|-------------------------------------------------------------------------|-----------------|
 * | `eq`     | is the condition's value; a list: contains it, or is the same list      | no              |
 * | `neq`    | is not `eq`                                                             | yes             |
 * | `in`     | is `eq` to one member of the condition's list                           | no              |
 * | `gt`     | is a number or date after the condition's value                         | no              |
 * | `lt`     | is a number or date before the condition's value                        | no              |
 */

import { readMoment } from "./date.ts";
import { isGiven } from "./field-value.ts";
import { type Condition, type Field, type Form, fieldsOf } from "./form.ts";
import { type Json, type JsonObject, member } from "./json.ts";
import { sameJson } from "./same-answer.ts";

export function visibleFields(form: Form, values: JsonObject): readonly Field[] {
  const fields = fieldsOf(form);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const shown = new Map<Field, boolean>();

  function shows(field: Field): boolean {
    const known = shown.get(field);
    if (known !== undefined) return known;
    // Until it is known, the field counts as hidden: conditions in a circle end instead of recursing.
    shown.set(field, false);
    const result = field.conditional === undefined || holds(field.conditional);
    shown.set(field, result);
    return result;
  }

  function holds(condition: Condition): boolean {
    const other = byKey.get(condition.field);
    return other !== undefined && shows(other) && conditionMet(condition, other, member(values, other.key));
  }

  return fields.filter(shows);
}

/** One row of the table above, for one value of the field that the condition names. */
function conditionMet(condition: Condition, other: Field, given: Json | undefined): boolean {
  const met = isGiven(given) && relationMet(condition, other, given);
  return condition.operator === "neq" ? !met : met;
}

function relationMet(condition: Condition, other: Field, given: Json): boolean {
  const asDate = other.type === "date";
  const value = comparable(given, asDate);
  const target = comparable(condition.value, asDate);
  switch (condition.operator) {
    case "eq":
    case "neq":
      return equals(value, target);
    case "in":
      return Array.isArray(target) && target.some((item) => equals(value, comparable(item, asDate)));
    case "gt":
      return typeof value === "number" && typeof target === "number" && value > target;
    case "lt":
      return typeof value === "number" && typeof target === "number" && value < target;
  }
}

function comparable(value: Json, asDate: boolean): Json {
  return asDate ? (readMoment(value) ?? value) : value;
}

function equals(value: Json, target: Json): boolean {
  if (Array.isArray(value) && !Array.isArray(target)) return value.some((item) => sameJson(item, target));
  return sameJson(value, target);
}
