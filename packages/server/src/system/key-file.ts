/** A secret that is made once and then always there: whole, or not yet. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** A start that is cut off leaves no half of a key behind, and of two that start at once both use the same. */
export function readKeyFile(path: string, make: () => string): string {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}.new`;
    writeSynced(draft, `${make()}\n`);
    nameOnce(draft, path);
  }
  return readFileSync(path, "utf8");
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A link, unlike a new name, never takes the place of another file. */
function nameOnce(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (fault) {
    // Some file systems have no links.
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST") renameSync(draft, path);
  }
  rmSync(draft, { force: true });
}
