/** Handles a posted answer form of any page: reads it, submits the answer, and says what to show next. */

import { type EarlierRound, GrantIn, type ReviewView } from "@holdpoint/protocol";
import { readGrantPost } from "@holdpoint/protocol/gating";
import { FILE_BYTES_MAX, type JsonObject, type Problem, readFormPost } from "@holdpoint/protocol/rules";
import type { Entity } from "../../kernel/entity.ts";
import { type Failure, failure } from "../../kernel/failure.ts";
import type { Door, Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { NATIVE_LIMITS } from "../http/body.ts";
import { grantTerms } from "../http/grant-terms.ts";
import { presentHold } from "../http/present.ts";
import { readStrictJson } from "../http/strict-json.ts";
import { keepUpload } from "../http/upload.ts";
import type { PageDeps } from "./deps.ts";
import { fileNameOf, type PostedForm } from "./posted-form.ts";

export interface Posted {
  readonly workspace: string;
  readonly by: Principal;
  readonly linkHash?: string;
  readonly door: Door;
}

export type Tried =
  | { readonly kind: "answered" }
  | {
      readonly kind: "again";
      readonly problems: readonly Problem[];
      readonly values: JsonObject;
      readonly notice?: string;
      readonly status: RefusedStatus;
    };

/** What a program would want to know; a person reads the page. */
type RefusedStatus = 400 | 403 | 404 | 409 | 410 | 413 | 422;

export async function tryAnswer(
  hold: Entity<Hold>,
  form: PostedForm,
  posted: Posted,
  deps: PageDeps,
): Promise<Tried> {
  const { ask } = hold.body;
  if (ask === null) return { kind: "again", problems: [], values: {}, status: 409 };
  if (form.isTooLarge) {
    const notice = "The file is too large: 10 MiB is the most that can be sent.";
    return { kind: "again", problems: [], values: {}, status: 413, notice };
  }
  const files = await keepFiles(hold.id, form, posted, deps);
  const { action, data } = readFormPost(ask, [...form.fields, ...files.named]);
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
  const grant = grantIn(form, action);
  if (grant !== undefined && "code" in grant) return again(grant, data);
  const shown = form.fields.get("_shown");
  const result = await deps.engine.run({
    kind: "answer_hold",
    ...posted,
    holdId: hold.id,
    action,
    data,
    ...(shown === null ? {} : { shown }),
    ...(grant === undefined ? {} : { grant: grantTerms(grant, deps) }),
  });
  if (result.ok) return { kind: "answered" };
  return again(result.failure, data);
}

/** The similar calls that an approval allows in advance: one JSON value from a page with script, fields from one without. */
function grantIn({ fields }: PostedForm, action: string): GrantIn | Failure | undefined {
  if (action !== "approve") return undefined;
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

export function again({ code, problems = [] }: Failure, values: JsonObject = {}): Tried & { kind: "again" } {
  return { kind: "again", problems, values, status: STATUSES[code] ?? 422, ...noticeOf(code) };
}

const STATUSES: Partial<Record<string, RefusedStatus>> = {
  not_found: 404,
  not_allowed: 403,
  not_entitled: 403,
  strength_too_low: 403,
  already_settled: 409,
  shown_mismatch: 409,
  hold_expired: 410,
};

function noticeOf(code: string): { readonly notice?: string } {
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
      return { notice: "This decision needs more than a link: sign in to the console and vote there." };
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
  readonly tried?: Extract<Tried, { kind: "again" }>;
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
  readonly console?: { readonly name: string; readonly csrf: string };
}

/** A vote that leaves the hold open is thanked for on the page that shows it again. */
const VOTED =
  "Your vote is recorded. The hold stays open until enough people agree; you can change your vote.";

function noticeFor({ body }: Entity<Hold>, { tried, justAnswered }: Shown): { readonly notice?: string } {
  if (tried?.notice !== undefined) return { notice: tried.notice };
  return justAnswered === true && body.status === "open" && body.votes !== undefined ? { notice: VOTED } : {};
}

export function viewOf(hold: Entity<Hold>, parts: ViewParts): ReviewView {
  const { tried: refused, viewer } = parts;
  return {
    hold: presentHold(hold, viewer),
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
    ...(parts.console === undefined ? {} : { console: parts.console }),
  };
}
