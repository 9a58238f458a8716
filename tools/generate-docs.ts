/** Writes the generated part of the documentation: `npm run docs`. A test compares it, so it cannot go stale. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedDocs } from "./generate-docs/files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
for (const [path, text] of Object.entries(await generatedDocs())) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(path);
}
