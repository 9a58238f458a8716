/** Fifty people with a key each, for races of votes. The key of a voter is `key-of-<name>`. */

import type { ConfiguredKey } from "../system/config.ts";

export const VOTERS: readonly string[] = Array.from({ length: 50 }, (_, n) => `v${n}`);

export function voterKeys(): readonly ConfiguredKey[] {
  const key = (role: ConfiguredKey["role"], name: string): ConfiguredKey => ({
    ...{ secret: `key-of-${name}`, role, name, workspace: "default" },
  });
  return [key("agent", "agent"), key("admin", "root"), ...VOTERS.map((name) => key("operator", name))];
}
