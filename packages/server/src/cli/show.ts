/** Formats holds and outcomes for a terminal. Text from agents is cleaned, so that no control sequence reaches the terminal. */

import { styleText } from "node:util";
import type { Hold, Outcome } from "@holdpoint/protocol/client";
import { deciderWords, voteWords } from "@holdpoint/protocol/client";
import { isCallUnknown, type Uses } from "@holdpoint/protocol/rules";
import { clean } from "./clean.ts";
import type { Io } from "./io.ts";

type Style = Parameters<typeof styleText>[0];

export function painter(io: Io): (style: Style, text: string) => string {
  const colours = io.isTerminal && (io.env["NO_COLOR"] ?? "") === "";
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
}

export function holdLine(hold: Hold, io: Io, now: number): string {
  const paint = painter(io);
  const left =
    hold.expiresAt === undefined ? "" : paint("dim", ` · ${leftText(Date.parse(hold.expiresAt) - now)}`);
  const prompt = clean(hold.prompt).split("\n")[0] ?? "";
  return `${paint("cyan", clean(hold.type).padEnd(12))} ${prompt} ${paint("dim", `· ${clean(hold.createdBy)} · ${hold.id}`)}${left}`;
}

function leftText(ms: number): string {
  if (ms <= 0) return "expired";
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 120) return `${minutes} min left`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h left` : `${Math.round(hours / 24)} days left`;
}

export function wholeAsk(hold: Hold, io: Io): string {
  const paint = painter(io);
  const lines = [
    paint("bold", clean(hold.prompt)),
    paint("dim", `${clean(hold.type)} · asked by ${clean(hold.createdBy)} · ${hold.createdAt}`),
  ];
  // The same words as on the pages: who answers in a terminal knows as much (G15).
  if (isCallUnknown(hold)) lines.push(paint("red", UNKNOWN_CALL));
  if (hold.context !== undefined) lines.push(clean(JSON.stringify(hold.context, null, 2)));
  for (const option of hold.options ?? []) {
    lines.push(
      `  ${paint("bold", clean(option.id))}  ${clean(option.label)}${option.description === undefined ? "" : paint("dim", `  ${clean(option.description)}`)}`,
    );
  }
  if (hold.uses !== undefined) lines.push(paint("yellow", usesLine(hold.uses)));
  if (hold.expiresAt !== undefined) {
    const otherwise =
      hold.onTimeout?.action === undefined ? "it expires" : `${clean(hold.onTimeout.action)} by default`;
    lines.push(paint("dim", `until ${hold.expiresAt}; if nobody answers: ${otherwise}`));
  }
  lines.push(...voteLines(hold));
  for (const { by, text } of hold.comments ?? [])
    lines.push(`${paint("dim", `${clean(by.name ?? by.id)}:`)} ${clean(text)}`);
  return `${lines.join("\n")}\n`;
}

const UNKNOWN_CALL =
  "The exact call is unknown. The agent did not show which tool it will run, or with what. Find out before you let it run, and say how you know.";

function usesLine(uses: Uses): string {
  return uses === "unlimited"
    ? "Approving allows it any number of times, until it is taken back."
    : `Approving allows it up to ${uses} times.`;
}

/** How many agreed, who voted and who is missing; nothing where one answer decides. */
export function voteLines(hold: Hold): readonly string[] {
  const words = voteWords(hold);
  if (words === undefined) return [];
  return [words.summary, ...[...words.votes, ...words.missing].map((line) => `  ${line}`)].map(clean);
}

export function outcomeText(outcome: Outcome, io: Io): string {
  const paint = painter(io);
  switch (outcome.kind) {
    case "decided": {
      const who = clean(deciderWords(outcome.by));
      const data = Object.keys(outcome.data).length === 0 ? "" : ` ${clean(JSON.stringify(outcome.data))}`;
      return `${paint("green", clean(outcome.action))}${data} ${paint("dim", `by ${who}, through ${outcome.door}`)}`;
    }
    case "expired":
      return `${paint("yellow", "expired")} ${paint("dim", outcome.default?.action === undefined ? "nobody answered" : `nobody answered; default ${clean(outcome.default.action)}`)}`;
    case "cancelled":
      return `${paint("yellow", "cancelled")} ${paint("dim", outcome.reason === undefined ? "nobody decided" : clean(outcome.reason))}`;
  }
}
