/** Handles a posted answer form of any page: reads it, submits the answer, and says what to show next. */

import {
  type EarlierRound,
  GrantIn,
  PasskeyProof,
  type PasskeyView,
  type ReviewView,
  readShape,
} from "@holdpoint/protocol";
import { GRANT_SIMILAR, readGrantPost, similarInRepository } from "@holdpoint/protocol/gating";
import {
  type Ask,
  FILE_BYTES_MAX,
  type JsonObject,
  type Problem,
  readFormPost,
} from "@holdpoint/protocol/rules";
import type { AnswerToSign, Asked } from "../../identity/passkey-port.ts";
import type { Entity } from "../../kernel/entity.ts";
import { type Failure, failure } from "../../kernel/failure.ts";
import type { Door, Hold } from "../../kernel/hold/hold.ts";
import { wantsPasskey } from "../../kernel/hold/verification.ts";
import type { Principal } from "../../kernel/principal.ts";
import { NATIVE_LIMITS } from "../http/body.ts";
import { grantTerms } from "../http/grant-terms.ts";
import { readStrictJson } from "../http/strict-json.ts";
import { keepUpload } from "../http/upload.ts";
import { presentOneNamed } from "../http/vote-names.ts";
import type { PageDeps } from "./deps.ts";
import { fileNameOf, type PostedForm } from "./posted-form.ts";

export interface Posted {
  readonly workspace: string;
  readonly by: Principal;
  readonly linkHash?: string;
  readonly door: Door;
}

interface Again {
  readonly kind: "again";
  readonly problems: readonly Problem[];
  readonly values: JsonObject;
  readonly notice?: string;
  readonly status: RefusedStatus;
}

type Tried = { readonly kind: "answered" } | Again;

/** What a program would want to know; a person reads the page. */
type RefusedStatus = 400 | 403 | 404 | 409 | 410 | 413 | 422;

export async function tryAnswer(
  hold: Entity<Hold>,
  form: PostedForm,
  posted: Posted,
  deps: PageDeps,
): Promise<Tried> {
  const given = await readAnswer(hold, form, posted, deps);
  if ("kind" in given) return given;
  const proof = await proofIn(form, posted.workspace, deps);
  if (proof !== undefined && "code" in proof) return again(proof, given.data);
  const result = await deps.engine.run({
    ...{ ...given, kind: "answer_hold" },
    ...(proof === undefined ? {} : { proof }),
  });
  return result.ok ? { kind: "answered" } : again(result.failure, given.data);
}

/** The challenge that a passkey signs to give this answer. */
export async function tryChallenge(
  hold: Entity<Hold>,
  form: PostedForm,
  posted: Posted,
  deps: PageDeps,
): Promise<Asked | Again> {
  const given = await readAnswer(hold, form, posted, deps);
  if ("kind" in given) return given;
  const asked = await deps.passkeys.toAnswer(given);
  return "code" in asked ? again(asked, given.data) : asked;
}

/** The input in which a page with JavaScript sends what the passkey signed. */
const PASSKEY_INPUT = "_passkey";

async function proofIn({ fields }: PostedForm, workspace: string, deps: PageDeps) {
  const text = fields.get(PASSKEY_INPUT);
  if (text === null) return undefined;
  const json = readStrictJson(text, NATIVE_LIMITS);
  const read = json.kind === "ok" ? readShape(PasskeyProof, json.value) : undefined;
  if (read?.ok !== true) return failure("not_proven", "what the passkey has signed cannot be read");
  return deps.passkeys.proof(workspace, read.data);
}

