/** Opens a case: places a hold with HITL's defaults, and replies 202 with the review URL. */

import type { CaseIn } from "@holdpoint/protocol/hitl";
import { caseIdOf, hitlObject, holdIdOf } from "@holdpoint/protocol/hitl/case";
import {
  chooseVersion,
  HITL_VERSION_HEADER,
  type HitlVersion,
  isSafeUrl,
} from "@holdpoint/protocol/hitl/words";
import {
  type Ask,
  fieldsOf,
  hasMoreValuesThan,
  type JsonObject,
  parseDuration,
} from "@holdpoint/protocol/rules";
import type { WorkspaceSettings } from "../../../kernel/access/access.ts";
import type { Entity } from "../../../kernel/entity.ts";
import type { Failure } from "../../../kernel/failure.ts";
import type { HoldIn } from "../../../kernel/hold/commands.ts";
import { type Hold, holdKeyId } from "../../../kernel/hold/hold.ts";
import { PAGE_ONLY } from "../../../kernel/hold/inline.ts";
import { givesLinksToAsker, HITL_FACE } from "../../../kernel/hold/link.ts";
import { isMetByPasskey, isRequiredFor } from "../../../kernel/hold/verification.ts";
import { allowsInline } from "../../../kernel/platform.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { ownTurn } from "../../../system/own-turn.ts";
import { type FreshLink, freshLink } from "../../http/links.ts";
import type { Call } from "../../http/mount.ts";
import { time } from "../../http/present.ts";
import type { HitlDeps } from "../deps.ts";
import { caseFailure } from "../errors.ts";
import { inlineActions } from "../inline.ts";
import { caseOf, hitlTranslation, inCase } from "../map.ts";
import type { operations, Routes } from "../operations.ts";
import { POLL_SECONDS } from "./poll.ts";
import { prefilled } from "./prefill.ts";

export const TIMEOUT_DEFAULT = "24h";
const DAY_MS = 86_400_000;
const TIMEOUT_MAX_MS = 7 * DAY_MS;
export const RETENTION_DAYS = 30;

/** Marks the hold so that its callbacks are sent in HITL's format: see `callback.ts`. */
export const HITL_CALLBACKS = "hitl";

export const create = {
  async createCase(call, deps) {
    const { body, by, workspace } = call;
    refuseCallback(body.hitl_callback_url, deps);
    refusePolicy(body);
    const handed = handOut(body, await offeredInline(body, workspace, deps), by, deps);
    const key = call.headers["idempotency-key"];
    const isAgain = key !== undefined && (await isKnown(key, call, deps));
    const hold = holdInOf(body, { key, isAgain }, handed, deps);
    const result = await deps.engine.run({ kind: "place_hold", workspace, by, hold });
    if (!result.ok) throw notPlaced(result.failure);
    // The commit was told of in its own turn; to describe a large case takes as long again (G13).
    if (hasMoreValuesThan(body.context, LARGE_CONTEXT)) await ownTurn();
    const entity = result.entity;
    if (entity.body.erasedAt !== undefined) throw invalid("the case of this key is no longer kept", []);
    if (entity.body.expiresAt === undefined)
      throw invalid("the hold of this key has no end, as a case has", []);
    const version = chooseVersion(call.headers["hitl-version"] ?? body.hitl_spec_version);
    return {
      status: 202,
      body: {
        status: "human_input_required",
        message: body.message ?? body.prompt,
        ...(body.data === undefined ? {} : { data: body.data }),
        hitl: describe(entity, isAgain ? asPlaced(entity.body, body) : body, handed, version, by, deps),
      },
      headers: {
        [HITL_VERSION_HEADER]: version,
        "retry-after": String(POLL_SECONDS),
      },
    };
  },
} satisfies Routes;

const LARGE_CONTEXT = 1_000;

/** Tokens that are in the reply and are not stored. */
interface Handed {
  readonly review?: FreshLink;
  readonly submit?: FreshLink;
  /** For an app, which hands the reply on to an agent that has no key of this server. */
  readonly read?: FreshLink;
  readonly inlineActions: readonly string[];
}

