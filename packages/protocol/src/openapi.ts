/**
 * OpenAPI 3.1 from declared operations. Schemas get their names from `components`, so that a face names its own and no
 * global registry can clash; what is not named stands where it is used.
 */

import * as z from "zod";
import type { ErrorEntry } from "./error-codes.ts";
import type { Operation, Security } from "./operation.ts";
import type { Json, JsonObject } from "./rules/json.ts";

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly servers?: readonly string[];
  readonly components: Readonly<Record<string, z.ZodType>>;
  readonly errors: {
    readonly table: Readonly<Record<string, Pick<ErrorEntry, "status" | "title">>>;
    /** One of `components`. */
    readonly body: z.ZodType;
    readonly media: string;
    /** What any operation may answer; not repeated in each declaration. */
    readonly always?: readonly string[];
    /** A whole body for one code, shown as its example. */
    readonly example?: (code: string) => JsonObject;
  };
}

const REF = "#/components/schemas/";

const SCHEMES: Readonly<Record<Exclude<Security, "none">, readonly [string, JsonObject][]>> = {
  key: [
    ["bearer", { type: "http", scheme: "bearer", description: "An API key." }],
    ["apiKey", { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key." }],
  ],
  link: [["link", { type: "http", scheme: "bearer", description: "The token of a review link." }]],
  session: [["session", { type: "apiKey", in: "cookie", name: "holdpoint_session" }]],
};

/** The whole document, ready to be printed. */
export function openApiDocument(operations: readonly Operation[], options: OpenApiOptions): JsonObject {
  const schemas = new Schemas(options.components);
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const described = describe(operation, options, schemas);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: options.title,
      version: options.version,
      ...(options.description === undefined ? {} : { description: options.description }),
    },
    servers: (options.servers ?? []).map((url) => ({ url })),
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.named, securitySchemes: schemesOf(operations) },
  };
}

/** Turns Zod schemas into JSON Schema; the named ones into references. */
class Schemas {
  readonly named: JsonObject;
  readonly #names = new Map<z.ZodType, string>();

  constructor(components: Readonly<Record<string, z.ZodType>>) {
    const registry = z.registry<{ id: string }>();
    for (const [id, schema] of Object.entries(components)) {
      registry.add(schema, { id });
      this.#names.set(schema, id);
    }
    const { schemas } = z.toJSONSchema(registry, {
      uri: (id) => REF + id,
      unrepresentable: "any",
      io: "input",
    });
    this.named = Object.fromEntries(
      Object.entries(schemas).map(([id, schema]) => [id, plain(schema as JsonObject)]),
    );
  }

  of(schema: z.ZodType): JsonObject {
    const name = this.#names.get(schema);
    if (name !== undefined) return { $ref: REF + name };
    return plain(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as JsonObject);
  }
}

/** `$schema` and `$id` say where a schema lives; inside a document that is already said. */
function plain(schema: JsonObject): JsonObject {
  const { $schema: _dialect, $id: _id, "~standard": _standard, ...rest } = schema;
  return rest;
}

function describe(operation: Operation, options: OpenApiOptions, schemas: Schemas): JsonObject {
  const parameters = [
    ...parametersIn("path", operation.params, schemas),
    ...parametersIn("query", operation.query, schemas),
    ...parametersIn("header", operation.headers, schemas),
  ];
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [operation.tag],
    security: securityOf(operation.security),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemas.of(operation.body) } },
          },
        }),
    responses: { ...repliesOf(operation, schemas), ...errorsOf(operation, options, schemas) },
  };
}

function parametersIn(
  place: "path" | "query" | "header",
  shape: z.ZodObject | undefined,
  schemas: Schemas,
): Json[] {
  if (shape === undefined) return [];
  return Object.entries(shape.shape).map(([name, schema]) => {
    const { description, ...rest } = schemas.of(schema as z.ZodType);
    return {
      name,
      in: place,
      required: !isOptional(schema as z.ZodType),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function isOptional(schema: z.ZodType): boolean {
  return schema._zod.optin === "optional";
}

function securityOf(security: Security): Json[] {
  if (security === "none") return [];
  return SCHEMES[security].map(([name]) => ({ [name]: [] }));
}

function schemesOf(operations: readonly Operation[]): JsonObject {
  const used = new Set(operations.map((operation) => operation.security));
  used.delete("none");
  return Object.fromEntries([...used].flatMap((security) => SCHEMES[security as keyof typeof SCHEMES]));
}

function repliesOf(operation: Operation, schemas: Schemas): JsonObject {
  const media = operation.media ?? "application/json";
  const replies = Object.entries(operation.replies).map(([status, schema]): [string, JsonObject] => {
    const description = operation.summary;
    if (schema === null) return [status, { description }];
    return [status, { description, content: { [media]: { schema: schemas.of(schema) } } }];
  });
  return Object.fromEntries(replies);
}

/** One reply a status; every code of that status is an example of it. */
function errorsOf(operation: Operation, options: OpenApiOptions, schemas: Schemas): JsonObject {
  const { table, body, media, always = [], example } = options.errors;
  const codes = [...new Set([...operation.errors, ...always])];
  const byStatus = Map.groupBy(codes, (code) => entryOf(table, code).status);
  const taken = new Set(Object.keys(operation.replies));
  const replies = [...byStatus]
    .filter(([status]) => !taken.has(String(status)))
    .map(([status, same]): [string, JsonObject] => {
      const titles = same.map((code) => `\`${code}\`: ${entryOf(table, code).title}`);
      const examples = Object.fromEntries(same.map((code) => [code, { value: example?.(code) ?? {} }]));
      const content = { schema: schemas.of(body), ...(example === undefined ? {} : { examples }) };
      return [String(status), { description: titles.join(" · "), content: { [media]: content } }];
    });
  return Object.fromEntries(replies);
}

function entryOf(table: OpenApiOptions["errors"]["table"], code: string) {
  const entry = table[code];
  if (entry === undefined) throw new Error(`the error table has no ${code}`);
  return entry;
}