/** The answer in a posted form, or what to show instead. */
async function readAnswer(
  hold: Entity<Hold>,
  form: PostedForm,
  posted: Posted,
  deps: PageDeps,
): Promise<AnswerToSign | Again> {
  const refused = whyUnread(hold, form);
  if (refused !== undefined) return refused;
  const ask = hold.body.ask as Ask;
  const files = await keepFiles(hold.id, form, posted, deps);
  const read = readFormPost(ask, [...form.fields, ...files.named]);
  const { data } = read;
  // This button approves, with terms that only the call itself decides.
  const action = form.fields.get(GRANT_SIMILAR) ?? read.action;
  if (action === undefined || action === "") {
    const notice = "Nothing was sent: answer with one of the buttons.";
    return { kind: "again", problems: [], values: data, status: 400, notice };
  }
  if (files.problems.length > 0)
    return { kind: "again", problems: files.problems, values: data, status: 422 };
  // A field may contain JSON, which is checked like every JSON body.
  const strict = readStrictJson(JSON.stringify(data), NATIVE_LIMITS);
  if (strict.kind !== "ok")
    return again(failure("invalid_answer", "the JSON in the form cannot be kept"), data);
  const grant = grantIn(form, action, ask);
  if (grant !== undefined && "code" in grant) return again(grant, data);
  const shown = form.fields.get("_shown");
  return {
    ...posted,
    holdId: hold.id,
    action,
    data,
    ...(shown === null ? {} : { shown }),
    ...(grant === undefined ? {} : { grant: grantTerms(grant, deps) }),
  };
}

function whyUnread(hold: Entity<Hold>, form: PostedForm): Again | undefined {
  const { ask } = hold.body;
  if (ask === null) return { kind: "again", problems: [], values: {}, status: 409 };
  if (!form.isTooLarge) return undefined;
  const notice = "The file is too large: 10 MiB is the most that can be sent.";
  return { kind: "again", problems: [], values: {}, status: 413, notice };
}

/** The similar calls that an approval allows in advance: one JSON value from a page with script, fields from one without. */
function grantIn({ fields }: PostedForm, action: string, ask: Ask): GrantIn | Failure | undefined {
  if (action !== "approve") return undefined;
  if (fields.get(GRANT_SIMILAR) !== null)
    return (
      similarInRepository(ask.context?.["tool"], (ask.context?.["arguments"] ?? {}) as JsonObject) ??
      failure("not_grantable", "the call names no repository, so there are no similar calls in it")
    );
  const text = fields.get("_grant");
  const read = text === null ? readGrantPost(fields) : readStrictJson(text, NATIVE_LIMITS);
  if (read === undefined) return undefined;
  const parsed = GrantIn.safeParse("kind" in read ? (read.kind === "ok" ? read.value : null) : read);
  return parsed.success
    ? parsed.data
    : failure("not_grantable", "the terms for similar calls are not complete");
}

/** Uploads the files before the answer that names them. A file that cannot be stored becomes a problem of its field. */
async function keepFiles(holdId: string, { files }: PostedForm, posted: Posted, deps: PageDeps) {
  const named: [string, string][] = [];
  const problems: Problem[] = [];
  const { workspace, by, linkHash } = posted;
  const visit = { workspace, by, holdId, ...(linkHash === undefined ? {} : { linkHash }) };
  for (const [key, file] of files) {
    if (file.size > FILE_BYTES_MAX) {
      problems.push({ key, rule: "file", message: "must be at most 10 MiB" });
      continue;
    }
    const kept = await keepUpload(deps.files, { ...visit, name: fileNameOf(file), content: file.stream() });
    if ("failure" in kept) problems.push({ key, rule: "file", message: kept.failure.message });
    else named.push([key, JSON.stringify({ file_id: kept.id, name: kept.name, sha256: kept.sha256 })]);
  }
  return { named, problems };
}

export function again(failed: Failure, values: JsonObject = {}): Again {
  const { code, problems = [] } = failed;
  return { kind: "again", problems, values, status: STATUSES[code] ?? 422, ...noticeOf(failed) };
}

const STATUSES: Partial<Record<string, RefusedStatus>> = {
  not_found: 404,
  not_allowed: 403,
  not_entitled: 403,
  strength_too_low: 403,
  not_proven: 403,
  verification_required: 403,
  verification_failed: 403,
  already_settled: 409,
  shown_mismatch: 409,
  hold_expired: 410,
};

