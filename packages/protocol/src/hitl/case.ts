/**
 * @module
 * A hold as the HITL Protocol shows it: a case. One mapping for everybody who shows cases, from any place where holds are at
 * hand. No schema library; what it writes fits the closed 0.8 schemas, which 0.7 clients accept as well.
 */

import type { Hold, HoldEvent } from "../client/types.ts";
import type { Json, JsonObject } from "../rules/json.ts";
import { isEmail } from "./formats.ts";
import {
  type CaseEventName,
  type CaseStatus,
  DEFAULT_ACTIONS,
  type DefaultAction,
  type HitlVersion,
  PROMPT_LENGTH_MAX,
} from "./vocabulary.ts";

const HOLD_PREFIX = "hold_";
const CASE_PREFIX = "review_";

/** A hold and its case share their random part, so either name leads to the other. */
export function caseIdOf(holdId: string): string {
  return CASE_PREFIX + holdId.slice(HOLD_PREFIX.length);
}

export function holdIdOf(caseId: string): string {
  return HOLD_PREFIX + caseId.slice(CASE_PREFIX.length);
}

export function caseStatusOf(hold: Hold): CaseStatus {
  switch (hold.status) {
    case "decided":
      // The protocol has no word for an approval that was taken back, and who polls must not go on with it (G14).
      return hold.revoked === undefined ? "completed" : "cancelled";
    case "open":
      if (hold.progressedAt !== undefined) return "in_progress";
      return hold.openedAt === undefined ? "pending" : "opened";
    default:
      return hold.status;
  }
}

/** What to do when nobody answers, in the four words there are for it. */
export function defaultActionOf(action: string | undefined): DefaultAction {
  return DEFAULT_ACTIONS.find((word) => word === action) ?? "skip";
}

/** Longer prompts are cut here only; the page shows all of it. */
export function casePrompt(prompt: string): string {
  const characters = [...prompt];
  if (characters.length <= PROMPT_LENGTH_MAX) return prompt;
  return `${characters.slice(0, PROMPT_LENGTH_MAX - 1).join("")}…`;
}

