/** Zod schemas as JSON Schema inside one OpenAPI document; the named ones are references. */

import * as z from "zod";
import { isObject, type Json, type JsonObject } from "./rules/json.ts";

const REF = "#/components/schemas/";

export class SchemaBook {
  readonly named: JsonObject;
  readonly #names: ReadonlyMap<z.ZodType, string>;
  readonly #unnamed: ReadonlyMap<z.ZodType, JsonObject>;

  /** All at once, because each conversion walks every named schema. */
  constructor(components: Readonly<Record<string, z.ZodType>>, used: Iterable<z.ZodType>) {
    this.#names = new Map(Object.entries(components).map(([name, schema]) => [schema, name]));
    const unnamed = [...new Set(used)].filter((schema) => !this.#names.has(schema));
    const registry = z.registry<{ id: string }>();
    for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
    // A schema that only stands where it is used may also be part of a named one, so a wrapper goes in its place.
    for (const [index, schema] of unnamed.entries()) {
      registry.add(z.object({ it: schema }), { id: `unnamed ${index}` });
    }
    // What a client sends is what is described, so defaults and transforms show their input side.
    const options = { unrepresentable: "any", io: "input", uri: (id: string) => REF + id } as const;
    const schemas = z.toJSONSchema(registry, options).schemas as Readonly<Record<string, JsonObject>>;
    this.named = Object.fromEntries(
      Object.keys(components).map((name) => [name, plain(schemas[name] ?? {})]),
    );
    this.#unnamed = new Map(
      unnamed.map((schema, index) => [schema, unwrapped(schemas[`unnamed ${index}`] ?? {})]),
    );
  }

  of(schema: z.ZodType): JsonObject {
    const name = this.#names.get(schema);
    if (name !== undefined) return { $ref: REF + name };
    const converted = this.#unnamed.get(schema);
    if (converted === undefined) throw new Error("a schema must be announced before it is used");
    return converted;
  }
}

function unwrapped(wrapper: JsonObject): JsonObject {
  const { properties } = wrapper;
  return isObject(properties) && isObject(properties["it"]) ? plain(properties["it"]) : {};
}

/**
 * `$schema` and `$id` say where a schema lives, which the document already says. A pattern beside a format repeats it in
 * a form that nobody can read.
 */
function plain(schema: JsonObject): JsonObject {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return calm(rest) as JsonObject;
}

function calm(value: Json): Json {
  if (Array.isArray(value)) return value.map(calm);
  if (!isObject(value)) return value;
  const { pattern, ...rest } = value;
  const kept = pattern === undefined || "format" in value ? rest : { ...rest, pattern };
  return Object.fromEntries(Object.entries(kept).map(([name, inner]) => [name, calm(inner)]));
}
