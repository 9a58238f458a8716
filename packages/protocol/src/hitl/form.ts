/** `context.form`: what a person is asked to fill in, in one list of fields or in steps. */

import * as z from "zod";
import { list } from "../wire/base.ts";
import { FIELD_KEY } from "./formats.ts";
import { AnyJson, integerFrom, textUpTo, Uri } from "./values.ts";
import { LABEL_LENGTH_MAX } from "./vocabulary.ts";

const FieldOption = z.strictObject({ value: z.string(), label: z.string() });

const Validation = z.strictObject({
  minLength: integerFrom(0).exactOptional(),
  maxLength: integerFrom(0).exactOptional(),
  pattern: z.string().exactOptional(),
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
});

const Condition = z.strictObject({
  field: z.string(),
  operator: z.enum(["eq", "neq", "in", "gt", "lt"]),
  value: AnyJson,
});

export const FormField = z.strictObject({
  key: z.string().regex(FIELD_KEY),
  label: textUpTo(LABEL_LENGTH_MAX),
  type: z.string().describe("One of the ten field types; any other word is shown as a text field."),
  required: z.boolean().exactOptional(),
  placeholder: z.string().exactOptional(),
  hint: z.string().exactOptional(),
  default: AnyJson.exactOptional(),
  default_ref: Uri.exactOptional(),
  sensitive: z.boolean().exactOptional(),
  options: list(FieldOption).exactOptional(),
  validation: Validation.exactOptional(),
  conditional: Condition.exactOptional(),
});
export type FormField = z.infer<typeof FormField>;

export const FormStep = z.strictObject({
  title: z.string(),
  description: z.string().exactOptional(),
  fields: list(FormField),
});
export type FormStep = z.infer<typeof FormStep>;

export const Form = z
  .strictObject({
    fields: list(FormField).exactOptional(),
    steps: list(FormStep).exactOptional(),
    session_id: z.string().exactOptional(),
  })
  .refine(
    (form) => (form.fields === undefined) !== (form.steps === undefined),
    "Invalid form: expected either fields or steps",
  )
  .meta({ oneOf: [{ required: ["fields"] }, { required: ["steps"] }] });
export type Form = z.infer<typeof Form>;
