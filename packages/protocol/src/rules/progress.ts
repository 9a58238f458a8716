/** How far a person has come with a form: counts only, never values. Member names are the wire's. */

import { isGiven } from "./field-value.ts";
import type { Form } from "./form.ts";
import { type JsonObject, member } from "./json.ts";
import { visibleFields } from "./visible.ts";

export interface Progress {
  readonly current_step: number;
  readonly total_steps: number;
  readonly completed_fields: number;
  readonly total_fields: number;
}

/** `step` counts from 1; one beyond the form is its first or last step. */
export function progressOf(form: Form, values: JsonObject, step: number): Progress {
  const visible = visibleFields(form, values);
  const totalSteps = form.steps?.length ?? 1;
  return {
    current_step: Math.min(Math.max(Math.trunc(step), 1), totalSteps),
    total_steps: totalSteps,
    completed_fields: visible.filter((field) => isGiven(member(values, field.key))).length,
    total_fields: visible.length,
  };
}
