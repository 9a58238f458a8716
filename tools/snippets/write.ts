/** Writes the snippets where `tsconfig.json` includes them. Two runs at once write the same, so neither disturbs the other. */

import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function writeSnippets(root: string, files: ReadonlyMap<string, string>): void {
  for (const old of globSync(".snippets/**/*.{mts,tsx}", { cwd: root }))
    if (!files.has(old.replaceAll("\\", "/"))) rmSync(join(root, old), { force: true });
  for (const [path, text] of files) {
    const file = join(root, path);
    if (contentOf(file) === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    // A compiler that runs at the same time reads the old text or the new one, never a part.
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
