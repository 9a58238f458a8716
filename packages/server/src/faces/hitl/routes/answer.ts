/** Answers from a page with a link, or from an agent with a submit token. A second answer gets the first one's outcome (G1). */

import { readShape } from "@holdpoint/protocol";
import { voteWords } from "@holdpoint/protocol/client";
import { RespondRequest, SubmitRequest07, SubmitRequest08 } from "@holdpoint/protocol/hitl";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { submitChannel } from "@holdpoint/protocol/hitl/words";
import { isObject, type JsonObject, readFormPost } from "@holdpoint/protocol/rules";
import type { Context } from "hono";
import type * as z from "zod";
import type { Entity } from "../../../kernel/entity.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { CheckedEvidence } from "../../../kernel/hold/verification.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { type BodyLimits, readText } from "../../http/body.ts";
import { readFormText } from "../../http/form-text.ts";
import { presentHold, time } from "../../http/present.ts";
import type { HitlDeps } from "../deps.ts";
import type { CaseEntrant } from "../doors.ts";
import { caseFailure, refusedCase } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { checkEvidence } from "../verifiers.ts";

export const answer = {
  respondCase: ({ authority, body }, deps) =>
    body instanceof URLSearchParams
      ? formPost(authority, body, deps)
      : given(authority, body, SubmitRequest07, deps),
  submitCase: ({ authority, body }, deps) => given(authority, body, SubmitRequest08, deps),
} satisfies Routes;

/** Evidence comes to the address of 0.8 only: the schema of 0.7 has no member for it. */
type SubmitShape = typeof SubmitRequest07 | typeof SubmitRequest08;

async function given(entrant: CaseEntrant, body: JsonObject, shape: SubmitShape, deps: HitlDeps) {
  const isInline = entrant.link.purpose === "submit";
  const hold = await (isInline ? inline(entrant, body, shape, deps) : onPage(entrant, body, deps));
  const { outcome, next, status } = hold.body;
  if (status === "open") {
    const message = voteWords(presentHold(hold, entrant.by))?.summary ?? "";
    return { status: 202, body: { status: "in_progress", case_id: caseIdOf(hold.id), message } };
  }
  return {
    status: 200,
    body: {
      status: "completed",
      case_id: caseIdOf(hold.id),
      completed_at: time(outcome?.at ?? 0),
      ...(next === undefined ? {} : { next_case_id: caseIdOf(next) }),
    },
  };
}

function onPage(entrant: CaseEntrant, body: JsonObject, deps: HitlDeps): Promise<Entity<Hold>> {
  const { action, data = {} } = read(RespondRequest, body);
  return settle(entrant, { action, data, door: "page", by: entrant.by }, deps);
}

/** HITL's example writes `telegram` where its schema has the long name. Both are accepted; the long one is stored. */
function withLongName(body: JsonObject): JsonObject {
  const via = body["submitted_via"];
  return typeof via === "string" ? { ...body, submitted_via: submitChannel(via) } : body;
}

async function inline(
  entrant: CaseEntrant,
  body: JsonObject,
  shape: SubmitShape,
  deps: HitlDeps,
): Promise<Entity<Hold>> {
  const submitted: SubmitRequest08 = read<SubmitShape>(shape, withLongName(body));
  const { action, data = {}, submitted_via, submitted_by, verification_evidence: sent = [] } = submitted;
  const evidence = await checkEvidence(sent, deps.verifiers ?? {});
  const { platform, platform_user_id: id, display_name: name } = submitted_by;
  const claimed = { submitted_via, platform, id, ...(name == null ? {} : { name }) };
  const by = { ...entrant.by, claimed };
  return settle(entrant, { action, data, door: "inline", by, evidence }, deps);
}

interface Answer {
  readonly action: string;
  readonly data: JsonObject;
  readonly door: "page" | "inline";
  readonly by: Principal;
  readonly evidence?: readonly CheckedEvidence[];
}

async function settle(
  { hold, link, workspace }: CaseEntrant,
  answered: Answer,
  { engine, publicUrl }: HitlDeps,
): Promise<Entity<Hold>> {
  const command = {
    kind: "answer_hold",
    workspace,
    holdId: hold.id,
    linkHash: link.hash,
    ...answered,
  } as const;
  const result = await engine.run(command);
  if (!result.ok) throw refusedCase(result.failure, result.hold, publicUrl);
  return result.entity;
}

function read<Schema extends z.ZodType>(schema: Schema, body: JsonObject): z.output<Schema> {
  if (!Object.hasOwn(body, "action") || body["action"] === "") {
    const wrapped = isObject(body["result"]) ? "; send action and data themselves, not inside result" : "";
    throw caseFailure("missing_action", `the answer names no action${wrapped}`);
  }
  const parsed = readShape(schema, body);
  if (parsed.ok) return parsed.data;
  const { fields: problems } = parsed.refusal;
  throw caseFailure("invalid_request", "the answer does not have the declared form", { problems });
}

export async function readFormBody(
  c: Context,
  { bytesMax }: BodyLimits,
): Promise<URLSearchParams | undefined> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  return readFormText(await readText(c, bytesMax));
}

/** A page without JavaScript: takes the answer and replies with the page that shows it. */
async function formPost(entrant: CaseEntrant, form: URLSearchParams, deps: HitlDeps) {
  const { hold, link, by, token } = entrant;
  const { ask } = hold.body;
  if (ask === null) throw new Error(`Invariant: open hold ${hold.id} has no ask`);
  if (link.purpose === "submit") throw caseFailure("invalid_request", "an inline answer is sent as JSON");
  const { action, data } = readFormPost(ask, form);
  if (action === undefined || action === "") throw caseFailure("missing_action", "the form names no action");
  await settle(entrant, { action, data, door: "page", by }, deps);
  const location = `/review/${caseIdOf(hold.id)}?token=${encodeURIComponent(token)}&done`;
  return { status: 303, headers: { location } };
}
