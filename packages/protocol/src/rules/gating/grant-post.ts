/**
 * What a form sends when a person allows similar calls together with an approval. The same names are used with and
 * without script.
 *
 * | name                                  | meaning                                                   |
 * |---------------------------------------|-----------------------------------------------------------|
 * | `_grant_for`                          | a duration such as `2h`; empty: just this once            |
 * | `_grant_uses`                         | how many calls                                            |
 * | `_grant_arg.<name>`                   | `equal`, `any` or `range`                                 |
 * | `_grant_min.<name>`, `_grant_max.<name>` | the ends of the range                                  |
 */

import type { ArgTermIn } from "./grant-terms.ts";

export interface GrantPost {
  readonly for: string;
  readonly uses?: number;
  readonly args?: Readonly<Record<string, ArgTermIn>>;
}

export const GRANT_FOR = "_grant_for";
export const GRANT_USES = "_grant_uses";
export const GRANT_ARG = "_grant_arg.";
export const GRANT_MIN = "_grant_min.";
export const GRANT_MAX = "_grant_max.";

/** `undefined`: the approval is for this call only. */
export function readGrantPost(fields: Iterable<readonly [string, string]>): GrantPost | undefined {
  const byName = new Map(fields);
  const duration = byName.get(GRANT_FOR) ?? "";
  if (duration === "") return undefined;
  const uses = byName.get(GRANT_USES) ?? "";
  const args = [...byName].flatMap(([name, text]): [string, ArgTermIn][] => {
    if (!name.startsWith(GRANT_ARG) || text === "equal") return [];
    const arg = name.slice(GRANT_ARG.length);
    if (text !== "range") return [[arg, "any"]];
    const end = (prefix: string) => Number(byName.get(`${prefix}${arg}`) || Number.NaN);
    return [[arg, { min: end(GRANT_MIN), max: end(GRANT_MAX) }]];
  });
  return {
    for: duration,
    ...(uses === "" ? {} : { uses: Number(uses) }),
    ...(args.length === 0 ? {} : { args: Object.fromEntries(args) }),
  };
}
