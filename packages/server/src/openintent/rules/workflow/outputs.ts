/** Checks the outputs that a phase declared. Values are compared with the declared type and never converted. */

import { isObject, type Json, type JsonObject, member, sameJson } from "@holdpoint/protocol/rules";
import { type Failure, failure } from "../failure.ts";
import type { Intent } from "../intent/intent.ts";
import { objectIn, phaseNameOf } from "./phases.ts";

/** `source` is where the outputs are: the phase's own state, or the output of a task. */
export function whyNoOutputs(intent: Intent, taskId: string, source: JsonObject): Failure | null {
  const declared = Object.entries(objectIn(intent.state, "_io_outputs"));
  const named = { task_id: taskId, phase_name: phaseNameOf(intent) };
  const missing = declared.flatMap(([key, declaration]) =>
    isRequired(declaration) && member(source, key) === undefined ? [key] : [],
  );
  if (missing.length > 0) {
    return failure("MissingOutputError", `declared outputs are missing: ${missing.join(", ")}`, {
      detail: { ...named, missing_keys: missing },
    });
  }
  const types = objectIn(intent.state, "_io_types");
  for (const [key, declaration] of declared) {
    const value = member(source, key);
    const expected = typeOf(declaration);
    const actual = value === undefined ? null : mismatch(value, expected, types);
    if (actual === null) continue;
    return failure("OutputTypeMismatchError", `the output ${key} is not ${expected} but ${actual}`, {
      detail: { ...named, key, expected_type: expected, actual_type: actual },
    });
  }
  return null;
}

function isRequired(declaration: Json): boolean {
  return !isObject(declaration) || member(declaration, "required") !== false;
}

function typeOf(declaration: Json): string {
  const type = isObject(declaration) ? member(declaration, "type") : declaration;
  return typeof type === "string" && type !== "" ? type : "any";
}

const PRIMITIVES: ReadonlySet<string> = new Set(["string", "number", "boolean", "object", "array"]);

export function jsonType(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The actual type if the value does not fit, otherwise `null`. A type without a description accepts any value. */
function mismatch(value: Json, expected: string, types: JsonObject): string | null {
  const actual = jsonType(value);
  if (expected === "any") return null;
  if (PRIMITIVES.has(expected)) return actual === expected ? null : actual;
  const described = member(types, expected);
  if (!isObject(described ?? null)) return null;
  const { enum: words, ...fields } = described as JsonObject;
  if (Array.isArray(words)) {
    return words.some((word) => sameJson(word, value)) ? null : JSON.stringify(value).slice(0, 200);
  }
  if (!isObject(value)) return actual;
  const absent = Object.keys(fields).find((field) => member(value, field) === undefined);
  return absent === undefined ? null : `object without ${absent}`;
}
