/** Questions to people about an intent: asked, read, answered. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { EntityOf } from "../../../domains.ts";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { requestsOf } from "../../rules/domain.ts";
import type { AskAboutIntent } from "../../rules/intent/commands.ts";
import { may } from "../../rules/intent/who.ts";
import type { IntentRequest, RequestType } from "../../rules/request/request.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, fresh, madeHold, ran } from "../enter.ts";
import type { Routes } from "../operations/index.ts";
import {
  presentAccessRequest,
  presentApproval,
  presentArbitration,
  presentEscalation,
} from "../present-request.ts";

const PAGE = 100;

export const requests = {
  async requestApproval(call, deps) {
    const { action } = call.body;
    const request = { ...asked("approval", call.body, deps), action };
    return { status: 200, body: presentApproval(await ask(call, call.params.id, request, deps)) };
  },

  async getApproval(call, deps) {
    const { id, approval_id: approvalId } = call.params;
    return { status: 200, body: presentApproval(await find(call, id, "approval", approvalId, deps)) };
  },

  approveApproval: (call, deps) => decide(call, "approve", deps),

  denyApproval: (call, deps) => decide(call, "reject", deps),

  async escalateToHuman(call, deps) {
    const { priority, urgency } = call.body;
    const words = { priority: priority ?? "medium", urgency: urgency ?? "medium" };
    const request = { ...asked("escalation", call.body, deps), ...words };
    return { status: 200, body: presentEscalation(await ask(call, call.params.id, request, deps)) };
  },

  async listEscalations(call, deps) {
    const { intent_id: intentId, status, limit = PAGE } = call.query;
    if (intentId !== undefined) await enter(intentId, call, deps);
    const found = await list(call, "escalation", intentId, deps);
    const wanted = found.filter((request) => (status ?? request.status) === request.status);
    return { status: 200, body: { escalations: wanted.slice(0, limit).map(presentEscalation) } };
  },

  async resolveEscalation(call, deps) {
    const { workspace, params, body } = call;
    const want = { workspace, kind: "intent_request", id: params.id, read: true } as const;
    const [found] = await deps.engine.store.load([want]);
    if (found === undefined) throw fail("not_found", "there is no escalation with this id");
    const { resolution, notes } = body;
    const data = { resolution, ...(notes == null ? {} : { notes }) };
    const by = named(call.by, body.resolved_by);
    const at = { intentId: found.body.intentId, requestId: params.id, type: "escalation" } as const;
    return {
      status: 200,
      body: presentEscalation(await answer({ workspace, by }, at, "submit", data, deps)),
    };
  },

  async requestArbitration(call, deps) {
    const { reason, context, options } = call.body;
    const offered = { ...context, ...(options == null ? {} : { options: options as JsonObject[] }) };
    const request = asked("arbitration", { reason, context: offered }, deps);
    return { status: 200, body: presentArbitration(await ask(call, call.params.id, request, deps)) };
  },

  async getArbitration(call, deps) {
    const { id, arbitration_id: arbitrationId } = call.params;
    return {
      status: 200,
      body: presentArbitration(await find(call, id, "arbitration", arbitrationId, deps)),
    };
  },

  async requestAccess(call, deps) {
    const { body, params } = call;
    const request = {
      ...asked("access", { reason: body.reason }, deps),
      principalId: body.principal_id,
      principalType: body.principal_type ?? "agent",
      permission: body.requested_permission,
      capabilities: body.capabilities ?? [],
    };
    return { status: 200, body: presentAccessRequest(await ask(call, params.id, request, deps)) };
  },

  async listAccessRequests(call, deps) {
    await enter(call.params.id, call, deps, "admin");
    const found = await list(call, "access", call.params.id, deps);
    return { status: 200, body: { access_requests: found.map(presentAccessRequest) } };
  },

  approveAccessRequest(call, deps) {
    const { permission, expires_at: until, reason } = call.body;
    const changes = {
      ...(permission == null ? {} : { permission }),
      ...(until == null ? {} : { expires_at: until }),
    };
    return decideAccess(call, "approve", feedback(reason), changes, deps);
  },

  denyAccessRequest: (call, deps) => decideAccess(call, "reject", feedback(call.body.reason), {}, deps),
} satisfies Routes;

type From = Pick<Call, "workspace" | "by">;
type Of<T extends RequestType> = Extract<IntentRequest, { readonly type: T }>;

interface Given {
  readonly reason?: string | null | undefined;
  readonly context?: JsonObject | null | undefined;
}

function asked<T extends RequestType>(type: T, { reason, context }: Given, deps: OpenIntentDeps) {
  return { id: fresh(type, deps), type, reason: reason ?? "", context: context ?? {} };
}

async function ask<R extends AskAboutIntent["request"]>(
  { workspace, by }: From,
  intentId: string,
  request: R,
  deps: OpenIntentDeps,
): Promise<Of<R["type"]>> {
  await ran({ kind: "ask_about_intent", workspace, by, intentId, request, made: madeHold(deps) }, deps);
  return load<R["type"]>(workspace, request.type, request.id, deps);
}

async function load<T extends RequestType>(
  workspace: string,
  type: T,
  id: string,
  { engine }: OpenIntentDeps,
): Promise<Of<T>> {
  const [found] = await engine.store.load([{ workspace, kind: "intent_request", id, read: true }]);
  if (!isOf(found?.body, type))
    throw new Error(`Invariant: question ${id} was committed but cannot be read back`);
  return found.body as Of<T>;
}

function isOf<T extends RequestType>(request: IntentRequest | undefined, type: T): request is Of<T> {
  return request?.type === type;
}

/** Reading the intent first brings forward what is due. */
async function find<T extends RequestType>(
  call: From,
  intentId: string,
  type: T,
  id: string,
  deps: OpenIntentDeps,
): Promise<Of<T>> {
  const { workspace } = call;
  await enter(intentId, call, deps);
  const [found] = await deps.engine.store.load([{ workspace, kind: "intent_request", id, read: true }]);
  const request = found?.body;
  if (!isOf(request, type) || request.intentId !== intentId)
    throw fail("not_found", "there is nothing with this id at this intent");
  return request;
}

