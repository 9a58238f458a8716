/** One posted answer form, whichever page it was on: read, tried, and what to show afterwards. */

import type { HoldOut } from "@holdpoint/protocol";
import { type JsonObject, type Problem, readFormPost } from "@holdpoint/protocol/rules";
import type { Context } from "hono";
import type { Entity } from "../../core/entity.ts";
import type { Door, Hold } from "../../core/hold/hold.ts";
import type { Principal } from "../../core/principal.ts";
import { readText } from "../http/body.ts";
import { presentHold } from "../http/present.ts";
import type { PageDeps } from "./deps.ts";
import type { ReviewView } from "./render.ts";

const FORM_BYTES_MAX = 1024 * 1024;

export async function readForm(c: Context): Promise<URLSearchParams> {
  const type = c.req.header("content-type") ?? "";
  const text = await readText(c, FORM_BYTES_MAX);
  return new URLSearchParams(type.startsWith("application/x-www-form-urlencoded") ? text : "");
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
    };

export async function tryAnswer(
  hold: Entity<Hold>,
  form: URLSearchParams,
  posted: Posted,
  deps: PageDeps,
): Promise<Tried> {
  const { ask } = hold.body;
  if (ask === null) return { kind: "again", problems: [], values: {} };
  const { action, data } = readFormPost(ask, form);
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
  const { code, problems = [] } = result.refusal;
  return { kind: "again", problems, values: data, ...noticeOf(code) };
}

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
  readonly viewer: Principal;
  readonly now: number;
  readonly tried?: Tried;
  readonly justAnswered?: boolean;
  readonly console?: { readonly name: string; readonly csrf: string };
}

export function viewOf(hold: Entity<Hold>, parts: ViewParts): ReviewView {
  const { tried, viewer } = parts;
  const again = tried?.kind === "again" ? tried : undefined;
  return {
    hold: presentHold(hold, viewer) as HoldOut,
    ask: hold.body.ask,
    answerPath: parts.answerPath,
    dismissPath: parts.dismissPath,
    now: parts.now,
    problems: again?.problems ?? [],
    values: again?.values ?? parts.draft?.values ?? {},
    ...(parts.draft === undefined ? {} : { step: parts.draft.step }),
    ...(parts.statePath === undefined ? {} : { statePath: parts.statePath }),
    ...(parts.draftPath === undefined ? {} : { draftPath: parts.draftPath }),
    justAnswered: parts.justAnswered ?? false,
    ...(again?.notice === undefined ? {} : { notice: again.notice }),
    ...(parts.console === undefined ? {} : { console: parts.console }),
  };
}
