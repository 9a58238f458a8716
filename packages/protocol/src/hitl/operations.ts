/** The HITL Protocol's addresses as data, with the aliases that its documents use. */

import * as z from "zod";
import { defineOperation, type Operation } from "../operation.ts";
import type { OperationSet } from "../operation-set.ts";
import { IdempotencyHeaders } from "../operations/shared.ts";
import { CancelRequest, CaseIn, Jwks, ProgressRequest, SessionIn, SessionOut } from "./case-in.ts";
import { Discovery07, Discovery08 } from "./discovery.ts";
import { HITL_ERROR_STATUS, type HitlErrorCode } from "./error-codes.ts";
import { ErrorBody } from "./errors.ts";
import { CaseEvent } from "./events.ts";
import { HumanInputRequired } from "./hitl-object.ts";
import { PollResponse08 } from "./poll.ts";
import { RespondPending, RespondReply, RespondRequest, SubmitRequest07, SubmitRequest08 } from "./submit.ts";
import { SurfaceProfile } from "./surface.ts";
import { AnyJson, CaseId } from "./values.ts";

const CaseParams = z.strictObject({ case_id: CaseId.max(200) });
/** Links are passed on by people and mail programs, which add what they like. */
const TokenQuery = z.looseObject({ token: z.string().exactOptional() });
const VersionHeaders = z.strictObject({ "hitl-version": z.string().exactOptional() });

const BODY = ["invalid_json", "invalid_request", "payload_too_large"] as const satisfies HitlErrorCode[];
const SETTLED = ["case_expired", "duplicate_submission", "case_cancelled"] as const satisfies HitlErrorCode[];
const TOKEN = ["not_found", "invalid_token"] as const satisfies HitlErrorCode[];
const ANSWER = [
  ...TOKEN,
  ...SETTLED,
  ...BODY,
  "missing_action",
  "action_not_inline",
  "identity_mismatch",
  "verification_required",
  "verification_failed",
  "invalid_action",
  "validation_failed",
] as const satisfies HitlErrorCode[];

export const createCase = defineOperation({
  id: "createCase",
  method: "POST",
  path: "/hitl/v1/cases",
  tag: "hitl",
  summary: "Ask a person; the reply is the 202 that HITL agents know",
  security: "key",
  headers: z.strictObject({ ...IdempotencyHeaders.shape, ...VersionHeaders.shape }),
  body: CaseIn,
  replies: { 202: HumanInputRequired },
  errors: ["unauthorized", ...BODY],
});

export const pollCase = defineOperation({
  id: "pollCase",
  method: "GET",
  path: "/reviews/{case_id}/status",
  tag: "hitl",
  summary: "How a case stands; the source of truth",
  security: "key",
  params: CaseParams,
  replies: { 200: PollResponse08, 304: null },
  errors: ["unauthorized", "invalid_token", "not_found"],
});

export const followCase = defineOperation({
  id: "followCase",
  method: "GET",
  path: "/reviews/{case_id}/events",
  tag: "hitl",
  summary: "A case's events as they come, after those that have been; closed after the end",
  security: "key",
  params: CaseParams,
  headers: z.strictObject({ "last-event-id": z.string().exactOptional() }),
  replies: { 200: CaseEvent },
  media: "text/event-stream",
  errors: ["unauthorized", "invalid_token", "not_found"],
});

export const respondCase = defineOperation({
  id: "respondCase",
  method: "POST",
  path: "/reviews/{case_id}/respond",
  tag: "hitl",
  summary: "Answer: a page with `?token=`, an agent with its submit token as bearer",
  description:
    "A page may also post a plain HTML form; it is then sent on to the page that shows the answer, and a browser (`Accept: " +
    "text/html`) is told on a page what was wrong. With a bearer the body is that of an inline submit.",
  security: "link",
  params: CaseParams,
  query: TokenQuery,
  body: z.union([RespondRequest, SubmitRequest07]),
  replies: { 200: RespondReply, 202: RespondPending, 303: null },
  errors: ANSWER,
});

export const submitCase = defineOperation({
  id: "submitCase",
  method: "POST",
  path: "/reviews/{case_id}/submit",
  tag: "hitl",
  summary: "Answer inline, for a person who pressed a button elsewhere",
  security: "link",
  params: CaseParams,
  body: SubmitRequest08,
  replies: { 200: RespondReply, 202: RespondPending },
  errors: ANSWER,
});

export const cancelCase = defineOperation({
  id: "cancelCase",
  method: "POST",
  path: "/reviews/{case_id}/cancel",
  tag: "hitl",
  summary: "Withdraw: a person with `?token=`, or the agent that asked with its key",
  security: "link",
  params: CaseParams,
  query: TokenQuery,
  body: CancelRequest,
  replies: { 200: PollResponse08 },
  errors: [...TOKEN, "unauthorized", ...SETTLED, ...BODY, "identity_mismatch"],
});

export const progressCase = defineOperation({
  id: "progressCase",
  method: "POST",
  path: "/reviews/{case_id}/progress",
  tag: "hitl",
  summary: "Say that somebody is filling in the form, and how far they have come",
  security: "link",
  params: CaseParams,
  query: TokenQuery,
  body: ProgressRequest,
  replies: { 200: PollResponse08 },
  errors: [...TOKEN, ...SETTLED, ...BODY],
});

export const readSession = defineOperation({
  id: "readSession",
  method: "GET",
  path: "/reviews/{case_id}/session",
  tag: "hitl",
  summary: "The saved draft of the form",
  security: "link",
  params: CaseParams,
  query: TokenQuery,
  replies: { 200: SessionOut },
  errors: [...TOKEN, "case_expired", "invalid_request"],
});

