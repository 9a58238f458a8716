/** The files of the repository that people write. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceFile } from "./source.ts";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const NOT_WRITTEN = new Set(["node_modules", "dist", "coverage", "package-lock.json"]);
const WRITTEN = /\.(ts|tsx|mjs|md|json|ya?ml|sql|html|css|sh|toml|svg)$|^(Dockerfile|run|LICENSE)$/;
/** Hidden folders belong to tools and databases, except those that are part of the project. */
const HIDDEN = new Set([".ci", ".github", ".changeset"]);

export function sourceTree(folder = ""): readonly SourceFile[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_WRITTEN.has(entry.name) || (entry.name.startsWith(".") && !HIDDEN.has(entry.name))) return [];
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourceTree(path);
    return entry.isFile() && WRITTEN.test(entry.name)
      ? [{ path, text: readFileSync(join(ROOT, path), "utf8") }]
      : [];
  });
}
