/** Slack: the body of `chat.postMessage` and `chat.update`, without the channel. */

import { SLACK_LIMITS } from "@holdpoint/protocol/chat";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { fit, fitsWhole, withLink } from "./fit.ts";
import { type Messenger, noteFor } from "./messenger.ts";
import { type Button, planFor, withoutButtons } from "./plan.ts";
import { fittingName, type Reference, tapOf } from "./reference.ts";

export { SLACK_LIMITS };

/** Plain text, so that a prompt cannot dress as a link or call for the whole channel. */
const plain = (text: string): JsonObject => ({ type: "plain_text", text, emoji: false });
/** In the notification text these three would be read as markup, up to calling for everybody. */
// Slack asks for these three only; any other entity is shown as it is.
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const section = (text: string): JsonObject => ({ type: "section", text: plain(text) });

const STYLES = { primary: { style: "primary" }, danger: { style: "danger" }, default: {} } as const;

function tapButton(button: Button, value: string): JsonObject {
  return {
    type: "button",
    action_id: `hitl_${button.action}`,
    text: plain(fit(button.label, SLACK_LIMITS.buttonText)),
    value,
    ...STYLES[button.style],
  };
}

function linkButton(label: string, url: string): JsonObject {
  return { type: "button", action_id: "hitl_open", text: plain(fit(label, SLACK_LIMITS.buttonText)), url };
}

const fitsButton = (url: string) => url.length <= SLACK_LIMITS.url;

function message(text: string, url: string | undefined, elements: readonly JsonObject[]): JsonObject {
  const room = SLACK_LIMITS.sectionText;
  // A link too long for a button stands in the notification text, which has room and is shown by every client.
  const fallback = url === undefined ? fit(text, room, escaped) : withLink(text, url, room, escaped);
  const actions =
    elements.length === 0 ? [] : [{ type: "actions", elements: elements.slice(0, SLACK_LIMITS.buttons) }];
  return { text: fallback, blocks: [section(fit(text, room)), ...actions] };
}

function readValue(text: unknown): Reference | undefined {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { case_id: reference, action } = value;
  return typeof reference === "string" && typeof action === "string" ? { reference, action } : undefined;
}

/** Reviews as Slack messages with buttons. */
export const slack: Messenger = {
  name: "slack",

  render(listed, occasion = "first") {
    const whole = planFor(listed, occasion);
    // What people decide by is the section; a notification may be shorter.
    const plan = fitsWhole(whole.text, undefined, SLACK_LIMITS.sectionText) ? whole : withoutButtons(whole);
    const { url } = plan.link;
    const taps = plan.buttons.map((button) => {
      const write = (name: string) => JSON.stringify({ case_id: name, action: button.action });
      return tapButton(button, fittingName(listed, SLACK_LIMITS.value, write));
    });
    const link = fitsButton(url) ? [linkButton(plan.link.label, url)] : [];
    return message(plan.text, fitsButton(url) ? undefined : url, [...taps, ...link]);
  },

  readTap(payload) {
    if (!isObject(payload) || payload["type"] !== "block_actions") return undefined;
    const actions = payload["actions"];
    const first = Array.isArray(actions) ? actions[0] : undefined;
    const user = payload["user"];
    if (!isObject(first) || !isObject(user) || typeof user["id"] !== "string") return undefined;
    const read = readValue(first["value"]);
    if (read === undefined) return undefined;
    return tapOf("slack", read, user["id"], user["name"] ?? user["username"]);
  },

  settle(listed, tap, submitted) {
    const note = noteFor(listed, tap, submitted);
    if (note === undefined) return { kind: "keep" };
    const { reviewUrl } = listed.review;
    if (!note.keepLink) return { kind: "edit", payload: message(note.text, undefined, []) };
    const link = fitsButton(reviewUrl) ? [linkButton("Review", reviewUrl)] : [];
    return { kind: "edit", payload: message(note.text, fitsButton(reviewUrl) ? undefined : reviewUrl, link) };
  },
};
