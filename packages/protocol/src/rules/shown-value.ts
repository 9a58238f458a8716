/** What a field's input shows of a value. Nobody answers with what they could not see (G12). */

import { readDate } from "./date.ts";
import { FILE_UPLOAD, isFileRef } from "./file-ref.ts";
import type { Field } from "./form.ts";
import type { Json } from "./json.ts";
import { textInInput } from "./visible-text.ts";

/** As much of a value as the input of its field shows; `undefined`: nothing. */
export function asShown({ type }: Pick<Field, "type">, value: Json): Json | undefined {
  switch (type) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "number":
    case "range":
      return typeof value === "number" ? value : undefined;
    case "select":
      return typeof value === "string" ? value : undefined;
    case "multiselect":
      return Array.isArray(value) ? value : undefined;
    case "date":
      return typeof value === "string" && readDate(value) !== null ? value : undefined;
    case FILE_UPLOAD:
      return isFileRef(value) ? value : undefined;
    default:
      if (typeof value === "string") return textInInput(value, type === "textarea");
      // Types of others get a text input, which shows a number too.
      return typeof value === "number" ? value : undefined;
  }
}