function compact(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

type Decided = Extract<NonNullable<Hold["outcome"]>, { readonly kind: "decided" }>;

function respondedBy({ by }: Decided): JsonObject | undefined {
  const claimed = textOf(by.claimed?.["email"]);
  const own = textOf(by.name);
  // A person who answers with the link that was sent to an address has shown that the address is theirs.
  const verified = by.kind === "link" && own !== undefined && isEmail(own) ? own : undefined;
  const person = compact({
    name: textOf(by.claimed?.["name"]) ?? (verified === undefined ? own : undefined),
    email: verified ?? (claimed !== undefined && isEmail(claimed) ? claimed : undefined),
  });
  return isEmpty(person) ? undefined : person;
}

/** An inline answer names its platform in what it claims; without that it is not known to have been one. */
function submissionContext({ by, door, verification }: Decided): JsonObject {
  const { claimed = {} } = by;
  const via = textOf(claimed["submitted_via"]);
  const platform = textOf(claimed["platform"]);
  const user = textOf(claimed["id"]);
  if (door !== "inline" || via === undefined || platform === undefined || user === undefined)
    return compact({ mode: "browser_submit", verification_result: verification });
  const submitter = { platform, platform_user_id: user, display_name: textOf(claimed["name"]) };
  return compact({
    mode: "inline_submit",
    submitted_via: via,
    submitted_by: compact(submitter),
    verification_result: verification,
  });
}

function progressOf(hold: Hold): JsonObject | undefined {
  const { progress } = hold;
  if (progress === undefined) return undefined;
  return {
    current_step: progress.currentStep,
    total_steps: progress.totalSteps,
    completed_fields: progress.completedFields,
    total_fields: progress.totalFields,
  };
}

/** How it ended: only a decided case has a result, and only there a person is named. */
function ending(hold: Hold): Readonly<Record<string, Json | undefined>> {
  const { outcome, revoked } = hold;
  if (revoked !== undefined) return { cancelled_at: revoked.at, reason: "The approval was taken back." };
  switch (outcome?.kind) {
    case "decided":
      return {
        completed_at: outcome.at,
        result: { action: outcome.action, data: outcome.data },
        responded_by: respondedBy(outcome),
        submission_context: submissionContext(outcome),
      };
    case "expired":
      return { expired_at: outcome.at, default_action: defaultActionOf(outcome.default?.action) };
    case "cancelled":
      return { cancelled_at: outcome.at, reason: outcome.reason };
    default:
      return {};
  }
}

/**
 * When a hold ends that was placed elsewhere without an end. The protocol requires a time: this one parses
 * everywhere, in every time zone.
 */
const NEVER = "9999-12-31T00:00:00.000Z";

/** The body of a poll. */
export function pollBody(hold: Hold): JsonObject {
  const status = caseStatusOf(hold);
  return compact({
    status,
    case_id: hold.caseId,
    created_at: hold.createdAt,
    opened_at: hold.openedAt,
    expires_at: hold.expiresAt ?? NEVER,
    reminder_sent_at: hold.remindedAt,
    progress: status === "in_progress" ? progressOf(hold) : undefined,
    next_case_id: hold.next === undefined ? undefined : caseIdOf(hold.next),
    ...ending(hold),
  });
}

export interface CaseAddresses {
  readonly review: string;
  readonly poll: string;
  readonly events?: string;
  readonly callback?: string | null;
}

export interface CaseInline {
  readonly url: string;
  readonly token: string;
  readonly actions: readonly string[];
}

export interface CaseView {
  readonly version: HitlVersion;
  readonly addresses: CaseAddresses;
  readonly inline?: CaseInline;
  /** As it was asked for; the moments say the same. */
  readonly timeout?: string;
  readonly reminderAt?: readonly string[];
  readonly surface?: JsonObject;
  /** Evidence that an answer needs; only 0.8 has a word for it. */
  readonly verificationPolicy?: JsonObject;
}

/** What the review page shows beside the prompt, under the names that agents and pages look for. */
export function caseContext(hold: Hold): JsonObject | undefined {
  const items = hold.options?.map((option) =>
    compact({ id: option.id, title: option.label, description: option.description }),
  );
  const context = compact({
    ...hold.context,
    ...(items === undefined || hold.context?.["items"] !== undefined ? {} : { items }),
    ...(hold.form === undefined ? {} : { form: hold.form as JsonObject }),
  });
  return isEmpty(context) ? undefined : context;
}

/** The `hitl` object of a 202. */
export function hitlObject(hold: Hold, view: CaseView): JsonObject {
  const { addresses, inline } = view;
  if (hold.expiresAt === undefined) throw new TypeError("A case always has an end; place the hold with one.");
  return compact({
    spec_version: view.version,
    case_id: hold.caseId,
    review_url: addresses.review,
    poll_url: addresses.poll,
    events_url: addresses.events,
    callback_url: addresses.callback,
    type: hold.type,
    prompt: casePrompt(hold.prompt),
    timeout: view.timeout,
    default_action: defaultActionOf(hold.onTimeout?.action),
    created_at: hold.createdAt,
    expires_at: hold.expiresAt,
    reminder_at: view.reminderAt?.length ? view.reminderAt : undefined,
    previous_case_id: hold.previous === undefined ? undefined : caseIdOf(hold.previous),
    surface: view.surface,
    submit_url: inline?.url,
    submit_token: inline?.token,
    inline_actions: inline?.actions,
    verification_policy: view.version === "0.7" ? undefined : view.verificationPolicy,
    context: caseContext(hold),
  });
}

const EVENT_NAMES: ReadonlyMap<string, CaseEventName> = new Map([
  ["hold.opened", "review.opened"],
  ["hold.progressed", "review.in_progress"],
  ["hold.reminded", "review.reminder"],
  ["hold.escalated", "review.reminder"],
  ["hold.decided", "review.completed"],
  ["hold.expired", "review.expired"],
  ["hold.cancelled", "review.cancelled"],
]);

export interface CaseFrame {
  readonly id: string;
  readonly event: CaseEventName;
  readonly data: JsonObject;
}

function frameData(event: CaseEventName, hold: Hold, told: HoldEvent): JsonObject {
  const base = { case_id: hold.caseId };
  switch (event) {
    case "review.opened":
      return { ...base, status: "opened", opened_at: hold.openedAt ?? told.at };
    case "review.in_progress": {
      const progress = told.data["progress"];
      return compact({ ...base, status: "in_progress", opened_at: hold.openedAt ?? told.at, progress });
    }
    case "review.reminder":
      return {
        ...base,
        reminder_at: told.at,
        message: `This review is open until ${hold.expiresAt ?? "it is answered"}.`,
      };
    default: {
      const { responded_by: _person, submission_context: _path, ...end } = ending(hold);
      return compact({ ...base, status: caseStatusOf(hold), ...end });
    }
  }
}

/** A reminder that came due and was not sent, because somebody had begun or a newer one was, is nothing to tell of. */
function wasSent(told: HoldEvent): boolean {
  const state = told.data["state"];
  return state === undefined || state === "fired";
}

/** What a stream says of an event of the hold's log; nothing where the protocol has no word for it. */
export function caseFrame(hold: Hold, told: HoldEvent): CaseFrame | undefined {
  const event = EVENT_NAMES.get(told.type);
  return event === undefined || (event === "review.reminder" && !wasSent(told))
    ? undefined
    : { id: String(told.position), event, data: frameData(event, hold, told) };
}
