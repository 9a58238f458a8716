/** Sessions of forms: the step that the person reached, and what they had typed. */

import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { type Form, type JsonObject, progressOf, sensitiveKeys } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import type { ProgressHold } from "../../../kernel/hold/commands.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { time } from "../../http/present.ts";
import type { HitlDeps } from "../deps.ts";
import type { CaseEntrant } from "../doors.ts";
import { caseFailure, refusedCase, settledFailure } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { statusOf } from "./poll.ts";

export const session = {
  async progressCase({ authority, by, body }, deps) {
    const hold = await note(authority, body, {}, deps);
    return { status: 200, body: statusOf(hold, by, deps) };
  },

  readSession: ({ authority }, deps) => read(authority, deps),

  async saveSession({ authority, body: { values, step = 1 } }, deps) {
    const secret = new Set(sensitiveKeys(keptForm(authority.hold)));
    // A link may be forwarded, so the next person must not see what was typed into a sensitive field.
    const kept = Object.fromEntries(Object.entries(values).filter(([key]) => !secret.has(key)));
    await note(authority, { values, step }, { draft: { values: kept, step } }, deps);
    return read(authority, deps);
  },
} satisfies Routes;

interface Filled {
  readonly values?: JsonObject;
  readonly step?: number;
}

async function note(
  { hold, link, workspace, by }: CaseEntrant,
  { values, step = 1 }: Filled,
  more: Pick<ProgressHold, "draft">,
  { engine, publicUrl }: HitlDeps,
): Promise<Entity<Hold>> {
  const form = hold.body.ask?.form;
  const result = await engine.run({
    kind: "progress_hold",
    workspace,
    by,
    holdId: hold.id,
    linkHash: link.hash,
    ...(form === undefined || values === undefined ? {} : { progress: progressOf(form, values, step) }),
    ...more,
  });
  if (!result.ok) throw refusedCase(result.failure, result.hold, publicUrl);
  return result.entity;
}

/** A form has a session only if its author asked for one. */
function keptForm(hold: Entity<Hold>): Form {
  const form = hold.body.ask?.form;
  if (form?.session_id === undefined) throw caseFailure("not_found", "this case keeps no half-filled form");
  return form;
}

async function read({ hold, workspace }: CaseEntrant, deps: HitlDeps) {
  if (hold.body.status === "expired") throw settledFailure(hold.body);
  keptForm(hold);
  const [found] = await deps.engine.store.load([
    { workspace, kind: "form_session", id: hold.id, read: true },
  ]);
  const session = found?.body;
  if (session === undefined) throw caseFailure("not_found", "nothing has been kept");
  const { values, step, savedAt } = session;
  const body = { case_id: caseIdOf(hold.id), values, step, saved_at: time(savedAt) };
  return { status: 200, body };
}
