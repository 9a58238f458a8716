/** What the groups of an identity provider give a person here. A group that is not mapped gives nothing. */

import type { Granted } from "../../kernel/people/commands.ts";
import type { PersonRole } from "../../kernel/people/person.ts";
import type { OidcProvider } from "../../system/sign-in-config.ts";

/** The role that can do most wins. */
const RANK: readonly PersonRole[] = ["auditor", "operator", "admin"];

/** `undefined`: the provider's groups are not used. `null`: none of the person's groups is mapped. */
export function grantedBy({ groups }: OidcProvider, claim: unknown): Granted | null | undefined {
  if (groups === undefined) return undefined;
  const given = namesIn(claim).flatMap((name) => (Object.hasOwn(groups, name) ? [groups[name]] : []));
  const mapped = given.filter((group) => group !== undefined);
  const role = RANK.findLast((one) => mapped.some((group) => group.role === one));
  if (role === undefined) return null;
  return {
    role,
    teams: [...new Set(mapped.flatMap(({ teams }) => teams))],
    mappedTeams: [...new Set(Object.values(groups).flatMap(({ teams }) => teams))],
  };
}

/** A list of names, or one name. Anything else names no group. */
function namesIn(claim: unknown): readonly string[] {
  const list = Array.isArray(claim) ? claim : [claim];
  return list.filter((name) => typeof name === "string");
}
