/** A form inside an ask: fields in one list or in steps, never both. Member names are the wire's (HITL `context.form`). */

import type { Json } from "./json.ts";

export const FIELD_TYPES = [
  "text",
  "textarea",
  "number",
  "date",
  "email",
  "url",
  "boolean",
  "select",
  "multiselect",
  "range",
] as const;

export type FieldType = (typeof FIELD_TYPES)[number] | `x-${string}`;

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

export interface Validation {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Matches the whole value. RE2 syntax: linear time whatever the input, so no lookaround and no back-references. */
  readonly pattern?: string;
  /** For dates: epoch milliseconds, or an ISO date. */
  readonly min?: number | string;
  readonly max?: number | string;
}

export type Operator = "eq" | "neq" | "in" | "gt" | "lt";

/** A field shows only while another field's value stands in this relation. */
export type Condition = {
  readonly field: string;
  readonly operator: Operator;
  readonly value: Json;
};

export type Field = {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly default?: Json;
  readonly default_ref?: string;
  readonly sensitive?: boolean;
  readonly options?: readonly FieldOption[];
  readonly validation?: Validation;
  readonly conditional?: Condition;
};

export interface Step {
  readonly title: string;
  readonly description?: string;
  /** An empty last step shows all answers before they are sent. */
  readonly fields: readonly Field[];
}

export type Form = {
  readonly session_id?: string;
  readonly fields?: readonly Field[];
  readonly steps?: readonly Step[];
};

export function fieldsOf(form: Form): readonly Field[] {
  return form.fields ?? form.steps?.flatMap((step) => step.fields) ?? [];
}

export function sensitiveKeys(form: Form | undefined): readonly string[] {
  if (form === undefined) return [];
  return fieldsOf(form)
    .filter((field) => field.sensitive === true)
    .map((field) => field.key);
}
