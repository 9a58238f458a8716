/** Places the hold of a question about an intent. The intent keeps its status. */

import type { Context } from "../../../kernel/context.ts";
import type { HoldIn } from "../../../kernel/hold/commands.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { statePlaced } from "../../../kernel/hold/place.ts";
import { mayPlace, type Principal } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { MadeHold } from "../intent/commands.ts";
import type { Intent } from "../intent/intent.ts";
import { append, changeIntent, type Entry, type IntentLog } from "../intent/intent-log.ts";
import { may } from "../intent/who.ts";
import {
  INTENT_REQUEST,
  type IntentRequest,
  REQUESTS_MAX,
  type RequestIn,
  type RequestRef,
  STRANGER_MAX,
  STRANGERS_MAX,
} from "./request.ts";

export interface PlacedRequest {
  readonly intentLog: IntentLog;
  readonly hold: Hold;
}

/** What the hold asks, and what else a plan's checkpoint wants of it: its approvers, its time. */
export type Question = Pick<HoldIn, "ask"> & Partial<HoldIn>;

export function placeRequest(
  intentLog: IntentLog,
  request: RequestIn,
  question: Question,
  by: Principal,
  made: MadeHold,
  context: Context,
): PlacedRequest | Failure {
  const { intent } = intentLog;
  if (!mayPlace(by))
    return failure("not_allowed", `Role '${by.role}' cannot place holds. Use an agent or app key.`);
  const stranger = request.type === "access" && !may(intent, by, "read", context.now) ? by.name : undefined;
  const full = whyFull(pendingOf(intent), stranger);
  if (full !== null) return full;
  const holdIn: HoldIn = {
    id: made.holdId,
    salt: made.salt,
    rungs: [],
    links: "server",
    newLinks: [],
    attachedTo: { domain: INTENT_REQUEST, id: request.id },
    ...question,
  };
  const hold = statePlaced(holdIn, by, intentLog.draft, context);
  if ("code" in hold) return hold;
  const body: IntentRequest = {
    ...request,
    intentId: intent.id,
    holdId: hold.id,
    askedBy: by.name,
    at: context.now,
    status: "pending",
    ...(request.type === "approval" ? { version: intent.version } : {}),
  };
  const requests = [...pendingOf(intent), refOf(body, stranger)];
  const also = [{ kind: INTENT_REQUEST, id: request.id, body } as const];
  const entry = entryOf(body);
  if (entry === undefined) return { intentLog: changeIntent(intentLog, { requests }, also), hold };
  return { intentLog: append(intentLog, { ...entry, change: { requests }, also }), hold };
}

export function pendingOf({ requests = [] }: Pick<Intent, "requests">): readonly RequestRef[] {
  return requests;
}

/** Agents without access to the intent have a quota of their own, so that they cannot use up the one of those who work on it. */
function whyFull(pending: readonly RequestRef[], stranger: string | undefined): Failure | null {
  const others = pending.filter((ref) => ref.stranger !== undefined);
  if (stranger === undefined) {
    return pending.length - others.length < REQUESTS_MAX
      ? null
      : failure("too_many", `at most ${REQUESTS_MAX} questions about one intent can wait at a time`);
  }
  const ofOne = others.filter((ref) => ref.stranger === stranger);
  if (ofOne.length < STRANGER_MAX && others.length < STRANGERS_MAX) return null;
  return failure(
    "too_many",
    `at most ${STRANGER_MAX} requests for access of one asker, and ${STRANGERS_MAX} of all who have no access to the intent, can wait at a time`,
  );
}

function refOf(request: IntentRequest, stranger: string | undefined): RequestRef {
  const { id, holdId, type } = request;
  return {
    ...{ id, holdId, type },
    ...(stranger === undefined ? {} : { stranger }),
    ...(type === "approval" ? { action: request.action, version: request.version as number } : {}),
  };
}

/** The log of the intent names the question; what it says is with the hold. Some have no event type that clients know. */
function entryOf(request: IntentRequest): Pick<Entry, "type" | "payload"> | undefined {
  const { id } = request;
  switch (request.type) {
    case "escalation": {
      const { priority, urgency } = request;
      const payload = { decision_type: "escalation_initiated", escalation_id: id, priority, urgency };
      return { type: "coordinator.decision", payload };
    }
    case "arbitration":
      return { type: "arbitration_requested", payload: { arbitration_id: id, status: "pending" } };
    case "access": {
      const { principalId, permission } = request;
      const payload = { request_id: id, principal_id: principalId, requested_permission: permission };
      return { type: "access_requested", payload };
    }
    default:
      return undefined;
  }
}
