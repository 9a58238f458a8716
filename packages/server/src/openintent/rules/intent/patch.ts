/** State patches: set, append and remove at a path. A request is applied completely or not at all. */

import {
  isObject,
  type Json,
  type JsonBounds,
  type JsonObject,
  member,
  type Problem,
  whyTooMuchJson,
} from "@holdpoint/protocol/rules";

import { whyManyDeclared } from "../workflow/phases.ts";

export type Patch = {
  readonly op: "set" | "append" | "remove";
  /** A JSON pointer; the leading slash is optional. */
  readonly path: string;
  readonly value?: Json;
};

const PATH_LENGTH_MAX = 32;
const STATE_BOUNDS: JsonBounds = { depthMax: 48, valuesMax: 50_000 };
const STATE_CHARACTERS_MAX = 1024 * 1024;

/** The names along a path; empty for the whole state. */
export function namesOf(path: string): readonly string[] {
  const bare = path.startsWith("/") ? path.slice(1) : path;
  if (bare === "") return [];
  return bare.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const WRONG = Symbol("wrong");

export type Patched = { readonly state: JsonObject } | { readonly problems: readonly Problem[] };

/** Runs in time linear in the size of state plus patches: each object is copied once, not once per patch (G13). */
export function applyPatches(state: JsonObject, patches: readonly Patch[]): Patched {
  const draft = new Draft();
  let now: Json = state;
  for (const [index, patch] of patches.entries()) {
    const names = namesOf(patch.path);
    const next: Json | typeof WRONG =
      names.length > PATH_LENGTH_MAX ? WRONG : draft.applyAt(now, names, patch);
    if (next === WRONG) return wrong(index, "path", "this operation is not possible at this path");
    now = next;
  }
  if (!isObject(now)) return wrong(patches.length - 1, "value", "the state must be an object");
  return whyTooMuch(now, state) ?? { state: now };
}

/** A state that grew by many patches has the same limits as a state sent in one request. `before`: the state that was patched. */
export function whyTooMuch(
  state: JsonObject,
  before: JsonObject = {},
): { readonly problems: readonly Problem[] } | null {
  const text = JSON.stringify(state);
  if (text.length > STATE_CHARACTERS_MAX) return wrong(0, "value", "the state would be too large");
  switch (whyTooMuchJson(text, STATE_BOUNDS)) {
    case "too_deep":
      return wrong(0, "value", "the state would be nested too deeply");
    case "too_many":
      return wrong(0, "value", `the state would have more than ${STATE_BOUNDS.valuesMax} values`);
    case null: {
      const crowded = whyManyDeclared(state, before);
      return crowded === null ? null : wrong(0, "value", crowded);
    }
  }
}

function wrong(index: number, place: string, message: string) {
  return { problems: [{ key: `/patches/${index}/${place}`, rule: "patch", message }] };
}

/** Tracks the lists and objects created by these patches, which may be changed in place. All others are copied first. */
class Draft {
  readonly #own = new Set<object>();

  applyAt(value: Json, names: readonly string[], patch: Patch): Json | typeof WRONG {
    const [name, ...rest] = names;
    if (name === undefined) return this.#applyHere(value, patch);
    if (Array.isArray(value)) return this.#applyInList(value, name, rest, patch);
    if (!isObject(value)) return WRONG;
    const before = member(value, name);
    if (patch.op === "remove") {
      if (before === undefined) return value;
      if (rest.length === 0) return this.#without(value, name);
    }
    const after =
      rest.length === 0 ? this.#applyHere(before, patch) : this.applyAt(before ?? {}, rest, patch);
    if (after === WRONG) return WRONG;
    const object = this.#ownObject(value);
    // defineProperty, so that a member named `__proto__` becomes an own property.
    Object.defineProperty(object, name, { value: after, ...PLAIN });
    return object;
  }

  #applyHere(value: Json | undefined, { op, value: given = null }: Patch): Json | typeof WRONG {
    if (op === "set") return given;
    if (op === "remove") return WRONG;
    if (value !== undefined && !Array.isArray(value)) return WRONG;
    const list = this.#ownList(value ?? []);
    list.push(given);
    return list;
  }

  #applyInList(
    value: readonly Json[],
    name: string,
    rest: readonly string[],
    patch: Patch,
  ): Json | typeof WRONG {
    const at = /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : -1;
    if (at < 0 || at >= value.length) return WRONG;
    if (patch.op === "remove" && rest.length === 0) {
      const shorter = this.#ownList(value);
      shorter.splice(at, 1);
      return shorter;
    }
    const after = this.applyAt(value[at] as Json, rest, patch);
    if (after === WRONG) return WRONG;
    const list = this.#ownList(value);
    list[at] = after;
    return list;
  }

  #without(value: JsonObject, name: string): JsonObject {
    const object = this.#ownObject(value);
    delete object[name];
    return object;
  }

  #ownObject(value: JsonObject): Record<string, Json> {
    return this.#own.has(value) ? value : this.#owned({ ...value });
  }

  #ownList(value: readonly Json[]): Json[] {
    return this.#own.has(value) ? (value as Json[]) : this.#owned([...value]);
  }

  #owned<Made extends object>(made: Made): Made {
    this.#own.add(made);
    return made;
  }
}

const PLAIN = { writable: true, enumerable: true, configurable: true } as const;
