/** What a field's input shows of a value. Nobody answers with what they could not see (G12). */

import { FILE_UPLOAD } from "./file-ref.ts";
import type { Field } from "./form.ts";
import type { Json } from "./json.ts";
import { textInInput } from "./visible-text.ts";

/**
 * As much of a value as the input of its field shows; `undefined`: nothing. A value of another type than the field's is shown by
 * no input either, but no answer with it is taken.
 */
export function asShown({ type }: Pick<Field, "type">, value: Json): Json | undefined {
  // A choice shows the label of its value.
  if (type === "select" || type === FILE_UPLOAD) return value;
  if (typeof value === "string") return textInInput(value, type === "textarea");
  // Types of others get a text input, which shows a number too.
  return type.startsWith("x-") && typeof value !== "number" ? undefined : value;
}
