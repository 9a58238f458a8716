/** What can become true of a group. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Group } from "./group.ts";

export type GroupFact =
  | { readonly type: "group.placed"; readonly group: Group }
  | { readonly type: "group.released" };

export function groupLogData(fact: GroupFact): JsonObject {
  if (fact.type === "group.released") return {};
  return { members: [...fact.group.members] };
}
