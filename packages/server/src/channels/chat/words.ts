/** What people read in a chat after a press, in plain words. */

import { member } from "@holdpoint/protocol/rules";
import type { PressResult } from "../../kernel/chat/chat.ts";

const DONE: Readonly<Record<string, string>> = {
  approve: "Approved.",
  reject: "Rejected.",
  edit: "Your request for changes was sent.",
};

const REFUSED: Readonly<Record<string, string>> = {
  other_message: "This button is from an old or copied message. Use the newest message about this request.",
  bot: "Bots cannot answer.",
  foreign: "Guests and people from other workspaces cannot answer here unless an admin links their account.",
  not_linked: "I do not know who you are yet. Link this account in the console: Channels, Link your account.",
  suspended: "Your account is suspended. Ask an admin.",
  not_yours: "This question was for somebody else.",
  question_over: "This question is too old. Press the button of the request again.",
  declined: "Nothing was decided.",
  already_settled: "Somebody has already answered this request.",
  hold_expired: "The time to answer is over.",
  not_entitled: "You may not decide this request.",
  not_allowed: "You may not decide this request.",
  strength_too_low: "This decision needs more than a chat account. Open the page and sign in.",
  ends_before: "The request ends before that. Answer now, or it expires.",
  too_many_reminders: "Enough reminders are set for this request.",
  unknown: "I do not know this button any more.",
  not_ready: "One moment: the message is still being sent. Press again.",
};

/** The words of the kernel's own refusal are better than none. */
export function refusalText(code: string, message?: string): string {
  return member(REFUSED, code) ?? (message === undefined ? "This did not work." : sentence(message));
}

export function answeredText({ status, action }: Extract<PressResult, { kind: "answered" }>): string {
  const done = member(DONE, action) ?? "Your answer was recorded.";
  return status === "decided" ? done : "Your vote was counted. More votes are needed.";
}

export function snoozedText(until: number): string {
  return `I will remind this chat at ${new Date(until).toISOString().slice(11, 16)} UTC.`;
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

export const LINK_LABEL = "Open the request";
export const LINK_TEXT = "This link is yours alone. Do not pass it on: an answer through it counts as yours.";

export const HELP =
  "I bring questions of AI agents to people. To answer here, link this account: open the console, go to Channels, choose “Link your account” and send me the code that you get.";
