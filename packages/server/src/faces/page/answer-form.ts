/** One posted answer form, whichever page it was on: read, tried, and what to show afterwards. */

import type { HoldOut } from "@holdpoint/protocol";
import { type JsonObject, type Problem, readFormPost } from "@holdpoint/protocol/rules";
import type { Context } from "hono";
import type { Entity } from "../../core/entity.ts";
import type { Door, Hold } from "../../core/hold/hold.ts";
import type { Principal } from "../../core/principal.ts";
import { type Refusal, type RefusalCode, refusal } from "../../core/refusal.ts";
import { NATIVE_LIMITS, readText } from "../http/body.ts";
import { presentHold } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";
import { isStorable, readStrictJson } from "../http/strict-json.ts";
import type { PageDeps } from "./deps.ts";
import type { EarlierRound, ReviewView } from "./render.ts";

const FORM_BYTES_MAX = 1024 * 1024;

export async function readForm(c: Context): Promise<URLSearchParams> {
  const type = c.req.header("content-type") ?? "";
  const text = await readText(c, FORM_BYTES_MAX);
  const form = new URLSearchParams(type.startsWith("application/x-www-form-urlencoded") ? text : "");
  if ([...form].flat().every(isStorable)) return form;
  throw new HttpTrouble({ code: "invalid_body", detail: "text has a NUL in it" });
}

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
type RefusedStatus = 403 | 404 | 409 | 410 | 422;
export type PageStatus = 200 | RefusedStatus;

export async function tryAnswer(
  hold: Entity<Hold>,
  form: URLSearchParams,
  posted: Posted,
  deps: PageDeps,
): Promise<Tried> {
  const { ask } = hold.body;
  if (ask === null) return { kind: "again", problems: [], values: {}, status: 409 };
  const { action, data } = readFormPost(ask, form);
  // A field may hold JSON of its own, which is held to what any JSON is held to.
  const strict = readStrictJson(JSON.stringify(data), NATIVE_LIMITS.depthMax);
  if (strict.kind !== "ok")
    return again(refusal("invalid_answer", "the JSON in the form cannot be kept"), data);
  const shown = form.get("_shown");
  const result = await deps.engine.run({
    kind: "answer_hold",
    ...posted,
    holdId: hold.id,
    action: action ?? "",
    data,
    ...(shown === null ? {} : { shown }),
  });
  if (result.ok) return { kind: "answered" };
  return again(result.refusal, data);
}

export function again({ code, problems = [] }: Refusal, values: JsonObject = {}): Tried & { kind: "again" } {
  return { kind: "again", problems, values, status: STATUSES[code] ?? 422, ...noticeOf(code) };
}

const STATUSES: Partial<Record<RefusalCode, RefusedStatus>> = {
  not_found: 404,
  not_allowed: 403,
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
    case "shown_mismatch":
      return { notice: "This page was out of date. Look again before you answer." };
    default:
      return {};
  }
}

export interface ViewParts {
  readonly answerPath: string;
  readonly dismissPath: string;
  readonly statePath?: string;
  readonly draftPath?: string;
  readonly draft?: { readonly values: JsonObject; readonly step: number };
  readonly prefillPaths?: Readonly<Record<string, string>>;
  readonly earlier: readonly EarlierRound[];
  readonly viewer: Principal;
  readonly now: number;
  readonly tried?: Tried;
  readonly justAnswered?: boolean;
  readonly console?: { readonly name: string; readonly csrf: string };
}

export function viewOf(hold: Entity<Hold>, parts: ViewParts): ReviewView {
  const { tried, viewer } = parts;
  const refused = tried?.kind === "again" ? tried : undefined;
  return {
    hold: presentHold(hold, viewer) as HoldOut,
    ask: hold.body.ask,
    answerPath: parts.answerPath,
    dismissPath: parts.dismissPath,
    now: parts.now,
    problems: refused?.problems ?? [],
    values: refused?.values ?? parts.draft?.values ?? {},
    ...(parts.draft === undefined ? {} : { step: parts.draft.step }),
    ...(parts.statePath === undefined ? {} : { statePath: parts.statePath }),
    ...(parts.draftPath === undefined ? {} : { draftPath: parts.draftPath }),
    ...(parts.prefillPaths === undefined ? {} : { prefillPaths: parts.prefillPaths }),
    ...(parts.earlier.length === 0 ? {} : { earlier: parts.earlier }),
    justAnswered: parts.justAnswered ?? false,
    ...(refused?.notice === undefined ? {} : { notice: refused.notice }),
    ...(parts.console === undefined ? {} : { console: parts.console }),
  };
}
