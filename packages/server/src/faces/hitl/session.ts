/** Filling in a form: how far somebody has come, and what they had typed when they left. */

import { hitlOperations } from "@holdpoint/protocol/hitl";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { type Form, type JsonObject, progressOf, sensitiveKeys } from "@holdpoint/protocol/rules";
import type { Context, Hono } from "hono";
import type { Entity } from "../../kernel/entity.ts";
import type { ProgressHold } from "../../kernel/hold/commands.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { MountOptions } from "../http/mount.ts";
import { time } from "../http/present.ts";
import type { HitlDeps } from "./deps.ts";
import { type Entrant, enter } from "./enter.ts";
import { mountDoor } from "./entrants.ts";
import { caseTrouble, refusedCase, settledTrouble } from "./errors.ts";
import { statusOf } from "./poll.ts";

const NO_STORE = { "cache-control": "no-store" };

export function mountSession(app: Hono, deps: HitlDeps, mounting: MountOptions): void {
  const { progressCase, readSession, saveSession } = hitlOperations;
  const page = (afterEnd: boolean) => ({
    mounting,
    letIn: (c: Context, ip: string) => enter(c, ip, { takes: ["review"], afterEnd }, deps),
  });
  mountDoor(app, progressCase, page(false), (who, { body }) => progress(who, body, deps));
  mountDoor(app, readSession, page(true), (who) => read(who, deps));
  mountDoor(app, saveSession, page(false), (who, { body }) => save(who, body, deps));
}

interface Filled {
  readonly values?: JsonObject;
  readonly step?: number;
}

async function progress(entrant: Entrant, filled: Filled, deps: HitlDeps) {
  const hold = await note(entrant, filled, {}, deps);
  return { status: 200, body: statusOf(hold, entrant.by, deps), headers: NO_STORE };
}

async function note(
  { hold, link, workspace, by }: Entrant,
  { values, step = 1 }: Filled,
  more: Pick<ProgressHold, "draft">,
  { engine }: HitlDeps,
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
  if (!result.ok) throw refusedCase(result.failure, result.hold);
  return result.entity;
}

/** A form keeps a session only if its author gave it one. */
function keptForm(hold: Entity<Hold>): Form {
  const form = hold.body.ask?.form;
  if (form?.session_id === undefined) throw caseTrouble("not_found", "this case keeps no half-filled form");
  return form;
}

async function save(
  entrant: Entrant,
  { values, step = 1 }: Filled & { readonly values: JsonObject },
  deps: HitlDeps,
) {
  const { hold } = entrant;
  const secret = new Set(sensitiveKeys(keptForm(hold)));
  // A link may be passed on: what one person typed into a sensitive field is not for the next to find.
  const kept = Object.fromEntries(Object.entries(values).filter(([key]) => !secret.has(key)));
  await note(entrant, { values, step }, { draft: { values: kept, step } }, deps);
  return read(entrant, deps);
}

async function read({ hold, workspace }: Entrant, deps: HitlDeps) {
  if (hold.body.status === "expired") throw settledTrouble(hold.body);
  keptForm(hold);
  const [found] = await deps.engine.store.load([
    { workspace, kind: "form_session", id: hold.id, read: true },
  ]);
  const session = found?.body;
  if (session === undefined) throw caseTrouble("not_found", "nothing has been kept");
  const { values, step, savedAt } = session;
  const body = { case_id: caseIdOf(hold.id), values, step, saved_at: time(savedAt) };
  return { status: 200, body, headers: NO_STORE };
}
