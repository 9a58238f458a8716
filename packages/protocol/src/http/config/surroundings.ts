/** What this machine offers: Node's environment and files, or a page's origin. */

import type { Surroundings } from "./settings.ts";

interface NodeProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly versions?: { readonly node?: string };
  cwd(): string;
  getuid?(): number;
}

export function systemSurroundings(): Surroundings {
  const { process, location } = globalThis as {
    readonly process?: NodeProcess;
    readonly location?: { readonly origin?: string };
  };
  return {
    env: process?.env ?? {},
    origin: webOrigin(location?.origin),
    credentials: async (url) => {
      if (process?.versions?.node === undefined) return null;
      // Workers with a compatibility layer say that they are Node and have no files: there is none to be found then.
      try {
        const { findCredentials } = await import("./credentials-file.ts");
        const { HOLDPOINT_HOME: home } = process.env;
        return await findCredentials({ folder: process.cwd(), home, url, uid: process.getuid?.() });
      } catch {
        return null;
      }
    },
  };
}

/** Pages from files and sandboxes say "null". */
function webOrigin(origin: string | undefined): string | undefined {
  return origin?.startsWith("http") ? origin : undefined;
}