/** The newest of one type, of one intent or of every intent that the caller may read. */
async function list<T extends RequestType>(
  call: From,
  type: T,
  intentId: string | undefined,
  deps: OpenIntentDeps,
): Promise<readonly Of<T>[]> {
  const { workspace, by } = call;
  const index =
    intentId === undefined
      ? { name: "type", value: type }
      : { name: "intent_type", value: requestsOf(intentId, type) };
  const { store, clock } = deps.engine;
  const found = await store.query({
    workspace,
    kind: "intent_request",
    index,
    newestFirst: true,
    limit: 500,
  });
  const requests = found.map(({ body }) => body).filter((request) => isOf(request, type));
  if (intentId !== undefined) return requests;
  const ids = [...new Set(requests.map((request) => request.intentId))];
  const wants = ids.map((id) => ({ workspace, kind: "intent", id, read: true }) as const);
  const intents = wants.length === 0 ? [] : await store.load(wants);
  const readable = new Set(intents.filter((each) => mayRead(each, by, clock.now())).map(({ id }) => id));
  return requests.filter((request) => readable.has(request.intentId));
}

function mayRead({ body }: EntityOf<"intent">, by: Principal, now: number): boolean {
  return may(body, by, "read", now);
}

interface At<T extends RequestType> {
  readonly intentId: string;
  readonly requestId: string;
  readonly type: T;
}

async function answer<T extends RequestType>(
  { workspace, by }: From,
  at: At<T>,
  action: string,
  data: JsonObject,
  deps: OpenIntentDeps,
): Promise<Of<T>> {
  await ran({ kind: "answer_intent_request", workspace, by, ...at, action, data }, deps);
  return load(workspace, at.type, at.requestId, deps);
}

type ApprovalCall = From & {
  readonly params: { readonly id: string; readonly approval_id: string };
  readonly body: {
    readonly notes?: string | null | undefined;
    readonly decided_by?: string | null | undefined;
  };
};

async function decide(call: ApprovalCall, action: "approve" | "reject", deps: OpenIntentDeps) {
  const { workspace, params, body } = call;
  const by = named(call.by, body.decided_by);
  const at = { intentId: params.id, requestId: params.approval_id, type: "approval" } as const;
  const decided = await answer({ workspace, by }, at, action, feedback(body.notes), deps);
  return { status: 200, body: presentApproval(decided) };
}

type AccessCall = From & {
  readonly params: { readonly id: string; readonly request_id: string };
  readonly body: { readonly decided_by?: string | null | undefined };
};

/** Clients of this protocol expect 404 for a request that was decided before. */
async function decideAccess(
  call: AccessCall,
  action: "approve" | "reject",
  data: JsonObject,
  changes: JsonObject,
  deps: OpenIntentDeps,
) {
  const { workspace, params, body } = call;
  const { id: intentId, request_id: requestId } = params;
  const { permission, status } = await find(call, intentId, "access", requestId, deps);
  if (status !== "pending") throw fail("not_found", "this request for access was decided before");
  const by = named(call.by, body.decided_by);
  const edited = Object.keys(changes).length === 0 ? {} : { edited_args: { permission, ...changes } };
  const at = { intentId, requestId, type: "access" } as const;
  const decided = await answer({ workspace, by }, at, action, { ...data, ...edited }, deps);
  return { status: 200, body: presentAccessRequest(decided) };
}

function feedback(text: string | null | undefined): JsonObject {
  return text == null || text === "" ? {} : { feedback: text };
}

/** A name that a client sends is stored as claimed, because nobody has checked it. */
function named(by: Principal, name: string | null | undefined): Principal {
  return name == null ? by : { ...by, claimed: { name } };
}
