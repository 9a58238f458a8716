/**
 * Initial values of a form that agents must not see. They are stored beside the ask, never in it: the field contains a URL that
 * only the page's token opens.
 */

import { type Ask, type Field, fieldsOf, isObject, type JsonObject, member } from "@holdpoint/protocol/rules";
import { caseFailure } from "../errors.ts";
import type { Routes } from "../operations.ts";

/** The ask with URLs in place of the values; `null` if a value belongs to no field. */
export function prefilled(ask: Ask, values: JsonObject, publicUrl: string): Ask | null {
  const known = new Set(ask.form === undefined ? [] : fieldsOf(ask.form).map(({ key }) => key));
  if (ask.form === undefined || !Object.keys(values).every((key) => known.has(key))) return null;
  // No case in the address, so that the same ask stays the same when it is sent again: the page says which.
  const referring = (field: Field): Field =>
    Object.hasOwn(values, field.key)
      ? { ...field, default_ref: `${publicUrl}/hitl/v1/prefill/${field.key}` }
      : field;
  const { fields, steps } = ask.form;
  return {
    ...ask,
    form: {
      ...ask.form,
      ...(fields && { fields: fields.map(referring) }),
      ...(steps && { steps: steps.map((step) => ({ ...step, fields: step.fields.map(referring) })) }),
    },
  };
}

export const prefill = {
  async readPrefill({ authority, params }, deps) {
    const hold = await deps.holds.get(authority.workspace, authority.link.holdId);
    const values = hold?.body.status === "open" ? hold.body.face?.["prefill"] : undefined;
    const value = isObject(values) ? member(values, params.key) : undefined;
    if (value === undefined) throw caseFailure("not_found", "there is nothing to fill in here");
    return { status: 200, body: { value } };
  },
} satisfies Routes;
