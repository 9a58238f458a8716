/** The TypeScript of README, docs, examples and skills. */

import { type Block, blocks, blocksOf } from "../../e2e/docs/pages.ts";
import { SKILL_PAGES } from "./skill-pages.ts";
import type { Snippet } from "./snippet.ts";

/** Read from top to bottom: each block goes on where the one before ended. */
const CONTINUED = ["docs/integrate/gate.md"];

export function pageSnippets(): readonly Snippet[] {
  return [...blocks.filter(isCode).map((block) => snippetOf(block)), ...skillSnippets()];
}

function isCode({ language }: Block): boolean {
  return language === "ts" || language === "tsx";
}

function snippetOf({ page, n, line, language, code }: Block, around = ""): Snippet {
  const name = CONTINUED.includes(page) ? "" : `.${n}`;
  return { source: page, line, name, extension: language === "tsx" ? "tsx" : "mts", code, around };
}

function skillSnippets(): readonly Snippet[] {
  return Object.entries(SKILL_PAGES).flatMap(([page, around]) => {
    const shown = blocksOf(page).filter(isCode);
    if (shown.length !== around.length)
      throw new Error(
        `${page} shows ${shown.length} snippets, tools/snippets/skill-pages.ts has surroundings for ${around.length}. Add or remove one.`,
      );
    return shown.map((block, index) => snippetOf(block, around[index]?.replaceAll("\n", " ")));
  });
}