function handOut(
  body: CaseIn,
  inlineActions: readonly string[],
  by: Principal,
  { ids, engine }: HitlDeps,
): Handed {
  const now = engine.clock.now();
  const isGiven = linksOf(body) === "agent";
  const isOffered = isGiven && inlineActions.length > 0;
  return {
    inlineActions,
    ...(isGiven ? { review: freshLink(ids, now, { purpose: "review" }) } : {}),
    ...(by.role === "app" ? { read: freshLink(ids, now, { purpose: "read" }) } : {}),
    ...(isOffered ? { submit: freshLink(ids, now, { purpose: "submit", actions: inlineActions }) } : {}),
  };
}

/** The request with the times of the stored case, because a repeated request does not change them. */
function asPlaced({ createdAt, expiresAt = createdAt, rungs }: Hold, asked: CaseIn): CaseIn {
  const { reminder_at: _asked, timeout = TIMEOUT_DEFAULT, ...rest } = asked;
  const lastsMs = expiresAt - createdAt;
  const reminders = rungs.filter(({ kind }) => kind === "reminder").map(({ at }) => time(at));
  return {
    ...rest,
    timeout: parseDuration(timeout) === lastsMs ? timeout : `PT${lastsMs / 1_000}S`,
    ...(reminders.length === 0 ? {} : { reminder_at: reminders }),
  };
}

/** The hitl object. A case that was found again under its key may have ended; then it has no links. */
function describe(
  entity: Entity<Hold>,
  asked: CaseIn,
  { review, submit, read, inlineActions }: Handed,
  version: HitlVersion,
  by: Principal,
  { publicUrl, engine }: HitlDeps,
): JsonObject {
  const caseId = caseIdOf(entity.id);
  const at = (what: string) => `${publicUrl}/reviews/${caseId}/${what}`;
  const isOpen = entity.body.status === "open" && givesLinksToAsker(entity.body, engine.platform);
  const token = isOpen && review !== undefined ? `?token=${review.token}` : "";
  const readToken = read === undefined ? "" : `?token=${read.token}`;
  const submitUrl = at(version === "0.7" ? "respond" : "submit");
  return hitlObject(caseOf(entity, by), {
    version,
    addresses: {
      review: `${publicUrl}/review/${caseId}${token}`,
      poll: `${at("status")}${readToken}`,
      events: `${at("events")}${readToken}`,
      callback: entity.body.callbackUrl ?? null,
    },
    timeout: asked.timeout ?? TIMEOUT_DEFAULT,
    ...(asked.verification_policy === undefined
      ? {}
      : { verificationPolicy: asked.verification_policy as object as JsonObject }),
    ...(isOpen && submit !== undefined && !(version === "0.7" && needsInlineProof(asked))
      ? { inline: { url: submitUrl, token: submit.token, actions: inlineActions } }
      : {}),
    ...(asked.reminder_at === undefined ? {} : { reminderAt: [asked.reminder_at].flat() }),
    ...(asked.surface === undefined ? {} : { surface: asked.surface as JsonObject }),
  });
}

/** An agent of 0.7 cannot send evidence, so it is offered no answer that needs some. */
function needsInlineProof({ verification_policy: policy }: CaseIn): boolean {
  return policy !== undefined && isRequiredFor(policy, "inline_submit");
}

/** On the page people prove with a passkey. A policy that asks for anything else there could not be met by anybody. */
function refusePolicy({ verification_policy: policy }: CaseIn): void {
  if (policy === undefined || !isRequiredFor(policy, "browser_submit") || isMetByPasskey(policy)) return;
  throw bad("verification_policy", "provider", "asks for evidence that cannot be given on the review page");
}

function refuseCallback(url: string | undefined, { whyNotTarget }: HitlDeps): void {
  const why = url === undefined ? null : whyNotTarget(url);
  if (why !== null) throw bad("hitl_callback_url", "target", why);
}

function linksOf({ links, answerers }: CaseIn): "agent" | "server" {
  return links ?? (answerers === undefined ? "agent" : "server");
}

/** G7: inline answers are the creator's explicit choice, unless the workspace forbids them. */
async function offeredInline(
  body: CaseIn,
  workspace: string,
  { engine }: HitlDeps,
): Promise<readonly string[]> {
  const wanted = inlineActions(body);
  if (wanted === null) throw bad("inline", "action", "names an action that is taken on the page");
  if (wanted.length === 0) return [];
  const [found] = await engine.store.load([{ workspace, kind: "workspace", id: "settings", read: true }]);
  return allowsInline(engine.platform, found?.body as WorkspaceSettings | undefined) ? wanted : [];
}

