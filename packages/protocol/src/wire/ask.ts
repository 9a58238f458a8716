/** What is asked, as the wire carries it. These are the shapes only; whether an ask makes sense is decided by the rules. */

import * as z from "zod";
import { ASK_TYPES } from "../rules/ask.ts";
import { USES_MAX } from "../rules/check-ask.ts";
import { FIELD_TYPES } from "../rules/form.ts";
import type { Json } from "../rules/json.ts";
import { Id, list } from "./base.ts";

const error = `Use ${ASK_TYPES.join(", ")}, or a type of your own that begins with x-`;
const ExtensionType = z.templateLiteral(["x-", z.string().min(1).max(60)], { error });

export const AskTypeWord = z
  .union([z.enum(ASK_TYPES), ExtensionType], { error })
  .describe("One of the five known types, or a type of your own that starts with `x-`.");
export type AskTypeWord = z.infer<typeof AskTypeWord>;

export const ActionWord = z.string().min(1).max(100);

const StyleWord = z.enum(["primary", "danger", "default"]);

export const OptionItem = z.strictObject({
  id: Id,
  label: z.string().min(1),
  description: z.string().exactOptional(),
  style: StyleWord.exactOptional(),
});
export type OptionItem = z.infer<typeof OptionItem>;

export const ActionItem = z.strictObject({
  id: ActionWord,
  label: z.string().min(1).exactOptional(),
  style: StyleWord.exactOptional(),
});
export type ActionItem = z.infer<typeof ActionItem>;

export const SelectItem = z
  .strictObject({ min: z.int().min(0).exactOptional(), max: z.int().min(1).exactOptional() })
  .describe("How many options of a selection may be chosen; at least one unless `min` says otherwise.");
export type SelectItem = z.infer<typeof SelectItem>;

export const UsesItem = z
  .union([z.int().min(1).max(USES_MAX), z.literal("unlimited")])
  .describe("How often what is approved may be claimed, one after another; once when absent.");
export type UsesItem = z.infer<typeof UsesItem>;

/** Any JSON value: what arrives has been through a JSON reader, so there is nothing left to check. */
const AnyJson = z.custom<Json>((value) => value !== undefined);

const Validation = z.strictObject({
  minLength: z.int().min(0).exactOptional(),
  maxLength: z.int().min(0).exactOptional(),
  pattern: z.string().exactOptional(),
  min: z.union([z.number(), z.string()]).exactOptional(),
  max: z.union([z.number(), z.string()]).exactOptional(),
});

const Condition = z.strictObject({
  field: Id,
  operator: z.enum(["eq", "neq", "in", "gt", "lt"]),
  value: AnyJson,
});

const FieldTypeWord = z.union([z.enum(FIELD_TYPES), ExtensionType]);

export const FieldItem = z.strictObject({
  key: Id,
  label: z.string().min(1),
  type: FieldTypeWord,
  required: z.boolean().exactOptional(),
  placeholder: z.string().exactOptional(),
  hint: z.string().exactOptional(),
  default: AnyJson.exactOptional(),
  default_ref: z.string().exactOptional(),
  sensitive: z.boolean().exactOptional(),
  options: list(z.strictObject({ value: z.string(), label: z.string() })).exactOptional(),
  validation: Validation.exactOptional(),
  conditional: Condition.exactOptional(),
});
export type FieldItem = z.infer<typeof FieldItem>;

const StepItem = z.strictObject({
  title: z.string().min(1),
  description: z.string().exactOptional(),
  fields: list(FieldItem),
});

export const FormItem = z
  .strictObject({
    session_id: Id.exactOptional(),
    fields: list(FieldItem).exactOptional(),
    steps: list(StepItem).exactOptional(),
  })
  .describe("Fields in one list or in steps, never both.");
export type FormItem = z.infer<typeof FormItem>;
