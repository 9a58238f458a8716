/**
 * The last checkpoint that this server signed, in a file beside its signing key. A person who can write to the database can
 * remove events together with their checkpoint; this file reveals it.
 */

import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { ConfigError } from "./config.ts";

export interface Anchor {
  readonly id: string;
  readonly hash: string;
}

export interface AnchorStore {
  /** Where it is kept, for messages. */
  readonly place: string;
  read(): Anchor | undefined;
  /** Resolves when it is on disk. */
  write(anchor: Anchor): Promise<void>;
}

export function anchorFile(place: string): AnchorStore {
  return {
    place,
    read() {
      if (!existsSync(place)) return undefined;
      try {
        const { id, hash } = JSON.parse(readFileSync(place, "utf8")) as Partial<Anchor>;
        if (typeof id === "string" && typeof hash === "string") return { id, hash };
      } catch {}
      throw new ConfigError(
        `${place} is damaged: it must name the last checkpoint. Restore it from a backup`,
      );
    },
    // A busy server writes it every second. Syncing takes long on slow disks, and other requests must not wait for it (G13).
    async write({ id, hash }) {
      const draft = `${place}.new`;
      await writeFile(draft, `${JSON.stringify({ id, hash })}\n`, { mode: 0o600, flush: true });
      await rename(draft, place);
    },
  };
}
