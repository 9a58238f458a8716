/** Intents as phases of a workflow: the name of a phase, and how other phases refer to it. */

import { isObject, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { Intent } from "../intent/intent.ts";

/** The most inputs or outputs of one phase: each is looked at when an agent starts or completes it (G13). */
const DECLARED_MAX = 1_000;

/** Why a state must not declare so much. A state from before there was this limit may keep what it declares. */
export function whyManyDeclared(state: JsonObject, before: JsonObject): string | null {
  const countIn = (of: JsonObject, name: string) => Object.keys(objectIn(of, name)).length;
  const crowded = ["_io_inputs", "_io_outputs"].find(
    (name) => countIn(state, name) > Math.max(DECLARED_MAX, countIn(before, name)),
  );
  return crowded === undefined ? null : `${crowded} would have more than ${DECLARED_MAX} members`;
}

/** Names as an error tells them: the first few of what may be very many. */
const NAMES_MAX = 20;

export function firstFew(names: readonly string[]): {
  readonly names: readonly string[];
  readonly text: string;
} {
  const few = names.slice(0, NAMES_MAX);
  const more = names.length - few.length;
  return { names: few, text: `${few.join(", ")}${more === 0 ? "" : ` and ${more} more`}` };
}

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
