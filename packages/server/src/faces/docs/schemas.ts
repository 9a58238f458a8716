/** JSON Schemas of the document in words: what type, which members, one example. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import type { Member } from "./reference.ts";

const REF = "#/components/schemas/";
const DEPTH_MAX = 3;

export class Schemas {
  readonly #named: Readonly<Record<string, JsonObject>>;

  constructor(document: JsonObject) {
    const { components } = document;
    this.#named = (isObject(components) ? components["schemas"] : {}) as Readonly<Record<string, JsonObject>>;
  }

  /** The schema itself, whatever name it goes by. */
  resolve(schema: Json): JsonObject {
    if (!isObject(schema)) return {};
    const name = nameOf(schema);
    return name === undefined ? schema : { ...this.#named[name], ...without(schema, "$ref") };
  }

  typeOf(schema: Json): string {
    if (!isObject(schema)) return "any";
    const name = nameOf(schema);
    if (name !== undefined) return name;
    const { type, format } = schema;
    if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
    if (Array.isArray(schema["enum"])) return schema["enum"].map((word) => JSON.stringify(word)).join(" | ");
    const branches = branchesOf(schema);
    if (branches.length > 0) return [...new Set(branches.map((branch) => this.typeOf(branch)))].join(" | ");
    if (type === "array") return `list of ${this.typeOf(schema["items"] ?? {})}`;
    if (typeof type === "string") return typeof format === "string" ? `${type} (${format})` : type;
    return "any";
  }

  /** Members and their members, in the order declared, as `ladder[].after`. */
  membersOf(schema: Json, prefix = "", depth = 0, seen: readonly string[] = []): readonly Member[] {
    const name = isObject(schema) ? nameOf(schema) : undefined;
    if (depth >= DEPTH_MAX || (name !== undefined && seen.includes(name))) return [];
    const whole = this.resolve(schema);
    const path = name === undefined ? seen : [...seen, name];
    if (whole["type"] === "array") return this.membersOf(whole["items"] ?? {}, `${prefix}[]`, depth, path);
    const branches = branchesOf(whole);
    if (branches.length > 0) return merged(branches.map((one) => this.membersOf(one, prefix, depth, path)));
    const required = (whole["required"] ?? []) as readonly Json[];
    return Object.entries((whole["properties"] ?? {}) as JsonObject).flatMap(([key, inner]) => {
      const member = prefix === "" ? key : `${prefix}.${key}`;
      const described = this.resolve(inner)["description"];
      return [
        {
          name: member,
          place: "body" as const,
          type: this.typeOf(inner),
          required: required.includes(key),
          description: typeof described === "string" ? described : "",
        },
        ...this.membersOf(inner, member, depth + 1, path),
      ];
    });
  }
}

/** A member is needed if it is in every branch. */
function merged(branches: readonly (readonly Member[])[]): readonly Member[] {
  const isEverywhere = ({ name }: Member) =>
    branches.every((members) => members.some((member) => member.name === name && member.required));
  const named = new Map(branches.flat().map((member) => [member.name, member]));
  return [...named.values()].map((member) => ({ ...member, required: isEverywhere(member) }));
}

function nameOf(schema: JsonObject): string | undefined {
  const { $ref } = schema;
  return typeof $ref === "string" && $ref.startsWith(REF) ? $ref.slice(REF.length) : undefined;
}

function without(schema: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));
}

function branchesOf(schema: JsonObject): readonly Json[] {
  const branches = schema["anyOf"] ?? schema["oneOf"] ?? [];
  return Array.isArray(branches) ? branches : [];
}

/** The example a schema brings along, or the least that fits it. */
export function exampleOf(schema: Json, schemas: Schemas): Json {
  const whole = schemas.resolve(schema);
  const { examples, type } = whole;
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0] as Json;
  if (whole["const"] !== undefined) return whole["const"];
  if (Array.isArray(whole["enum"])) return (whole["enum"][0] ?? null) as Json;
  const [branch] = branchesOf(whole);
  if (branch !== undefined) return exampleOf(branch, schemas);
  if (type === "array") return [exampleOf(whole["items"] ?? {}, schemas)];
  if (type === "object") return exampleObject(whole, schemas);
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Number(whole["minimum"] ?? 1);
  return type === "string" && whole["format"] === "uri" ? "https://example.com/hook" : "…";
}

function exampleObject(schema: JsonObject, schemas: Schemas): JsonObject {
  const required = (schema["required"] ?? []) as readonly Json[];
  const members = Object.entries((schema["properties"] ?? {}) as JsonObject);
  return Object.fromEntries(
    members.filter(([key]) => required.includes(key)).map(([key, inner]) => [key, exampleOf(inner, schemas)]),
  );
}
