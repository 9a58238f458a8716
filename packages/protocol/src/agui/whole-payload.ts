/**
 * Any JSON as the payload of an input (AG-006). The data of an answer is always an object, so a payload that is no object, or
 * that could be mistaken for a wrapped one, travels as `{ value: payload }`. Reading undoes it: no payload is changed.
 */

import { asksForValue, isObject, type Json, type JsonObject, member } from "../rules/index.ts";

export function wholeData(payload: Json): JsonObject {
  return isObject(payload) && !isWrapped(payload) ? payload : { value: payload };
}

export function wholePayload(data: JsonObject): Json {
  return isWrapped(data) ? (member(data, "value") ?? null) : data;
}

function isWrapped(data: JsonObject): boolean {
  const names = Object.keys(data);
  return names.length === 1 && names[0] === "value";
}

/** Words of JSON Schema that speak about objects only: a schema with one of them and no type asks for an object. */
const OBJECT_WORDS = ["properties", "required", "patternProperties", "additionalProperties", "minProperties"];

/** Whether a schema accepts something that is no object, and does not say so by a single type. */
export function isAmbiguous(schema: JsonObject): boolean {
  if (asksForValue(schema) || member(schema, "type") === "object") return false;
  if (Array.isArray(member(schema, "type"))) return true;
  return !OBJECT_WORDS.some((word) => Object.hasOwn(schema, word));
}

/** The schema of `{ value: payload }`. Definitions stay at the root, where references look for them. */
export function wrapped(schema: JsonObject): JsonObject {
  const { $schema, $defs, definitions, ...value } = schema;
  const root = Object.entries({ $schema, $defs, definitions }).filter(([, part]) => part !== undefined);
  return {
    ...(Object.fromEntries(root) as JsonObject),
    type: "object",
    properties: { value },
    required: ["value"],
    additionalProperties: false,
  };
}
