/**
 * An answer as everybody but the hold's creator may see it (G9): what its author called sensitive is withheld. Sensitive
 * are form fields marked so, and what a response schema marks `writeOnly: true` or `format: "password"`.
 */

import type { Ask } from "./ask.ts";
import { sensitiveKeys } from "./form.ts";
import { isObject, type Json, type JsonObject, member } from "./json.ts";
import { asksForValue, type Hints, hintsOf } from "./schema-hints.ts";

export const WITHHELD: JsonObject = { withheld: true };

export function maskSensitive(
  ask: Pick<Ask, "type" | "form" | "responseSchema">,
  data: JsonObject,
): JsonObject {
  const secret = new Set(sensitiveKeys(ask.form));
  const masked = mapMembers(data, (value, key) => (secret.has(key) ? WITHHELD : value));
  const hints = ask.responseSchema && hintsOf(ask.responseSchema);
  return ask.responseSchema && hints ? maskBySchema(ask, ask.responseSchema, hints, masked) : masked;
}

/** A schema speaks about one part of `data`, depending on the type; see `Ask.responseSchema`. */
function maskBySchema(
  ask: Pick<Ask, "type">,
  schema: JsonObject,
  hints: Hints,
  data: JsonObject,
): JsonObject {
  const maskPart = (value: Json): Json => maskValue(value, [schema], hints);
  if (ask.type === "approval") {
    return mapMembers(data, (value, key) =>
      key === "edited_args" || key === "edits" ? maskPart(value) : value,
    );
  }
  if (asksForValue(schema)) {
    return mapMembers(data, (value, key) => (key === "value" ? maskPart(value) : value));
  }
  return maskPart(data) as JsonObject;
}

function maskValue(value: Json, schemas: readonly Json[], hints: Hints): Json {
  const applying = hints.applying(schemas);
  if (applying.some(isSensitive)) return WITHHELD;
  if (applying.length === 0) return value;
  if (Array.isArray(value))
    return value.map((item, at) => maskValue(item, hints.ofItem(applying, at), hints));
  if (!isObject(value)) return value;
  return mapMembers(value, (part, name) => maskValue(part, hints.ofMember(applying, name), hints));
}

function isSensitive(schema: JsonObject): boolean {
  return member(schema, "writeOnly") === true || member(schema, "format") === "password";
}

function mapMembers(data: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(value, name)]));
}
