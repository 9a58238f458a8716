/** Discord: the body of creating and editing a message. */

import { DISCORD_LIMITS, markdownFree } from "@holdpoint/protocol/chat";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { fit, fitsWhole, withLink } from "./fit.ts";
import { type Messenger, noteFor } from "./messenger.ts";
import { type Button, planFor, withoutButtons } from "./plan.ts";
import { fittingName, readColons, tapOf } from "./reference.ts";

export { DISCORD_LIMITS };

const ROW = 1;
const BUTTON = 2;
const STYLES = { primary: 3, danger: 4, default: 2 } as const;
const LINK_STYLE = 5;

function tapButton(button: Button, customId: string): JsonObject {
  return {
    type: BUTTON,
    style: STYLES[button.style],
    label: fit(button.label, DISCORD_LIMITS.label),
    custom_id: customId,
  };
}

const fitsButton = (url: string) => url.startsWith("https://") && url.length <= DISCORD_LIMITS.url;

function linkButton(label: string, url: string): JsonObject {
  return { type: BUTTON, style: LINK_STYLE, label: fit(label, DISCORD_LIMITS.label), url };
}

function rows(buttons: readonly JsonObject[]): readonly JsonObject[] {
  const all = buttons.slice(0, DISCORD_LIMITS.buttons);
  const count = Math.ceil(all.length / DISCORD_LIMITS.perRow);
  return Array.from({ length: count }, (_, row) => ({
    type: ROW,
    components: all.slice(row * DISCORD_LIMITS.perRow, (row + 1) * DISCORD_LIMITS.perRow),
  }));
}

function message(text: string, url: string | undefined, buttons: readonly JsonObject[]): JsonObject {
  const room = DISCORD_LIMITS.content;
  const content = url === undefined ? fit(text, room, markdownFree) : withLink(text, url, room, markdownFree);
  // A prompt must not be able to call for everyone.
  return { content, allowed_mentions: { parse: [] }, components: rows(buttons) };
}

/** Reviews as Discord messages with buttons. */
export const discord: Messenger = {
  name: "discord",

  render(listed, occasion = "first") {
    const whole = planFor(listed, occasion);
    const { url } = whole.link;
    const written = fitsButton(url) ? undefined : url;
    const isWhole = fitsWhole(whole.text, written, DISCORD_LIMITS.content, markdownFree);
    const plan = isWhole ? whole : withoutButtons(whole);
    const taps = plan.buttons.map((button) => {
      const write = (name: string) => `hitl:${name}:${button.action}`;
      return tapButton(button, fittingName(listed, DISCORD_LIMITS.customId, write));
    });
    const link = fitsButton(url) ? [linkButton(plan.link.label, url)] : [];
    return message(plan.text, written, [...taps, ...link]);
  },

  readTap(interaction) {
    if (!isObject(interaction) || !isObject(interaction["data"])) return undefined;
    const { member } = interaction;
    const user = isObject(member) ? member["user"] : interaction["user"];
    const read = readColons(interaction["data"]["custom_id"]);
    if (read === undefined || !isObject(user) || typeof user["id"] !== "string") return undefined;
    return tapOf("discord", read, user["id"], user["global_name"] ?? user["username"]);
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
