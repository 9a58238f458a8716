/**
 * OpenAPI 3.1 from declared operations of any number of faces. Schemas get their names from each set's `components`, so
 * that a face names its own and no global registry can clash; what is not named stands where it is used.
 */

import type * as z from "zod";
import { SchemaBook } from "./openapi-schemas.ts";
import type { Operation, Security } from "./operation.ts";
import type { ErrorWords, OperationSet } from "./operation-set.ts";
import type { Json, JsonObject } from "./rules/json.ts";

export interface OpenApiAbout {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly servers?: readonly string[];
}

const SCHEMES: Readonly<Record<Exclude<Security, "none">, readonly (readonly [string, JsonObject])[]>> = {
  key: [
    ["bearer", { type: "http", scheme: "bearer", description: "An API key." }],
    ["apiKey", { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key." }],
  ],
  link: [["link", { type: "http", scheme: "bearer", description: "The token of a review link." }]],
  session: [["session", { type: "apiKey", in: "cookie", name: "holdpoint_session" }]],
};

const GOOD: Readonly<Record<string, string>> = {
  200: "Done",
  201: "Made",
  202: "Taken; it will be done",
  204: "Done; there is nothing to say",
  304: "It has not changed",
};

/** The whole document, ready to be printed. */
export function openApiDocument(sets: readonly OperationSet[], about: OpenApiAbout): JsonObject {
  const steps = openApiSteps(sets, about);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same in steps, for a server that answers other requests in between. */
export function* openApiSteps(
  sets: readonly OperationSet[],
  about: OpenApiAbout,
): Generator<undefined, JsonObject> {
  const operations = sets.flatMap((set) => set.operations);
  const book = new SchemaBook(componentsOf(sets), [
    ...sets.map((set) => set.errors.body),
    ...operations.flatMap(schemasOf),
  ]);
  yield;
  const paths = yield* pathsOf(sets, book);
  const responses: Record<string, JsonObject> = {};
  for (const set of sets) {
    Object.assign(responses, responsesOf(set, book));
    yield;
  }
  const { title, version, description, servers = [] } = about;
  return {
    openapi: "3.1.0",
    info: { title, version, ...(description === undefined ? {} : { description }) },
    servers: servers.map((url) => ({ url })),
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: book.named,
      responses,
      securitySchemes: schemesOf(operations),
    },
  };
}

/** A name means one thing in one document, whichever face gave it. */
function componentsOf(sets: readonly OperationSet[]): Readonly<Record<string, z.ZodType>> {
  const named = new Map<string, z.ZodType>();
  for (const [name, schema] of sets.flatMap((set) => Object.entries(set.components))) {
    if ((named.get(name) ?? schema) !== schema) throw new Error(`two schemas are named ${name}`);
    named.set(name, schema);
  }
  return Object.fromEntries(named);
}

function* pathsOf(sets: readonly OperationSet[], book: SchemaBook): Generator<undefined, JsonObject> {
  const paths: Record<string, JsonObject> = {};
  for (const set of sets) {
    for (const operation of set.operations) {
      const { path } = operation;
      const method = operation.method.toLowerCase();
      if (paths[path]?.[method] !== undefined) throw new Error(`${operation.method} ${path} stands twice`);
      paths[path] = { ...paths[path], [method]: describe(operation, set, book) };
    }
    yield;
  }
  return paths;
}

function describe(operation: Operation, set: OperationSet, book: SchemaBook): JsonObject {
  const { id, summary, description, tag, params, query, headers, body, security } = operation;
  const parameters = [
    ...parametersIn("path", params, book),
    ...parametersIn("query", query, book),
    ...parametersIn("header", headers, book),
  ];
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: securityOf(security),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestOf(body, book) }),
    ...(operation.bytes === undefined ? {} : { requestBody: FILE_BODY }),
    responses: { ...repliesOf(operation, book), ...refusalsOf(operation, set) },
  };
}

function schemasOf(operation: Operation): z.ZodType[] {
  const { params, query, headers, body, replies } = operation;
  const parameters = [params, query, headers].flatMap((shape) => Object.values(shape?.shape ?? {}));
  const contents = [body, ...Object.values(replies)].filter(
    (schema) => schema !== undefined && schema !== null,
  );
  return [...(parameters as z.ZodType[]), ...contents];
}

/** OpenAPI 3.1 says nothing about what a media type already says. */
const FILE_BODY: JsonObject = { required: true, content: { "application/octet-stream": {} } };

function requestOf(body: z.ZodType, book: SchemaBook): JsonObject {
  return { required: true, content: { "application/json": { schema: book.of(body) } } };
}

function parametersIn(
  place: "path" | "query" | "header",
  shape: z.ZodObject | undefined,
  book: SchemaBook,
): Json[] {
  return Object.entries(shape?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = book.of(schema as z.ZodType);
    const required = schema._zod.optin !== "optional";
    return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: rest };
  });
}

function securityOf(security: Security): Json[] {
  return security === "none" ? [] : SCHEMES[security].map(([name]) => ({ [name]: [] }));
}

function schemesOf(operations: readonly Operation[]): JsonObject {
  const used = new Set(operations.map((operation) => operation.security));
  return Object.fromEntries([...used].flatMap((security) => (security === "none" ? [] : SCHEMES[security])));
}

function repliesOf(operation: Operation, book: SchemaBook): JsonObject {
  const media = operation.media ?? "application/json";
  return Object.fromEntries(
    Object.entries(operation.replies).map(([status, schema]) => {
      const description = GOOD[status] ?? operation.summary;
      const content = schema === null ? {} : { content: { [media]: { schema: book.of(schema) } } };
      return [status, { description, ...content }];
    }),
  );
}

/** One reply a status, whatever the number of codes: a reader looks for the status first. */
function refusalsOf(operation: Operation, set: OperationSet): JsonObject {
  const taken = new Set(Object.keys(operation.replies));
  const entries = [...refusalGroups(operation, set.errors)].filter(([status]) => !taken.has(status));
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${responseName(set, codes)}` },
    ]),
  );
}

/** Refusals are shared between operations; the same codes under the same status are one response. */
function responsesOf(set: OperationSet, book: SchemaBook): Readonly<Record<string, JsonObject>> {
  const { table, body, media, example } = set.errors;
  const groups = set.operations.flatMap((operation) => [...refusalGroups(operation, set.errors).values()]);
  return Object.fromEntries(
    groups.map((codes) => {
      const description = codes.map((code) => `\`${code}\`: ${entryOf(table, code).title}`).join(" · ");
      const examples = example && Object.fromEntries(codes.map((code) => [code, { value: example(code) }]));
      const content = { schema: book.of(body), ...(examples === undefined ? {} : { examples }) };
      return [responseName(set, codes), { description, content: { [media]: content } }];
    }),
  );
}

/** Two faces may use one word for two bodies. */
function responseName(set: OperationSet, codes: readonly string[]): string {
  return [set.name, ...codes].join(".");
}

/** Codes an operation may answer with, by status. */
export function refusalGroups(
  operation: Operation,
  { table, always = [] }: ErrorWords,
): ReadonlyMap<string, readonly string[]> {
  const codes = new Set([...operation.errors, ...always]);
  return Map.groupBy([...codes].sort(), (code) => String(entryOf(table, code).status));
}

function entryOf(table: ErrorWords["table"], code: string): ErrorWords["table"][string] {
  const entry = table[code];
  if (entry === undefined) throw new Error(`the error table has no ${code}`);
  return entry;
}
