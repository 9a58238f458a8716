/** The names to which this machine's hosts file gives addresses. The file is read again when it has changed. */

import { readFile, stat } from "node:fs/promises";
import { hostKey } from "./allow-list.ts";

const PATH = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

export function hostsFile(path = PATH): (host: string) => Promise<boolean> {
  let known: { readonly changedAt: number; readonly names: ReadonlySet<string> } | undefined;
  return async (host) => {
    try {
      const { mtimeMs: changedAt } = await stat(path);
      if (known?.changedAt !== changedAt) known = { changedAt, names: namesIn(await readFile(path, "utf8")) };
      return known.names.has(hostKey(host));
    } catch {
      // Without a hosts file no name is in it.
      return false;
    }
  };
}

function namesIn(text: string): ReadonlySet<string> {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*$/, "").trim().split(/\s+/));
  return new Set(lines.flatMap(([_address, ...names]) => names.map(hostKey)));
}
