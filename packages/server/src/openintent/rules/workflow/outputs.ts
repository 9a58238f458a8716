/** Checks the outputs that a phase declared. Values are compared with the declared type and never converted. */

import { canonicalText, isObject, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import { type Failure, failure } from "../failure.ts";
import type { Intent } from "../intent/intent.ts";
import { firstFew, objectIn, phaseNameOf } from "./phases.ts";

/** `source` is where the outputs are: the phase's own state, or the output of a task. */
export function whyNoOutputs(intent: Intent, taskId: string, source: JsonObject): Failure | null {
  const declared = Object.entries(objectIn(intent.state, "_io_outputs"));
  const named = { task_id: taskId, phase_name: phaseNameOf(intent) };
  const missing = declared.flatMap(([key, declaration]) =>
    isRequired(declaration) && member(source, key) === undefined ? [key] : [],
  );
  if (missing.length > 0) {
    const { names, text } = firstFew(missing);
    return failure("MissingOutputError", `declared outputs are missing: ${text}`, {
      detail: { ...named, missing_keys: names },
    });
  }
  const types = new DescribedTypes(objectIn(intent.state, "_io_types"));
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

/** A type is one of several words, or an object with these fields. */
type Described = { readonly words: ReadonlySet<string> } | { readonly fields: readonly string[] };

/** Each description is read once, however many outputs have its type (G13). */
class DescribedTypes {
  readonly #types: JsonObject;
  readonly #read = new Map<string, Described | null>();

  constructor(types: JsonObject) {
    this.#types = types;
  }

  of(name: string): Described | null {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const described = member(this.#types, name) ?? null;
    const read = isObject(described) ? describedBy(described) : null;
    this.#read.set(name, read);
    return read;
  }
}

function describedBy({ enum: words, ...fields }: JsonObject): Described {
  return Array.isArray(words)
    ? { words: new Set(words.map(canonicalText)) }
    : { fields: Object.keys(fields) };
}

/** The actual type if the value does not fit, otherwise `null`. A type without a description accepts any value. */
function mismatch(value: Json, expected: string, types: DescribedTypes): string | null {
  const actual = jsonType(value);
  if (expected === "any") return null;
  if (PRIMITIVES.has(expected)) return actual === expected ? null : actual;
  const described = types.of(expected);
  if (described === null) return null;
  if ("words" in described)
    return described.words.has(canonicalText(value)) ? null : JSON.stringify(value).slice(0, 200);
  if (!isObject(value)) return actual;
  const absent = described.fields.find((field) => member(value, field) === undefined);
  return absent === undefined ? null : `object without ${absent}`;
}
