/** Microsoft Teams: an activity with an Adaptive Card. */

import { markdownFree } from "@holdpoint/protocol/chat";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { Review } from "../agent/review.ts";
import { type Messenger, noteFor } from "./messenger.ts";
import { type Plan, planFor } from "./plan.ts";
import { tapOf } from "./reference.ts";

export interface TeamsOptions {
  /** Opens the page inside Teams. The bot must then answer `task/fetch` with `teamsTask`, and its manifest name the domain. */
  readonly taskModule?: boolean;
}

const STYLES = { primary: "positive", danger: "destructive", default: "default" } as const;

function card(text: string, actions: readonly JsonObject[]): JsonObject {
  const content = {
    type: "AdaptiveCard",
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    version: "1.4",
    body: [{ type: "TextBlock", text: markdownFree(text), wrap: true }],
    ...(actions.length === 0 ? {} : { actions }),
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
  };
}

const openUrl = (title: string, url: string): JsonObject => ({ type: "Action.OpenUrl", title, url });

function actionsFor(plan: Plan, options: TeamsOptions): readonly JsonObject[] {
  const { caseId } = plan.listed.review;
  const taps = plan.buttons.map((button) => ({
    type: "Action.Submit",
    title: button.label,
    style: STYLES[button.style],
    data: { hitl: { case_id: caseId, action: button.action } },
  }));
  const inside = {
    type: "Action.Submit",
    title: plan.link.label,
    data: { msteams: { type: "task/fetch" }, hitl: { case_id: caseId, open: "review" } },
  };
  const page = openUrl(
    plan.pageOnly && options.taskModule === true ? "Open in browser" : plan.link.label,
    plan.link.url,
  );
  return [...taps, ...(plan.pageOnly && options.taskModule === true ? [inside] : []), page];
}

/** The answer to `task/fetch`: the review page in a window of Teams. */
export function teamsTask(review: Review): JsonObject {
  const { reviewUrl } = review;
  const value = { title: "Review", url: reviewUrl, fallbackUrl: reviewUrl, height: "large", width: "medium" };
  return { task: { type: "continue", value } };
}

/** Reviews as adaptive cards for Microsoft Teams. */
export const teams: Messenger<JsonObject, TeamsOptions> = {
  name: "teams",

  render(listed, occasion = "first", options = {}) {
    const plan = planFor(listed, occasion);
    return card(plan.text, actionsFor(plan, options));
  },

  readTap(activity) {
    if (!isObject(activity) || !isObject(activity["value"]) || !isObject(activity["from"])) return undefined;
    const hitl = activity["value"]["hitl"];
    const { from } = activity;
    const id = from["aadObjectId"] ?? from["id"];
    if (!isObject(hitl) || typeof id !== "string") return undefined;
    const { case_id: reference, action } = hitl;
    if (typeof reference !== "string" || typeof action !== "string") return undefined;
    return tapOf("teams", { reference, action }, id, from["name"]);
  },

  settle(listed, tap, submitted) {
    const note = noteFor(listed, tap, submitted);
    if (note === undefined) return { kind: "keep" };
    const actions = note.keepLink ? [openUrl("Review", listed.review.reviewUrl)] : [];
    return { kind: "edit", payload: card(note.text, actions) };
  },
};
