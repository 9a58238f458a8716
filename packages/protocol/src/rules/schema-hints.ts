/**
 * Which parts of a JSON Schema speak about which part of a value, without judging the value: every branch of `anyOf`
 * and every pattern counts as if it applied. That errs towards more hints, never towards fewer.
 */

import { isObject, type Json, type JsonObject, member } from "./json.ts";

const SAME_PLACE_LISTS = ["allOf", "anyOf", "oneOf"] as const;
const SAME_PLACE_ONES = ["if", "then", "else", "not"] as const;

const REFERENCES = ["$ref", "$dynamicRef"] as const;

/** `data` is always an object; what a schema asks for that is none travels as `data.value`. */
export function asksForValue(schema: JsonObject): boolean {
  const type = member(schema, "type");
  return type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object"));
}

export interface Hints {
  /** The schemas themselves and all that they pull in for the same value, each once. */
  applying(schemas: readonly Json[]): readonly JsonObject[];
  ofMember(applying: readonly JsonObject[], name: string): readonly Json[];
  ofItem(applying: readonly JsonObject[], index: number): readonly Json[];
}

export function hintsOf(root: JsonObject): Hints {
  return {
    applying(schemas) {
      const found = new Set<JsonObject>();
      const waiting: Json[] = [...schemas];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (!isObject(next) || found.has(next)) continue;
        found.add(next);
        waiting.push(...samePlace(next, root));
      }
      return [...found];
    },
    ofMember: (applying, name) => applying.flatMap((schema) => membersSchemas(schema, name)),
    ofItem: (applying, index) => applying.flatMap((schema) => itemsSchemas(schema, index)),
  };
}

function samePlace(schema: JsonObject, root: JsonObject): readonly Json[] {
  return [
    ...SAME_PLACE_LISTS.flatMap((name) => listOf(member(schema, name))),
    ...SAME_PLACE_ONES.flatMap((name) => oneOf(member(schema, name))),
    ...valuesOf(member(schema, "dependentSchemas")),
    ...REFERENCES.flatMap((name) => oneOf(referred(member(schema, name), root))),
  ];
}

function membersSchemas(schema: JsonObject, name: string): readonly Json[] {
  const properties = member(schema, "properties");
  const own = isObject(properties) ? member(properties, name) : undefined;
  const patterns = valuesOf(member(schema, "patternProperties"));
  if (own !== undefined) return [own, ...patterns];
  const others = [member(schema, "additionalProperties"), member(schema, "unevaluatedProperties")];
  return [...patterns, ...others.flatMap(oneOf)];
}

function itemsSchemas(schema: JsonObject, index: number): readonly Json[] {
  const items = member(schema, "items");
  return [
    ...oneOf(listOf(member(schema, "prefixItems"))[index]),
    ...oneOf(Array.isArray(items) ? items[index] : items),
    ...oneOf(member(schema, "contains")),
    ...oneOf(member(schema, "unevaluatedItems")),
  ];
}

/** The target of a local reference: a pointer or an anchor. */
function referred(ref: Json | undefined, root: JsonObject): Json | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  const path = decodeFragment(ref.slice(1));
  return path === "" || path.startsWith("/") ? atPointer(root, path) : withAnchor(root, path);
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function atPointer(root: JsonObject, path: string): Json | undefined {
  let found: Json | undefined = root;
  for (const part of path.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isObject(found) ? member(found, name) : undefined;
  }
  return found;
}

function withAnchor(value: Json, anchor: string): JsonObject | undefined {
  if (
    isObject(value) &&
    (member(value, "$anchor") === anchor || member(value, "$dynamicAnchor") === anchor)
  ) {
    return value;
  }
  const parts = Array.isArray(value) ? value : valuesOf(value);
  for (const part of parts) {
    const found = withAnchor(part, anchor);
    if (found !== undefined) return found;
  }
  return undefined;
}

function oneOf(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function valuesOf(value: Json | undefined): readonly Json[] {
  return isObject(value) ? Object.values(value) : [];
}
