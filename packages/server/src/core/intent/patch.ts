/** Changes of state as clients write them: set, append and remove at a path. All of one request or nothing. */

import {
  isDeeperThan,
  isObject,
  type Json,
  type JsonObject,
  member,
  type Problem,
} from "@holdpoint/protocol/rules";

export interface Patch {
  readonly op: "set" | "append" | "remove";
  /** JSON pointer; the leading slash may be missing. */
  readonly path: string;
  readonly value?: Json;
}

const PATH_LENGTH_MAX = 32;
const STATE_DEPTH_MAX = 48;
const STATE_CHARACTERS_MAX = 1024 * 1024;

/** The names along a path; none for the whole state. */
export function namesOf(path: string): readonly string[] {
  const bare = path.startsWith("/") ? path.slice(1) : path;
  if (bare === "") return [];
  return bare.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const WRONG = Symbol("wrong");

export type Patched = { readonly state: JsonObject } | { readonly problems: readonly Problem[] };

export function applyPatches(state: JsonObject, patches: readonly Patch[]): Patched {
  let now: Json = state;
  for (const [index, patch] of patches.entries()) {
    const names = namesOf(patch.path);
    const next: Json | typeof WRONG = names.length > PATH_LENGTH_MAX ? WRONG : applyAt(now, names, patch);
    if (next === WRONG) return wrong(index, "path", "this cannot be done at this path");
    now = next;
  }
  if (!isObject(now)) return wrong(patches.length - 1, "value", "the state is an object");
  return whyTooMuch(now) ?? { state: now };
}

/** A state that grew patch by patch must not outgrow what one request could have sent. */
export function whyTooMuch(state: JsonObject): { readonly problems: readonly Problem[] } | null {
  if (isDeeperThan(state, STATE_DEPTH_MAX)) return wrong(0, "value", "the state would be nested too deeply");
  if (JSON.stringify(state).length > STATE_CHARACTERS_MAX)
    return wrong(0, "value", "the state would be too large");
  return null;
}

function wrong(index: number, place: string, message: string) {
  return { problems: [{ key: `/patches/${index}/${place}`, rule: "patch", message }] };
}

function applyAt(value: Json, names: readonly string[], patch: Patch): Json | typeof WRONG {
  const [name, ...rest] = names;
  if (name === undefined) return applyHere(value, patch);
  if (Array.isArray(value)) return applyInList(value, name, rest, patch);
  if (!isObject(value)) return WRONG;
  const before = member(value, name);
  if (patch.op === "remove") {
    if (before === undefined) return value;
    if (rest.length === 0) return withoutMember(value, name);
  }
  const after = rest.length === 0 ? applyHere(before, patch) : applyAt(before ?? {}, rest, patch);
  return after === WRONG ? WRONG : { ...value, [name]: after };
}

function applyHere(value: Json | undefined, { op, value: given = null }: Patch): Json | typeof WRONG {
  if (op === "set") return given;
  if (op === "remove") return WRONG;
  if (value === undefined) return [given];
  return Array.isArray(value) ? [...value, given] : WRONG;
}

function applyInList(
  list: readonly Json[],
  name: string,
  rest: readonly string[],
  patch: Patch,
): Json | typeof WRONG {
  const at = /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : -1;
  if (at < 0 || at >= list.length) return WRONG;
  if (patch.op === "remove" && rest.length === 0) return list.toSpliced(at, 1);
  const after = applyAt(list[at] as Json, rest, patch);
  return after === WRONG ? WRONG : list.with(at, after);
}

function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}
