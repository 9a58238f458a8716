/** Telegram: the body of `sendMessage` and `editMessageText`, without the chat. */

import { byteLength, TELEGRAM_LIMITS } from "@holdpoint/protocol/chat";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { fit, fitsWhole, withLink } from "./fit.ts";
import { type Messenger, noteFor } from "./messenger.ts";
import { type Plan, planFor, withoutButtons } from "./plan.ts";
import { readColons, tapOf } from "./reference.ts";

export { TELEGRAM_LIMITS };

export interface TelegramOptions {
  /** Mini Apps open from buttons in private chats only; in a group the page opens as a link. */
  readonly chat?: "private" | "group";
}

type Key = JsonObject;

const label = (text: string) => fit(text, TELEGRAM_LIMITS.buttonText);

/** Telegram takes no button to an address of this machine; then the link stands in the text. */
const isPublic = (url: string) => url.startsWith("https://");

function keyboard(plan: Plan, options: TelegramOptions): readonly (readonly Key[])[] {
  const { shortId } = plan.listed;
  const taps = plan.buttons.map((button) => ({
    text: label(button.label),
    callback_data: `hitl:${shortId}:${button.action}`,
  }));
  if (taps.some((tap) => byteLength(tap.callback_data) > TELEGRAM_LIMITS.callbackDataBytes))
    throw new RangeError("A button's action is too long for Telegram. Use a shorter one.");
  const { url } = plan.link;
  if (!isPublic(url)) return taps.length === 0 ? [] : [taps];
  const page = { text: label(plan.link.label), url };
  const inside = { text: label(plan.link.label), web_app: { url } };
  const links =
    plan.pageOnly && options.chat !== "group" ? [[inside], [{ ...page, text: "Open in browser" }]] : [[page]];
  return taps.length === 0 ? links : [taps, ...links];
}

function nameOf(from: JsonObject): unknown {
  const names = [from["first_name"], from["last_name"]].filter((name) => typeof name === "string");
  return names.length > 0 ? names.join(" ") : from["username"];
}

/** Reviews as Telegram messages with an inline keyboard. */
export const telegram: Messenger<JsonObject, TelegramOptions> = {
  name: "telegram",

  render(listed, occasion = "first", options = {}) {
    const whole = planFor(listed, occasion);
    const { url } = whole.link;
    const room = TELEGRAM_LIMITS.text;
    const plan = fitsWhole(whole.text, isPublic(url) ? undefined : url, room) ? whole : withoutButtons(whole);
    const keys = keyboard(plan, options);
    return {
      text: isPublic(url) ? fit(plan.text, room) : withLink(plan.text, url, room),
      ...(keys.length === 0 ? {} : { reply_markup: { inline_keyboard: keys } }),
    };
  },

  readTap(update) {
    const query = isObject(update) ? update["callback_query"] : undefined;
    const from = isObject(query) ? query["from"] : undefined;
    if (!isObject(query) || !isObject(from)) return undefined;
    const read = readColons(query["data"]);
    const { id } = from;
    if (read === undefined || (typeof id !== "number" && typeof id !== "string")) return undefined;
    return tapOf("telegram", read, String(id), nameOf(from));
  },

  settle(listed, tap, submitted) {
    const note = noteFor(listed, tap, submitted);
    if (note === undefined) return { kind: "keep" };
    const { reviewUrl } = listed.review;
    const room = TELEGRAM_LIMITS.text;
    const keys = note.keepLink && isPublic(reviewUrl) ? [[{ text: "Review", url: reviewUrl }]] : [];
    const text =
      note.keepLink && !isPublic(reviewUrl) ? withLink(note.text, reviewUrl, room) : fit(note.text, room);
    return { kind: "edit", payload: { text, reply_markup: { inline_keyboard: keys } } };
  },
};
