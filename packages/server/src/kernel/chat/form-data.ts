/** The values of a dialog as the data of an answer. Dialogs give text; a form's fields want numbers and choices too. */

import {
  type Field,
  type Form,
  fieldsOf,
  type Json,
  type JsonObject,
  member,
} from "@holdpoint/protocol/rules";

export function formData(form: Form | undefined, values: Readonly<Record<string, string>>): JsonObject {
  const fields = form === undefined ? [] : fieldsOf(form);
  return Object.fromEntries(
    fields.flatMap((field): [string, Json][] => {
      const text = member(values, field.key)?.trim() ?? "";
      return text === "" ? [] : [[field.key, readValue(field, text)]];
    }),
  );
}

/** What is no number stays text, and the form's own rules refuse it with their words. */
function readValue({ type }: Field, text: string): Json {
  if (type !== "number" && type !== "range") return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
