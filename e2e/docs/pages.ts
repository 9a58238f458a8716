/** Every fenced block that a reader may copy out of the documentation. */

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Block {
  readonly page: string;
  /** Of its page, from one. */
  readonly n: number;
  /** Of its page, from one: where the code begins. */
  readonly line: number;
  /** As the page names it; empty: a picture. */
  readonly language: string;
  readonly code: string;
}

export const pages: readonly string[] = globSync(
  ["*.md", "docs/**/*.md", "examples/*/README.md", "packages/*/README.md"],
  { cwd: ROOT },
).toSorted();

export function textOf(page: string): string {
  return readFileSync(`${ROOT}/${page}`, "utf8");
}

export function blocksOf(page: string): readonly Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((found, index) => {
    const [, language = "", code = ""] = found;
    const line = text.slice(0, found.index).split("\n").length + 1;
    return { page, n: index + 1, line, language, code };
  });
}

export const blocks: readonly Block[] = pages.flatMap(blocksOf);
