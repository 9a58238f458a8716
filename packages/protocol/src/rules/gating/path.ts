/** Looks up the value that a condition names. */

import type { Json, JsonObject } from "../json.ts";
import type { ToolCall } from "./rule.ts";

const ROOTS = ["args", "annotations"] as const;

/** Returns the value at `args.customer.id`; `undefined` if it is absent. Inherited members do not count. */
export function valueAt(call: ToolCall, path: string): Json | undefined {
  const [root = "", ...names] = path.split(".");
  let value: Json | undefined = root === "args" ? call.args : call.annotations;
  for (const name of names) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** Why a condition cannot be about this path; `null` if it can. */
export function whyBadPath(path: string): string | null {
  const [root = "", ...names] = path.split(".");
  if (!ROOTS.some((known) => known === root) || names.length === 0 || names.includes(""))
    return "must be a path into the arguments, such as args.amount";
  return null;
}

export function isHintPath(path: string): boolean {
  return path.startsWith("annotations.");
}
