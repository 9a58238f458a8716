/** What each protocol cannot carry, as a page of the reference. The tests hold it to the truth, both ways. */

import { agUi } from "./ag-ui.ts";
import type { FaceTranslation } from "./face.ts";
import { gate } from "./gate.ts";
import { hitlCase, hitlObject } from "./hitl.ts";
import { native } from "./native.ts";
import { openIntent } from "./openintent.ts";

export const TRANSLATIONS: readonly FaceTranslation[] = [
  native,
  hitlCase,
  hitlObject,
  openIntent,
  agUi,
  gate,
];

interface Row {
  readonly what: string;
  readonly instead: string;
}

export function translationsMarkdown(): string {
  return `${[
    "# What a protocol cannot carry",
    "<!-- Made by `npm run docs` from `tools/translations`. Change that, not this file. -->",
    "There is one hold behind every protocol, and some have fewer words than it. Said in a protocol's words and read again, an ask and an answer are the same, but for what stands here: property tests find nothing else missing, and each of these missing. Whatever is lost in one protocol's words is still on the hold, on its page and in the native API.",
    ...TRANSLATIONS.map(chapter),
  ].join("\n\n")}\n`;
}

function chapter({ title, by, ask, askLosses, answerLosses, votes }: FaceTranslation): string {
  const asks = ask === undefined ? ["Asks go one way only."] : table("of an ask", askLosses);
  return [
    `## ${title}`,
    "",
    `${by[0]?.toUpperCase()}${by.slice(1)}.`,
    "",
    ...asks,
    "",
    ...table("of an answer", answerLosses),
    "",
    `Votes: ${votes}`,
  ].join("\n");
}

function table(of: string, losses: readonly Row[]): readonly string[] {
  if (losses.length === 0) return [`Nothing ${of} is lost.`];
  const rows = losses.map(({ what, instead }) => `| ${what} | ${instead} |`);
  return [`| lost ${of} | what comes back |`, "|---|---|", ...rows];
}
