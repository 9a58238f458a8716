/** Saves what a person has filled in so far, for their return. Sensitive values are never saved. */

import type { Operation } from "@holdpoint/protocol";
import { isObject, type JsonObject, progressOf, sensitiveKeys } from "@holdpoint/protocol/rules";
import type { Context } from "hono";
import type { Entity } from "../../../kernel/entity.ts";
import type { FormSession, Hold } from "../../../kernel/hold/hold.ts";
import type { LinkAuthority } from "../../http/authority.ts";
import { type BodyLimits, readJson } from "../../http/body.ts";
import type { Call } from "../../http/mount.ts";
import type { HttpReply } from "../../http/respond.ts";
import type { PageDeps } from "../deps.ts";

const DRAFT_LIMITS: BodyLimits = { bytesMax: 256 * 1024, depthMax: 16, valuesMax: 10_000 };

export async function findDraft(hold: Entity<Hold>, deps: PageDeps): Promise<FormSession | undefined> {
  if (hold.body.status !== "open" || hold.body.ask?.form?.session_id === undefined) return undefined;
  const key = { workspace: hold.workspace, kind: "form_session", id: hold.id, read: true } as const;
  const [found] = await deps.engine.store.load([key]);
  return found?.body;
}

/** A draft that cannot be parsed is refused like one that does not match the form. */
export async function readDraft(c: Context): Promise<unknown> {
  return readJson(c, DRAFT_LIMITS).then(
    ({ value }) => value ?? null,
    () => null,
  );
}

type DraftCall = Pick<Call<Operation, LinkAuthority>, "authority" | "workspace" | "by"> & {
  readonly body: unknown;
};

export async function keepDraft(call: DraftCall, deps: PageDeps): Promise<HttpReply> {
  const { workspace, by, body: sent } = call;
  const { holdId, hash: linkHash } = call.authority.link;
  const form = (await deps.holds.get(workspace, holdId))?.body.ask?.form;
  if (form === undefined || !isObject(sent) || !isObject(sent["values"])) return { status: 422 };
  const step = Number(sent["step"] ?? 1);
  const secret = new Set(sensitiveKeys(form));
  const values: JsonObject = Object.fromEntries(
    Object.entries(sent["values"]).filter(([key]) => !secret.has(key)),
  );
  const progress = progressOf(form, values, Number.isInteger(step) ? step : 1);
  const draft = form.session_id === undefined ? {} : { draft: { values, step: progress.current_step } };
  const result = await deps.engine.run({
    kind: "progress_hold",
    workspace,
    by,
    holdId,
    linkHash,
    progress,
    ...draft,
  });
  return { status: result.ok ? 204 : result.failure.code === "hold_expired" ? 410 : 409 };
}
