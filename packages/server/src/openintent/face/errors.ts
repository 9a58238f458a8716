/** Writes failures in OpenIntent's form: `detail` and `message` for its clients, and `error` with the code to branch on. */

import type { ErrorWords } from "@holdpoint/protocol";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import * as z from "zod";
import { failWith, type HttpFailure } from "../../faces/http/failure.ts";
import { type HttpReply, transportHeaders } from "../../faces/http/respond.ts";
import type { Failure, IntentCode } from "../rules/failure.ts";

interface Entry {
  readonly status: number;
  readonly title: string;
  readonly cure: string;
}

const TABLE = {
  unauthenticated: entry(401, "No valid key was sent", "Send `X-API-Key`, or `Authorization: Bearer`."),
  not_allowed: entry(
    403,
    "This caller may not do this",
    "Use a key whose role allows it, or have the intent's access list changed. An agent's key never answers.",
  ),
  agent_mismatch: entry(
    403,
    "The key belongs to another agent",
    "Leave `X-Agent-ID` out, or send the key's own agent.",
  ),
  governance_violation: entry(
    403,
    "The intent's governance policy does not allow this",
    "`rule` names the part of the policy. With `approval_id` people have been asked: try again when they approved.",
  ),
  not_found: entry(
    404,
    "It does not exist, or this caller may not see it",
    "Check the id and the workspace of the key.",
  ),
  method_not_allowed: entry(405, "This address does not take this method", "Use a method named in `Allow`."),
  if_match_required: entry(
    400,
    "The version that was read is missing",
    "Send `If-Match` with the intent's version.",
  ),
  unknown_dependency: entry(400, "A parent or dependency does not exist", "Name intents of this workspace."),
  dependency_cycle: entry(400, "The intent would wait for itself", "Dependencies form no cycle."),
  duplicate_dependency: entry(400, "It depends on this one already", "Name each dependency once."),
  too_many: entry(400, "There would be too many", "The message says how many there may be."),
  already_exists: entry(409, "It already exists", "There is nothing to do."),
  dependencies_incomplete: entry(
    409,
    "Not everything it depends on is complete",
    "`blocking_intents` lists what it waits for.",
  ),
  children_incomplete: entry(
    409,
    "Not every child is complete",
    "`blocking_intents` are the first of those that are not.",
  ),
  version_conflict: entry(
    409,
    "The intent has changed since it was read",
    "Read it again; `current_version` is its version now.",
  ),
  invalid_transition: entry(
    409,
    "The status cannot become this",
    "`from` and `to` say what was tried; see the lifecycle.",
  ),
  intent_suspended: entry(
    409,
    "The intent already waits for an answer",
    "Answer or cancel what it waits for first.",
  ),
  suspension_pending: entry(409, "Only an answer ends the wait", "Answer, cancel, or abandon the intent."),
  suspension_immutable: entry(
    409,
    "What was asked and answered cannot be changed",
    "Cancel the suspension and ask again.",
  ),
  suspension_mismatch: entry(
    409,
    "Another suspension is waiting",
    "Read the intent and answer the one that waits.",
  ),
  suspension_expired: entry(
    409,
    "Nobody answered in time",
    "The fallback has been applied; ask again if it is still wanted.",
  ),
  not_suspended: entry(409, "The intent is not suspended", "There is nothing to answer."),
  already_resolved: entry(
    409,
    "The suspension was resolved before",
    "Read `_suspension`: the first answer stays.",
  ),
  nothing_to_sign: entry(409, "There is nothing new to sign", "A checkpoint covers at least one event."),
  lease_taken: entry(409, "The scope has an active lease", "Wait until `existing_lease` ends."),
  lease_over: entry(409, "The lease is over", "Acquire a new lease."),
  scope_leased: entry(
    409,
    "The scope is under another agent's lease",
    "Acquire the lease on this scope first.",
  ),
  precondition_required: entry(
    428,
    "The version that was read is missing",
    "Send `If-Match` with the version of the task or plan.",
  ),
  UpstreamIntentSuspendedError: entry(
    422,
    "A phase whose output is needed waits for a person",
    "Try again after `expected_resume_at`, or when that phase is complete.",
  ),
  UnresolvableInputError: entry(
    422,
    "A declared input does not exist yet",
    "`unresolvable_refs` lists the references that were not found.",
  ),
  MissingOutputError: entry(422, "A declared output is missing", "`missing_keys` lists them."),
  OutputTypeMismatchError: entry(
    422,
    "An output does not have its declared type",
    "`key`, `expected_type` and `actual_type` say which.",
  ),
  too_large: entry(413, "The body is too large", "Keep bodies within 1 MiB and 50,000 JSON values."),
  unsupported_media_type: entry(
    415,
    "The body is not sent as JSON",
    "Send `Content-Type: application/json`.",
  ),
  invalid_json: entry(422, "The body is not JSON", "Send one JSON object without duplicate members."),
  invalid_request: entry(
    422,
    "The request has not the declared form",
    "Each entry of `errors` names a place.",
  ),
  invalid_record: entry(
    422,
    "The suspension record cannot be used",
    "Each entry of `errors` names a member of the record.",
  ),
  invalid_policy: entry(
    422,
    "The governance policy cannot be enforced",
    "Each entry of `errors` names a member of the policy.",
  ),
  ambiguous_checkpoint: entry(
    409,
    "Several plans wait at a checkpoint with this id",
    "Send `plan_id`; `plan_ids` lists the plans.",
  ),
  invalid_patch: entry(422, "The patch cannot be applied", "Each entry of `errors` names a patch."),
  invalid_choice: entry(
    422,
    "The value is not one of the choices",
    "`valid_choices` are the values that count.",
  ),
  invalid_value: entry(422, "The value does not fit the question", "See the suspension's `response_type`."),
  unknown_event_type: entry(
    422,
    "No client could read an event of this name",
    "Use a name of the protocol; `comment` is for your own words.",
  ),
  target_refused: entry(422, "This server does not send to that address", "Use a public https address."),
  rate_limited: entry(429, "Too many requests", "Wait for `Retry-After` seconds."),
  internal: entry(500, "The server made a mistake", "Try again; if it persists, look at the server's log."),
  not_implemented: entry(
    501,
    "This part of OpenIntent is not served",
    "`capability` names the part; the reference lists them all.",
  ),
  unavailable: entry(503, "The server cannot do this now", "Try again later; nothing was written."),
} as const satisfies Readonly<Record<string, Entry>>;

