/** A file with a secret that is made once. It is either complete or absent. */

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

/** An interrupted start leaves no partial key, and two starts at the same time use the same key. */
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

/** A hard link, unlike a rename, never replaces another file. */
function nameOnce(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (fault) {
    // Some file systems have no hard links.
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST") renameSync(draft, path);
  }
  rmSync(draft, { force: true });
}
