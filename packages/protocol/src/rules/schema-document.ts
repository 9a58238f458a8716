/**
 * JSON Schema documents that clients wrote, in the form that every validator here gets: 2020-12, without keywords that name the
 * document or mean something else to one validator than to another. Server and pages apply these rules, so that both accept the
 * same answers.
 */

import { isObject, type Json, type JsonObject } from "./json.ts";

/** Keywords that hold schemas: one, a list of them, or one for each name. */
export const SCHEMA_KEYWORDS = {
  one: new Set([
    "additionalProperties",
    "unevaluatedProperties",
    "items",
    "unevaluatedItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
  ]),
  list: new Set(["allOf", "anyOf", "oneOf", "prefixItems"]),
  map: new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]),
} as const satisfies Record<string, ReadonlySet<string>>;

/** The document's identity, and keywords that mean something else to Ajv than to JSON Schema. */
const DROPPED = new Set(["$schema", "$id", "id", "$async", "$vocabulary", "$comment", "__proto__"]);

export function isDroppedKeyword(name: string): boolean {
  return DROPPED.has(name);
}

/** Drafts before 2020-12 wrote tuples as a list of `items`, and combined two keywords in `dependencies`. */
export function modernKeywords(schema: JsonObject): JsonObject {
  const { items, additionalItems, dependencies, ...rest } = schema;
  const tuple = Array.isArray(items);
  const dependent = Object.entries(isObject(dependencies) ? dependencies : {});
  return {
    ...rest,
    ...(tuple && { prefixItems: items }),
    ...(tuple && additionalItems !== undefined && { items: additionalItems }),
    ...(!tuple && items !== undefined && { items }),
    ...(dependent.length > 0 && {
      dependentRequired: joined(rest["dependentRequired"], dependent, Array.isArray),
      dependentSchemas: joined(rest["dependentSchemas"], dependent, (value) => !Array.isArray(value)),
    }),
  };
}

function joined(
  own: Json | undefined,
  more: readonly [string, Json][],
  fits: (value: Json) => boolean,
): JsonObject {
  const kept = more.filter(([, value]) => fits(value));
  return { ...Object.fromEntries(kept), ...(isObject(own) ? own : {}) };
}

/** The whole document in this form. */
export function modernSchema(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(modernKeywords(schema)).filter(([name]) => !isDroppedKeyword(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, modernKeyword(name, value)]));
}

function modernKeyword(name: string, value: Json): Json {
  const { one, list, map } = SCHEMA_KEYWORDS;
  if (one.has(name)) return modernSchema(value);
  if (list.has(name) && Array.isArray(value)) return value.map(modernSchema);
  if (!map.has(name) || !isObject(value)) return value;
  const parts = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(parts.map(([key, part]) => [key, modernSchema(part)]));
}
