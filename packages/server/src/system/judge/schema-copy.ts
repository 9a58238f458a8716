/**
 * Copies a client's JSON Schema into a form that is safe to compile: one document without external references, every schema
 * in it annotated with its evaluation cost, older drafts converted to 2020-12.
 *
 * S1  Every schema that evaluation can reach has its cost, so that all evaluation is counted.
 * S2  No schema applies itself to the same value, so that evaluation ends.
 */

import {
  isDroppedKeyword,
  isObject,
  type Json,
  type JsonObject,
  member,
  modernKeywords,
  pointer,
  SCHEMA_KEYWORDS,
} from "@holdpoint/protocol/rules";

/** The keyword for the cost. A keyword of this name in the client's schema is overwritten. */
export const COST = "holdpoint:cost";

/** Compiling takes up to a millisecond per schema in the document. */
const SCHEMAS_MAX = 500;
const DIALECTS =
  /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft\/2019-09|draft-07|draft-06)\/schema#?$/;

const UNEVALUATED = ["unevaluatedProperties", "unevaluatedItems"] as const;
const SAME_VALUE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);
export interface SchemaCopy {
  readonly schema: JsonObject;
  /** Whether a schema in it asks which members or items others have evaluated. */
  readonly tracksEvaluated: boolean;
  readonly patterns: ReadonlySet<string>;
}

interface Findings {
  /** The JSON pointers of all schemas in the document. */
  readonly places: Set<string>;
  readonly anchors: Map<string, string>;
  readonly references: { readonly from: string; readonly fragment: string }[];
  /** For each schema, the schemas it applies to the same value. */
  readonly sameValue: Map<string, string[]>;
  readonly patterns: Set<string>;
  tracksEvaluated: boolean;
  readonly flaws: string[];
}

/** The copy, or the reason why the schema cannot be used. */
export function copySchema(source: JsonObject): SchemaCopy | string {
  const dialect = member(source, "$schema");
  if (dialect !== undefined && !(typeof dialect === "string" && DIALECTS.test(dialect))) {
    return "must be JSON Schema 2020-12";
  }
  const found: Findings = {
    places: new Set(),
    anchors: new Map(),
    references: [],
    sameValue: new Map(),
    patterns: new Set(),
    tracksEvaluated: false,
    flaws: [],
  };
  const schema = copyOne(source, "", found) as JsonObject;
  followReferences(found);
  const flaw = found.flaws[0] ?? circleFlaw(found.sameValue);
  return flaw ?? { schema, patterns: found.patterns, tracksEvaluated: found.tracksEvaluated };
}

function copyOne(source: Json, at: string, found: Findings): Json {
  found.places.add(at);
  if (found.places.size > SCHEMAS_MAX) {
    found.flaws.push(`must consist of at most ${SCHEMAS_MAX} schemas`);
    return true;
  }
  if (!isObject(source)) return source;
  noteKeywords(source, at, found);
  const schema = modernKeywords(source);
  const entries = Object.entries(schema).filter(([name]) => !isDroppedKeyword(name));
  const copied = entries.map(([name, value]): [string, Json] => [name, copyKeyword(name, value, at, found)]);
  return Object.fromEntries([...copied, ...leastItems(schema), [COST, costOf(schema)]]);
}

function copyKeyword(name: string, value: Json, at: string, found: Findings): Json {
  const copyAt = (part: Json, place: string): Json => {
    if (SAME_VALUE.has(name)) addTo(found.sameValue, at, place);
    return copyOne(part, place, found);
  };
  if (SCHEMA_KEYWORDS.one.has(name)) return copyAt(value, at + pointer(name));
  if (SCHEMA_KEYWORDS.list.has(name) && Array.isArray(value)) {
    return value.map((part, index) => copyAt(part, at + pointer(name, index)));
  }
  if (!SCHEMA_KEYWORDS.map.has(name) || !isObject(value)) return value;
  const parts = Object.entries(value).filter(([key]) => key !== "__proto__");
  if (name === "patternProperties") for (const [pattern] of parts) found.patterns.add(pattern);
  return Object.fromEntries(parts.map(([key, part]) => [key, copyAt(part, at + pointer(name, key))]));
}

/**
 * A list that must contain something is not empty. Said in words of its own, because Ajv accepts an empty list where the list
 * before it fitted `contains`, and inside `not` where `prefixItems` stands beside `contains`.
 */
function leastItems(schema: JsonObject): readonly [string, Json][] {
  const { contains, minContains = 1, minItems = 0 } = schema;
  if (contains === undefined || typeof minContains !== "number" || typeof minItems !== "number") return [];
  return minContains > minItems ? [["minItems", minContains]] : [];
}

function noteKeywords(schema: JsonObject, at: string, found: Findings): void {
  if (at !== "" && member(schema, "$id") !== undefined)
    found.flaws.push("must be one document: only its root may have an $id");
  for (const name of ["$anchor", "$dynamicAnchor"]) {
    const anchor = member(schema, name);
    if (typeof anchor === "string") found.anchors.set(anchor, at);
  }
  for (const name of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    const target = member(schema, name);
    if (typeof target !== "string") continue;
    if (target.startsWith("#")) found.references.push({ from: at, fragment: decoded(target.slice(1)) });
    else found.flaws.push(`${name} must stay within the schema, as in #/$defs/name`);
  }
  found.tracksEvaluated ||= UNEVALUATED.some((name) => member(schema, name) !== undefined);
  const pattern = member(schema, "pattern");
  if (typeof pattern === "string") found.patterns.add(pattern);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The cost of the schema's own keywords and their values, without other schemas. */
function costOf(schema: JsonObject): number {
  let cost = 1;
  for (const [name, value] of Object.entries(schema)) {
    if (SCHEMA_KEYWORDS.one.has(name)) cost += 1;
    else if (SCHEMA_KEYWORDS.list.has(name) || SCHEMA_KEYWORDS.map.has(name))
      cost += Object.keys(value ?? {}).length;
    else cost += nodesOf(value);
  }
  return cost;
}

function nodesOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + nodesOf(part), 1);
}

function followReferences(found: Findings): void {
  for (const { from, fragment } of found.references) {
    const byPointer = fragment === "" || fragment.startsWith("/");
    const target = byPointer ? fragment : found.anchors.get(fragment);
    if (target !== undefined && found.places.has(target)) addTo(found.sameValue, from, target);
    else found.flaws.push("$ref must name a schema of the document, as in #/$defs/name");
  }
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function circleFlaw(sameValue: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const path = new Set<string>();

  function circular(place: string): boolean {
    if (path.has(place)) return true;
    if (done.has(place)) return false;
    path.add(place);
    const found = (sameValue.get(place) ?? []).some(circular);
    path.delete(place);
    done.add(place);
    return found;
  }

  return [...sameValue.keys()].some(circular)
    ? "must not refer to itself without going deeper into the value"
    : undefined;
}
