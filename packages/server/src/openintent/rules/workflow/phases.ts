/** Intents as phases of a workflow: the name of a phase, and how other phases refer to it. */

import { isObject, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { Intent } from "../intent/intent.ts";

function textIn(state: JsonObject, name: string): string | undefined {
  const value = member(state, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function objectIn(state: JsonObject, name: string): JsonObject {
  const value: Json = member(state, name) ?? null;
  return isObject(value) ? value : {};
}

/** Its own name first, then the name its dependent gives it, then its title. */
export function phaseNameOf({ state, title }: Intent, dependent?: Intent): string {
  const named = textIn(state, "_phase_name");
  if (named !== undefined) return named;
  const names = dependent === undefined ? {} : objectIn(dependent.state, "_io_dep_title_to_name");
  return textIn(names, title) ?? title;
}