/** Whether this caller has opened a case under the key before. */
async function isKnown(
  key: string,
  { by, workspace }: Pick<Call<typeof operations.createCase>, "by" | "workspace">,
  { engine }: HitlDeps,
): Promise<boolean> {
  const id = holdKeyId(by.name, key);
  const [found] = await engine.store.load([{ workspace, kind: "hold_key", id, read: true }]);
  return found !== undefined;
}

interface Repeatable {
  readonly key: string | undefined;
  readonly isAgain: boolean;
}

function holdInOf(body: CaseIn, { key, isAgain }: Repeatable, handed: Handed, deps: HitlDeps): HoldIn {
  const now = deps.engine.clock.now();
  const timeoutMs = timeoutOf(body.timeout ?? TIMEOUT_DEFAULT);
  const {
    default_action: action = "skip",
    previous_case_id,
    hitl_callback_url,
    answerers,
    submitters,
  } = body;
  return {
    id: `hold_${deps.ids.next(now)}`,
    salt: deps.ids.salt(),
    ...(key === undefined ? {} : { key }),
    ask: askOf(body, deps),
    expires: { afterMs: timeoutMs },
    onTimeout: { action },
    // Sent again later, the same request names moments that have passed; the case has its reminders already.
    rungs: isAgain ? [] : remindersOf(body, now, timeoutMs),
    links: linksOf(body),
    ...(answerers === undefined ? {} : { answerers }),
    ...(body.withhold_sensitive === true ? { withholdSensitive: true as const } : {}),
    ...(previous_case_id === undefined ? {} : { previous: previousOf(previous_case_id) }),
    ...(hitl_callback_url === undefined ? {} : { callbackUrl: hitl_callback_url }),
    face: {
      name: HITL_FACE,
      callbacks: HITL_CALLBACKS,
      ...(submitters === undefined ? {} : { submitters: submitters as readonly JsonObject[] }),
      ...(body.prefill === undefined ? {} : { prefill: body.prefill }),
      ...(body.risk === "high" ? PAGE_ONLY : {}),
      ...(body.verification_policy === undefined
        ? {}
        : { verification: body.verification_policy as object as JsonObject }),
    },
    retainMs: RETENTION_DAYS * DAY_MS,
    newLinks: [handed.review, handed.submit, handed.read].flatMap((one) =>
      one === undefined ? [] : [one.link],
    ),
  };
}

function askOf(body: CaseIn, { publicUrl }: HitlDeps): Ask {
  const ask = hitlTranslation.readAsk(body);
  if ("problems" in ask) throw invalid("the form cannot be shown as it is", ask.problems);
  for (const { key, default_ref: ref } of ask.form === undefined ? [] : fieldsOf(ask.form)) {
    if (ref !== undefined && !isSafeUrl(ref))
      throw bad("context", "default_ref", `of ${key} is not a safe address`);
  }
  if (body.prefill === undefined) return ask;
  const filled = prefilled(ask, body.prefill, publicUrl);
  if (filled === null) throw bad("prefill", "key", "names a field that the form does not have");
  return filled;
}

function timeoutOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms > TIMEOUT_MAX_MS) throw bad("timeout", "range", "must be 7 days at most");
  return ms;
}

function previousOf(caseId: string): string {
  const holdId = holdIdOf(caseId);
  if (caseIdOf(holdId) !== caseId) throw unknownPrevious();
  return holdId;
}

function remindersOf({ reminder_at }: CaseIn, now: number, timeoutMs: number): HoldIn["rungs"] {
  const moments = reminder_at === undefined ? [] : [reminder_at].flat().map((text) => Date.parse(text));
  if (moments.some((at) => !(at > now && at < now + timeoutMs))) {
    throw bad("reminder_at", "range", "must lie between the beginning and the end of the case");
  }
  return moments.map((at) => ({ kind: "reminder" as const, when: { at } }));
}

type Problems = NonNullable<Failure["problems"]>;

function invalid(message: string, problems: Problems) {
  return caseFailure("invalid_request", message, { problems });
}

function bad(memberName: string, rule: string, message: string) {
  return invalid(`${memberName}: ${message}`, [{ key: `/${memberName}`, rule, message }]);
}

function unknownPrevious() {
  return bad("previous_case_id", "unknown", "names no case of yours");
}

function notPlaced({ code, message, problems = [] }: Failure) {
  if (code === "not_allowed") return caseFailure("unauthorized", message);
  if (code === "previous_not_found") return unknownPrevious();
  return invalid(message, inCase(problems));
}
