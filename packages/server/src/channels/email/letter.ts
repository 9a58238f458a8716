/** Formats a notice as an e-mail: subject, text and HTML. It contains the prompt and the link. */

import { escapeHtml } from "@holdpoint/protocol/rules";
import type { Notice } from "../channel.ts";

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const SUBJECT_LENGTH_MAX = 120;
const PROMISE =
  "Opening the link decides nothing; you answer on the page. The link is yours alone: do not pass it on.";

export function letterOf(notice: Notice): Letter {
  const { prompt, reviewUrl, expiresAt } = notice;
  const asks = `${oneLine(notice.askedBy)} asks:`;
  const until = expiresAt === null ? "" : `Answer before ${momentOf(expiresAt)}.`;
  return {
    subject: subjectOf(notice),
    text: [
      asks,
      quoted(prompt),
      `Answer here:\n${reviewUrl}`,
      ...(until === "" ? [] : [until]),
      PROMISE,
      "",
    ].join("\n\n"),
    html: htmlOf({ asks, prompt, reviewUrl, until }),
  };
}

function subjectOf({ prompt, attempt }: Notice): string {
  const words = [...oneLine(prompt)];
  const short =
    words.length <= SUBJECT_LENGTH_MAX
      ? words.join("")
      : `${words.slice(0, SUBJECT_LENGTH_MAX - 1).join("")}…`;
  return attempt === 1 ? `Your answer is needed: ${short}` : `Reminder ${attempt}: ${short}`;
}

/** A header must be one line, even if an agent wrote line breaks into it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** Marks every line of the agent's text as a quote, so that none can pass for the server's own text. */
function quoted(prompt: string): string {
  return linesOf(prompt)
    .map((line) => `> ${line}`)
    .join("\n");
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
}

function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

interface Words {
  readonly asks: string;
  readonly prompt: string;
  readonly reviewUrl: string;
  readonly until: string;
}

function htmlOf({ asks, prompt, reviewUrl, until }: Words): string {
  const question = linesOf(prompt).map(escapeHtml).join("<br>");
  const button = "display:inline-block;padding:12px 24px;border-radius:6px;background:#1d4ed8;color:#ffffff";
  const quote = "margin:16px 0;padding:8px 16px;border-left:4px solid #94a3b8";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Your answer is needed</title></head>',
    '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#0f172a;max-width:40em">',
    `<p>${escapeHtml(asks)}</p><blockquote style="${quote}">${question}</blockquote>`,
    `<p><a href="${escapeHtml(reviewUrl)}" style="${button}">Answer</a></p>`,
    until === "" ? "" : `<p>${until}</p>`,
    `<p style="color:#475569">${PROMISE}</p></body></html>`,
  ].join("");
}
