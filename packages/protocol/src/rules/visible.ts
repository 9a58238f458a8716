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
import { canonicalText } from "./same-answer.ts";

export function visibleFields(form: Form, values: JsonObject): readonly Field[] {
  const fields = fieldsOf(form);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const shown = new Map<Field, boolean>();
  const compared = new Map<string, Compared>();

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
    if (other === undefined || !shows(other)) return false;
    const given = member(values, other.key);
    const met = isGiven(given) && relationMet(condition, other, comparedTo(other, given));
    return condition.operator === "neq" ? !met : met;
  }

  /** Made once for each field, however many conditions look at it. */
  function comparedTo(other: Field, given: Json): Compared {
    const known = compared.get(other.key) ?? new Compared(comparable(given, other.type === "date"));
    compared.set(other.key, known);
    return known;
  }

  return fields.filter(shows);
}

/**
 * A given value, ready to be compared with very many others: each comparison takes as long as the other value is large, and
 * not as this one is (G13).
 */
class Compared {
  readonly value: Json;
  #whole: string | undefined;
  #members: ReadonlySet<string> | undefined;

  constructor(value: Json) {
    this.value = value;
  }

  /** A list also equals what it contains. */
  equals(target: Json): boolean {
    if (!Array.isArray(this.value) || Array.isArray(target)) {
      this.#whole ??= canonicalText(this.value);
      return this.#whole === canonicalText(target);
    }
    this.#members ??= new Set(this.value.map(canonicalText));
    return this.#members.has(canonicalText(target));
  }
}

/** One row of the table above, for one value of the field that the condition names. */
function relationMet(condition: Condition, other: Field, given: Compared): boolean {
  const asDate = other.type === "date";
  const { value } = given;
  const target = comparable(condition.value, asDate);
  switch (condition.operator) {
    case "eq":
    case "neq":
      return given.equals(target);
    case "in":
      return Array.isArray(target) && target.some((item) => given.equals(comparable(item, asDate)));
    case "gt":
      return typeof value === "number" && typeof target === "number" && value > target;
    case "lt":
      return typeof value === "number" && typeof target === "number" && value < target;
  }
}

function comparable(value: Json, asDate: boolean): Json {
  return asDate ? (readMoment(value) ?? value) : value;
}
