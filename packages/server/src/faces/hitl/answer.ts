/** Answers: from a page with its link, from an agent with its submit token. Whatever comes second is told so (G1). */

import { OpenObject, readShape } from "@holdpoint/protocol";
import { hitlOperations, RespondRequest, SubmitRequest07 } from "@holdpoint/protocol/hitl";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { submitChannel } from "@holdpoint/protocol/hitl/words";
import { isObject, type JsonObject, needsNote, readFormPost } from "@holdpoint/protocol/rules";
import type { Context, Hono } from "hono";
import * as z from "zod";
import { NO_SETTINGS, type WorkspaceSettings } from "../../kernel/access/access.ts";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { type BodyLimits, readText } from "../http/body.ts";
import { readFormText } from "../http/form-text.ts";
import type { MountOptions } from "../http/mount.ts";
import { time } from "../http/present.ts";
import type { HitlDeps } from "./deps.ts";
import { type Door, type Entrant, enter } from "./enter.ts";
import { mountDoor } from "./entrants.ts";
import { caseTrouble, refusedCase } from "./errors.ts";
import { isPageOnly, isRegistered } from "./inline.ts";

/** Which form a body must have depends on who sends it, so it is held against that form when they are known. */
const AnyAnswer = z.union([z.instanceof(URLSearchParams), OpenObject]);

export function mountAnswer(app: Hono, deps: HitlDeps, mounting: MountOptions): void {
  const respond = { ...hitlOperations.respondCase, body: AnyAnswer };
  const submit = { ...hitlOperations.submitCase, body: OpenObject };
  const door = (takes: Door["takes"]) => ({
    mounting,
    letIn: (c: Context, ip: string) => enter(c, ip, { takes }, deps),
  });
  mountDoor(app, respond, { ...door(["review", "submit"]), readBody: readFormBody }, (who, { body }) =>
    body instanceof URLSearchParams ? formPost(who, body, deps) : answer(who, body, deps),
  );
  mountDoor(app, submit, door(["submit"]), (who, { body }) => answer(who, body, deps));
}

async function answer(entrant: Entrant, body: JsonObject, deps: HitlDeps) {
  const isInline = entrant.link.purpose === "submit";
  const hold = await (isInline ? inline(entrant, body, deps) : onPage(entrant, body, deps));
  const { outcome, next } = hold.body;
  return {
    status: 200,
    body: {
      status: "completed",
      case_id: caseIdOf(hold.id),
      completed_at: time(outcome?.at ?? 0),
      ...(next === undefined ? {} : { next_case_id: caseIdOf(next) }),
    },
    headers: { "cache-control": "no-store" },
  };
}

function onPage(entrant: Entrant, body: JsonObject, deps: HitlDeps): Promise<Entity<Hold>> {
  const { action, data = {} } = read(RespondRequest, body);
  return settle(entrant, { action, data, door: "page", by: entrant.by }, deps);
}

/** HITL's seed writes `telegram` where its schema has the long name; both are understood, the long one is kept. */
function withLongName(body: JsonObject): JsonObject {
  const via = body["submitted_via"];
  return typeof via === "string" ? { ...body, submitted_via: submitChannel(via) } : body;
}

async function inline(entrant: Entrant, body: JsonObject, deps: HitlDeps): Promise<Entity<Hold>> {
  const { action, data = {}, submitted_via, submitted_by } = read(SubmitRequest07, withLongName(body));
  const { hold, link, workspace } = entrant;
  const onPageInstead = {
    caseId: caseIdOf(hold.id),
    // Without a token: none is kept to repeat. Agents have the whole address from the 202.
    reviewUrl: `${deps.publicUrl}/review/${caseIdOf(hold.id)}`,
  };
  if (
    (link.actions !== undefined && !link.actions.includes(action)) ||
    isPageOnly(hold.body.face) ||
    (hold.body.ask !== null && needsNote(hold.body.ask, action)) ||
    (await isForbidden(workspace, deps))
  ) {
    throw caseTrouble("action_not_inline", `${action} is taken on the review page`, onPageInstead);
  }
  if (!isRegistered(hold.body.face, submitted_by)) {
    throw caseTrouble("identity_mismatch", "this account is not registered for the case", onPageInstead);
  }
  const { platform, platform_user_id: id, display_name: name } = submitted_by;
  const claimed = { submitted_via, platform, id, ...(name === undefined ? {} : { name }) };
  return settle(entrant, { action, data, door: "inline", by: { ...entrant.by, claimed } }, deps);
}

async function isForbidden(workspace: string, { engine }: HitlDeps): Promise<boolean> {
  const [found] = await engine.store.load([{ workspace, kind: "workspace", id: "settings", read: true }]);
  return ((found?.body as WorkspaceSettings | undefined) ?? NO_SETTINGS).noInline === true;
}

interface Given {
  readonly action: string;
  readonly data: JsonObject;
  readonly door: "page" | "inline";
  readonly by: Principal;
}

async function settle(
  { hold, link, workspace }: Entrant,
  given: Given,
  { engine }: HitlDeps,
): Promise<Entity<Hold>> {
  const command = { kind: "answer_hold", workspace, holdId: hold.id, linkHash: link.hash, ...given } as const;
  const result = await engine.run(command);
  if (!result.ok) throw refusedCase(result.failure, result.hold);
  return result.entity;
}

function read<Schema extends z.ZodType>(schema: Schema, body: JsonObject): z.output<Schema> {
  if (!Object.hasOwn(body, "action") || body["action"] === "") {
    const wrapped = isObject(body["result"]) ? "; send action and data themselves, not inside result" : "";
    throw caseTrouble("missing_action", `the answer names no action${wrapped}`);
  }
  const parsed = readShape(schema, body);
  if (parsed.ok) return parsed.data;
  const { fields } = parsed.refusal;
  throw caseTrouble("invalid_request", "the answer does not have the declared form", { fields });
}

async function readFormBody(c: Context, { bytesMax }: BodyLimits): Promise<URLSearchParams | undefined> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  return readFormText(await readText(c, bytesMax));
}

/** A page without script: the answer, then the page that shows it. */
async function formPost(entrant: Entrant, form: URLSearchParams, deps: HitlDeps) {
  const { hold, link, by, token } = entrant;
  const { ask } = hold.body;
  if (ask === null) throw new Error("an open hold has its ask");
  if (link.purpose === "submit") throw caseTrouble("invalid_request", "an inline answer is sent as JSON");
  const { action, data } = readFormPost(ask, form);
  if (action === undefined || action === "") throw caseTrouble("missing_action", "the form names no action");
  await settle(entrant, { action, data, door: "page", by }, deps);
  const location = `/review/${caseIdOf(hold.id)}?token=${encodeURIComponent(token)}&done`;
  return { status: 303, headers: { location, "cache-control": "no-store" } };
}
