/**
 * What a person changed while granting what was asked. Only what the answer says was approved, so every caller that acts on one asks here
 * first (G14).
 *
 * | ask          | member of the answer | counts as changed                                                                |
 * |--------------|----------------------|----------------------------------------------------------------------------------|
 * | approval     | `edited_args`        | always: it replaces the arguments                                                |
 * | approval     | `edits`              | unless it is empty; nothing says how it belongs to the arguments                 |
 * | escalation   | `modified_params`    | if a parameter gets another value                                                |
 * | confirmation | `confirmed_items`    | if an item of the context is left out; without the member, everything is confirmed |
 */

import type { Answer, Ask } from "./ask.ts";
import { isGranting } from "./ask.ts";
import { isObject, type Json, type JsonObject, member } from "./json.ts";
import { sameJson } from "./same-answer.ts";

export type ChangedMember = "edited_args" | "edits" | "modified_params" | "confirmed_items";

export interface Change {
  readonly member: ChangedMember;
  /** What was approved instead: of parameters all of them, the changed ones included. */
  readonly value: Json;
}

/** Nothing if the answer grants nothing, or grants what was asked as it was asked. */
export function changesOf(ask: Pick<Ask, "type" | "context">, { action, data }: Answer): readonly Change[] {
  if (!isGranting(ask, action)) return [];
  switch (ask.type) {
    case "approval":
      return approvalChanges(data);
    case "escalation":
      return parameterChanges(ask.context, data);
    case "confirmation":
      return itemChanges(ask.context, data);
    default:
      return [];
  }
}

function approvalChanges(data: JsonObject): readonly Change[] {
  const args = member(data, "edited_args");
  const edits = member(data, "edits");
  const isEmpty = edits === undefined || (isObject(edits) && Object.keys(edits).length === 0);
  return [
    ...(args === undefined ? [] : [{ member: "edited_args", value: args } as const]),
    ...(isEmpty ? [] : [{ member: "edits", value: edits } as const]),
  ];
}

function parameterChanges(context: JsonObject | undefined, data: JsonObject): readonly Change[] {
  const modified = member(data, "modified_params");
  if (!isObject(modified)) return [];
  const params = context && member(context, "params");
  const asked = isObject(params) ? params : {};
  const value = Object.fromEntries([...Object.entries(asked), ...Object.entries(modified)]);
  return sameJson(value, asked) ? [] : [{ member: "modified_params", value }];
}

function itemChanges(context: JsonObject | undefined, data: JsonObject): readonly Change[] {
  const confirmed = member(data, "confirmed_items");
  const items = context && member(context, "items");
  if (!Array.isArray(confirmed) || !Array.isArray(items)) return [];
  const isText = (id: unknown) => typeof id === "string";
  const ids = items.map((item) => isObject(item) && member(item, "id")).filter(isText);
  // Where some items have ids, only these have boxes.
  const named = ids.length > 0 ? ids : items.filter(isText);
  const known = new Set(confirmed);
  // Items without ids cannot be confirmed one by one, so only their number says whether one is missing.
  const isWhole = named.length > 0 ? named.every((id) => known.has(id)) : known.size >= items.length;
  return isWhole ? [] : [{ member: "confirmed_items", value: confirmed }];
}
