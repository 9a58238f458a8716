/** What Telegram's server refuses, and in which words. */

import type { InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import { parseTelegramHtml } from "./telegram-html.ts";

export class TelegramRefusal extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(status: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

export function badRequest(description: string): TelegramRefusal {
  return new TelegramRefusal(400, `Bad Request: ${description}`);
}

export interface CheckedText {
  readonly text: string;
  readonly entities?: readonly MessageEntity[];
}

export function checkedText(params: Readonly<Record<string, unknown>>): CheckedText {
  const source = params["text"];
  if (typeof source !== "string" || source.trim() === "") throw badRequest("message text is empty");
  const mode = params["parse_mode"];
  if (mode !== undefined && mode !== "HTML") {
    // MarkdownV2 exists, but this fake does not read it: what it accepted would prove nothing.
    throw badRequest("unsupported parse_mode");
  }
  const parsed = mode === "HTML" ? parseTelegramHtml(source) : { text: source, entities: [] };
  if ("error" in parsed) throw badRequest(parsed.error);
  if (parsed.text.trim() === "") throw badRequest("message text is empty");
  if (parsed.text.length > 4096) throw badRequest("message is too long");
  const given = params["entities"] as readonly MessageEntity[] | undefined;
  const entities = given ?? parsed.entities;
  return { text: parsed.text, ...(entities.length > 0 ? { entities } : {}) };
}

/** Checked as far as the buttons that a bot may put under a message go. */
export function checkedKeyboard(value: unknown): InlineKeyboardMarkup | undefined {
  if (value === undefined) return undefined;
  const markup = typeof value === "string" ? (JSON.parse(value) as unknown) : value;
  if (typeof markup !== "object" || markup === null) throw badRequest("object expected as reply markup");
  if ("force_reply" in markup || "remove_keyboard" in markup || "keyboard" in markup) return undefined;
  const rows = (markup as InlineKeyboardMarkup).inline_keyboard;
  if (!Array.isArray(rows)) throw badRequest("object expected as reply markup");
  const buttons = rows.flat();
  if (buttons.length > 100) throw badRequest("reply markup is too long");
  for (const row of rows) {
    if (row.length > 8) throw badRequest("too many buttons in a row");
    for (const button of row) checkButton(button);
  }
  return buttons.length === 0 ? undefined : { inline_keyboard: rows };
}

function checkButton(button: InlineKeyboardButton): void {
  if (typeof button.text !== "string" || button.text.trim() === "") {
    throw badRequest("inline keyboard button text must be non-empty");
  }
  if ("callback_data" in button) {
    const bytes = Buffer.byteLength(String(button.callback_data));
    if (bytes < 1 || bytes > 64) throw badRequest("BUTTON_DATA_INVALID");
  } else if ("url" in button) {
    checkUrl(button.url);
  } else {
    throw badRequest("text buttons are unallowed in the inline keyboard");
  }
}

/** Telegram takes no host without a dot, so that `localhost` never works as a link of a button. */
function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const wrong =
    parsed === undefined
      ? "URL host is empty"
      : parsed.protocol === "tg:"
        ? undefined
        : !["http:", "https:"].includes(parsed.protocol)
          ? "Unsupported URL protocol"
          : parsed.hostname.includes(".") || parsed.hostname.startsWith("[")
            ? undefined
            : "Wrong HTTP URL";
  if (wrong !== undefined) throw badRequest(`inline keyboard button URL '${url}' is invalid: ${wrong}`);
}