export const readSurfaces = defineOperation({
  id: "readSurfaces",
  method: "GET",
  path: "/reviews/{case_id}/surfaces",
  tag: "hitl",
  summary: "The case as a review surface, for clients that show it inside their own page",
  security: "link",
  params: CaseParams,
  query: TokenQuery,
  replies: { 200: SurfaceProfile },
  errors: [...TOKEN, ...SETTLED],
});

export const saveSession = defineOperation({
  id: "saveSession",
  method: "PUT",
  path: "/reviews/{case_id}/session",
  tag: "hitl",
  summary: "Keep a half-filled form until the case ends",
  security: "link",
  params: CaseParams,
  query: TokenQuery,
  body: SessionIn,
  replies: { 200: SessionOut },
  errors: [...TOKEN, ...SETTLED, ...BODY],
});

export const readPrefill = defineOperation({
  id: "readPrefill",
  method: "GET",
  path: "/hitl/v1/prefill/{key}",
  tag: "hitl",
  summary: "A value that the page may show in a field before anybody has typed; named by `default_ref`",
  security: "link",
  params: z.strictObject({ key: z.string().min(1).max(200) }),
  query: TokenQuery.extend({
    case_id: z
      .string()
      .exactOptional()
      .describe(
        "The case that the token is of. The page adds both to the address; without them there is nothing here.",
      ),
  }),
  replies: { 200: z.strictObject({ value: AnyJson }) },
  errors: [...TOKEN, "invalid_request"],
});

export const hitlDiscovery = defineOperation({
  id: "hitlDiscovery",
  method: "GET",
  path: "/.well-known/hitl.json",
  tag: "hitl",
  summary: "What this service can do",
  security: "none",
  query: z.looseObject({ spec_version: z.string().exactOptional() }),
  headers: VersionHeaders,
  replies: { 200: z.union([Discovery07, Discovery08]) },
  errors: ["invalid_request"],
});

export const jwks = defineOperation({
  id: "jwks",
  method: "GET",
  path: "/.well-known/jwks.json",
  tag: "hitl",
  summary: "Public keys that results and checkpoints are signed with, old ones included",
  security: "none",
  replies: { 200: Jwks },
  errors: [],
});

/** By operation id, without aliases. */
export const hitlOperations = {
  createCase,
  pollCase,
  followCase,
  respondCase,
  submitCase,
  cancelCase,
  progressCase,
  readSession,
  readSurfaces,
  saveSession,
  readPrefill,
  hitlDiscovery,
  jwks,
} as const;

const REVIEWS = "/reviews/{case_id}/";

/** The same operation at every address that the protocol's documents give it, the proper one first. */
export function everyAddressOf<Op extends Operation>(operation: Op): readonly Op[] {
  const { id, path } = operation;
  if (!path.startsWith(REVIEWS)) return [operation];
  const alias = (suffix: string, other: string): Op => ({
    ...operation,
    id: id + suffix,
    path: other,
    summary: `The same as ${operation.method} ${path}`,
  });
  const onPage = operation.id === respondCase.id ? [alias("OnPage", "/review/{case_id}/respond")] : [];
  return [operation, alias("V1", `/v1${path}`), alias("Api", `/api${path}`), ...onPage];
}

const TITLES: Readonly<Record<HitlErrorCode, string>> = {
  HITL_CHOICE_REQUIRED: "The request does not say whether a person shall decide",
  VALIDATION_ERROR: "The choice flags contradict each other",
  missing_action: "The answer names no action",
  invalid_json: "The body is not JSON",
  invalid_request: "The request does not have the declared form",
  invalid_token: "The token is missing, wrong or of the other kind",
  unauthorized: "The API key is missing, wrong or not allowed to do this",
  action_not_inline: "This action is taken on the review page",
  identity_mismatch: "This answer may come from certain people only",
  verification_required: "The answer needs evidence",
  verification_failed: "The evidence does not hold",
  not_found: "There is no case with this id",
  method_not_allowed: "This address does not take this method",
  duplicate_submission: "The case has been answered",
  case_cancelled: "The case has been cancelled",
  case_expired: "The case has expired",
  payload_too_large: "The body is too large",
  invalid_action: "The case does not have this action",
  validation_failed: "The answer does not fit what was asked",
  rate_limited: "Too many requests",
  internal: "Something went wrong here",
  unavailable: "Not now; try again",
};

export const hitlSet: OperationSet = {
  name: "hitl",
  title: "HITL Protocol",
  operations: Object.values(hitlOperations).flatMap((operation: Operation) => everyAddressOf(operation)),
  components: {
    CaseIn,
    HumanInputRequired,
    PollResponse: PollResponse08,
    CaseEvent,
    RespondRequest,
    SubmitRequest: SubmitRequest08,
    RespondPending,
    RespondReply,
    SessionOut,
    HitlError: ErrorBody,
  },
  errors: {
    table: Object.fromEntries(
      Object.entries(HITL_ERROR_STATUS).map(([code, status]) => [
        code,
        { status, title: TITLES[code as HitlErrorCode] },
      ]),
    ),
    body: ErrorBody,
    media: "application/json",
    always: ["rate_limited", "internal", "unavailable"] satisfies HitlErrorCode[],
    example: (code) => ({ error: code, message: TITLES[code as HitlErrorCode] }),
    codeOf: ({ error }) => (typeof error === "string" ? error : undefined),
  },
};
