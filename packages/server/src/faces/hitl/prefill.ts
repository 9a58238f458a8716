/**
 * Values that a form starts with and an agent must not see. They are kept beside the ask, never in it: the field carries an
 * address, and only the page's token opens that.
 */

import { hitlOperations } from "@holdpoint/protocol/hitl";
import { holdIdOf } from "@holdpoint/protocol/hitl/case";
import { type Ask, type Field, fieldsOf, isObject, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { Hono } from "hono";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { type Call, type MountOptions, mount } from "../http/mount.ts";
import type { HitlDeps } from "./deps.ts";
import { caseTrouble } from "./errors.ts";

/** The ask with addresses in place of the values; `null` when a value belongs to no field. */
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

export function mountPrefill(app: Hono, deps: HitlDeps, options: MountOptions): void {
  mount(app, hitlOperations.readPrefill, (call) => readPrefill(call, deps), options);
}

async function readPrefill(call: Call<typeof hitlOperations.readPrefill>, deps: HitlDeps) {
  const { token, case_id: caseId = "" } = call.query;
  const holdId = holdIdOf(caseId);
  const found = await deps.identity.byLink(token, holdId, call.ip);
  if (!found.ok && found.retryAfterMs !== undefined) {
    throw caseTrouble("rate_limited", "too many wrong tokens", { retryAfterMs: found.retryAfterMs });
  }
  if (!found.ok || found.link.purpose !== "review" || found.link.revokedAt !== undefined) {
    throw caseTrouble("invalid_token", "only the review page may ask for this");
  }
  const hold: Entity<Hold> | undefined = await deps.holds.get(found.caller.workspace, holdId);
  const values = hold?.body.status === "open" ? hold.body.face?.["prefill"] : undefined;
  const value = isObject(values) ? member(values, call.params.key) : undefined;
  if (value === undefined) throw caseTrouble("not_found", "there is nothing to fill in here");
  return { status: 200, body: { value }, headers: { "cache-control": "no-store" } };
}