function noticeOf({ code, message, detail }: Failure): { readonly notice?: string } {
  switch (code) {
    case "already_settled":
      return { notice: "Somebody was faster: this was settled before your answer came." };
    case "hold_expired":
      return { notice: "Your answer came too late." };
    case "not_allowed":
      return { notice: "You may look at this, but not answer it." };
    case "not_entitled":
      return { notice: "You may look at this, but it is not yours to decide." };
    case "strength_too_low":
      return {
        notice:
          detail?.["need"] === "passkey"
            ? "This decision has to be confirmed with a passkey. That needs JavaScript; nothing was sent."
            : "This decision needs more than a link: sign in to the console and vote there.",
      };
    case "not_proven":
    case "verification_required":
    case "verification_failed":
    case "passkeys_unavailable":
      return { notice: `Nothing was decided: ${message}.` };
    case "not_grantable":
      return {
        notice: "Similar calls cannot be allowed like this. Change the terms, or approve this call only.",
      };
    case "grant_too_long":
      return { notice: "Similar calls cannot be allowed for that long here. Choose a shorter time." };
    case "shown_mismatch":
      return { notice: "This page was out of date. Look again before you answer." };
    default:
      return {};
  }
}

/** What the person has just done on the page that is shown again. */
export interface Shown {
  readonly tried?: Again;
  readonly justAnswered?: boolean;
}

export interface ViewParts extends Shown {
  readonly answerPath: string;
  readonly dismissPath: string;
  readonly statePath?: string;
  readonly draftPath?: string;
  /** Where a page with JavaScript uploads files, one at a time. */
  readonly uploadPath?: string;
  readonly fileQuery?: string;
  readonly draft?: { readonly values: JsonObject; readonly step: number };
  readonly prefillPaths?: Readonly<Record<string, string>>;
  readonly earlier: readonly EarlierRound[];
  readonly viewer: Principal;
  readonly now: number;
  readonly passkey?: PasskeyView;
  readonly console?: { readonly name: string; readonly csrf: string };
}

/** What the page needs to know about passkeys, if the hold wants one. */
export function passkeyOf(
  { body }: Entity<Hold>,
  { passkeys }: PageDeps,
  challengePath?: string,
): Pick<ViewParts, "passkey"> {
  if (body.status !== "open" || !wantsPasskey(body)) return {};
  const { relyingParty } = passkeys;
  return {
    passkey: {
      ...(relyingParty === undefined ? {} : { origin: relyingParty.origin }),
      ...(challengePath === undefined ? {} : { challengePath }),
    },
  };
}

/** A vote that leaves the hold open is thanked for on the page that shows it again. */
const VOTED =
  "Your vote is recorded. The hold stays open until enough people agree; you can change your vote.";

/** Nothing else than a passkey takes its place, so people are told before they answer. */
const PASSKEY_NEEDED =
  "This decision has to be confirmed with a passkey: your device asks for it when you answer. A passkey needs JavaScript; without it you can read everything here, but not decide.";

function noticeFor({ body }: Entity<Hold>, parts: ViewParts): { readonly notice?: string } {
  const { tried, justAnswered, passkey } = parts;
  if (tried?.notice !== undefined) return { notice: tried.notice };
  if (justAnswered === true && body.status === "open" && body.votes !== undefined) return { notice: VOTED };
  return passkey === undefined ? {} : { notice: PASSKEY_NEEDED };
}

export async function viewOf(
  hold: Entity<Hold>,
  parts: ViewParts,
  { engine: { store } }: Pick<PageDeps, "engine">,
): Promise<ReviewView> {
  const { tried: refused, viewer } = parts;
  return {
    hold: await presentOneNamed(hold, viewer, store, true),
    ask: hold.body.ask,
    answerPath: parts.answerPath,
    dismissPath: parts.dismissPath,
    now: parts.now,
    problems: refused?.problems ?? [],
    values: refused?.values ?? parts.draft?.values ?? {},
    ...(parts.draft === undefined ? {} : { step: parts.draft.step }),
    ...(parts.statePath === undefined ? {} : { statePath: parts.statePath }),
    ...(parts.draftPath === undefined ? {} : { draftPath: parts.draftPath }),
    ...(parts.uploadPath === undefined ? {} : { uploadPath: parts.uploadPath }),
    ...(parts.fileQuery === undefined ? {} : { fileQuery: parts.fileQuery }),
    ...(parts.prefillPaths === undefined ? {} : { prefillPaths: parts.prefillPaths }),
    ...(parts.earlier.length === 0 ? {} : { earlier: parts.earlier }),
    justAnswered: parts.justAnswered ?? false,
    ...noticeFor(hold, parts),
    ...(parts.passkey === undefined ? {} : { passkey: parts.passkey }),
    ...(parts.console === undefined ? {} : { console: parts.console }),
  };
}