export type IntentError = keyof typeof TABLE;

function entry(status: number, title: string, cure: string): Entry {
  return { status, title, cure };
}

export const ErrorOut = z.looseObject({
  error: z.enum(Object.keys(TABLE) as [IntentError, ...IntentError[]]),
  detail: z.union([z.string(), z.looseObject({ error: z.string(), message: z.string() })]),
  message: z.string(),
});

export const errorWords: ErrorWords = {
  table: TABLE,
  body: ErrorOut,
  media: "application/json",
  always: ["rate_limited", "internal", "unavailable"] satisfies IntentError[],
  codeOf: (body) => (typeof body["error"] === "string" ? body["error"] : undefined),
};

export const intentFailure = failWith<IntentError>;

/** Codes of the shared HTTP parts have the same name here. Any other code becomes `invalid_request`. */
function errorOf(code: string): IntentError {
  return Object.hasOwn(TABLE, code) ? (code as IntentError) : "invalid_request";
}

export function openIntentDialect({ failure, transport }: HttpFailure): HttpReply {
  const error = errorOf(failure.code);
  const { status, title } = TABLE[error];
  const message = failure.message === "" ? title : failure.message;
  const errors = failure.problems?.map(({ key, rule, message: text }) => ({ key, rule, message: text }));
  return {
    status,
    body: {
      error,
      detail: message,
      message,
      ...(errors === undefined && status !== 400
        ? {}
        : { errors: errors ?? [{ key: "", rule: error, message }] }),
      ...failure.detail,
    },
    headers: transportHeaders(transport, error === "unauthenticated"),
  };
}

/** Codes of the rules that have another name in this protocol. */
const REFUSALS: Partial<Readonly<Record<Failure["code"], IntentError>>> = {
  intent_not_active: "invalid_transition",
  already_settled: "already_resolved",
  hold_expired: "suspension_expired",
  came_due: "unavailable",
} satisfies Partial<Record<Failure["code"] | IntentCode, IntentError>>;

export function refusedIntent({ code, message, ...more }: Failure): HttpFailure {
  const error = REFUSALS[code] ?? errorOf(code);
  if (code === "invalid_choice") return choiceFailure(message, more.detail ?? {});
  if (IN_DETAIL.has(code)) return detailedFailure(error, message, more.detail ?? {});
  return intentFailure(error, message, more);
}

const IN_DETAIL: ReadonlySet<Failure["code"]> = new Set([
  "governance_violation",
  "UpstreamIntentSuspendedError",
  "UnresolvableInputError",
  "MissingOutputError",
  "OutputTypeMismatchError",
]);

/** Clients look for the error's name and its fields under `detail`; this server also sends them beside it. */
function detailedFailure(error: IntentError, message: string, fields: JsonObject): HttpFailure {
  return intentFailure(error, message, { detail: { ...fields, detail: { error, message, ...fields } } });
}

/** Clients of this error read an object under `detail`, and the plain values beside it. */
function choiceFailure(
  message: string,
  { valid_choices: values = [], choices = [] }: Readonly<Record<string, Json>>,
): HttpFailure {
  const detail = { error: "invalid_choice", message, valid_choices: choices };
  return intentFailure("invalid_choice", message, { detail: { detail, valid_choices: values } });
}
