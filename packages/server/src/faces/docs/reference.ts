/**
 * The reference as data, from which pages and Markdown files are made. It is derived from the OpenAPI document, so the two
 * always agree.
 */

import {
  type ErrorEntry,
  type Operation,
  type OperationSet,
  openApiDocument,
  refusalGroups,
} from "@holdpoint/protocol";
import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import { exampleOf, Schemas } from "./schemas.ts";

export interface Reference {
  readonly faces: readonly FaceReference[];
}

export interface FaceReference {
  readonly name: string;
  readonly title: string;
  readonly tags: readonly TagReference[];
  readonly errors: readonly ErrorReference[];
}

export interface TagReference {
  readonly name: string;
  readonly operations: readonly OperationReference[];
}

export interface OperationReference {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly needs: string;
  readonly parameters: readonly Member[];
  readonly body: readonly Member[];
  readonly replies: readonly ReplyReference[];
  readonly errors: readonly ErrorReference[];
  readonly curl: string;
}

/** A parameter, or a member of a body; `place` is where it goes. */
export interface Member {
  readonly name: string;
  readonly place: "path" | "query" | "header" | "body";
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

export interface ReplyReference {
  readonly status: string;
  readonly media: string | null;
  readonly type: string;
  readonly members: readonly Member[];
}

export interface ErrorReference extends Pick<ErrorEntry, "status" | "title"> {
  readonly code: string;
  /** Native codes are addressed by themselves; another face's could be the same word for something else. */
  readonly anchor: string;
  readonly cure?: string;
}

const NEEDS: Readonly<Record<Operation["security"], string>> = {
  key: "an API key, or a signed-in console",
  link: "the token of a review link",
  session: "a signed-in console",
  none: "nothing",
};

export function referenceOf(sets: readonly OperationSet[], publicUrl: string): Reference {
  const steps = referenceSteps(sets, openApiDocument(sets, { title: "", version: "" }), publicUrl);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same in steps, for a server that answers other requests in between. */
export function* referenceSteps(
  sets: readonly OperationSet[],
  document: JsonObject,
  publicUrl: string,
): Generator<undefined, Reference> {
  const schemas = new Schemas(document);
  const faces: FaceReference[] = [];
  for (const set of sets) {
    const { name, title } = set;
    const tags: TagReference[] = [];
    for (const [tag, all] of Map.groupBy(set.operations, (operation) => operation.tag)) {
      const operations = all.map((operation) => operationOf(operation, set, document, schemas, publicUrl));
      tags.push({ name: tag, operations });
      yield;
    }
    faces.push({
      name,
      title,
      tags,
      errors: Object.keys(set.errors.table).map((code) => errorOf(set, code)),
    });
  }
  return { faces };
}

function operationOf(
  operation: Operation,
  set: OperationSet,
  document: JsonObject,
  schemas: Schemas,
  publicUrl: string,
): OperationReference {
  const { id, method, path, summary, description, security } = operation;
  const described = at(document, "paths", path, method.toLowerCase());
  const bodySchema = at(described, "requestBody", "content", "application/json", "schema");
  const codes = [...refusalGroups(operation, set.errors).values()].flat();
  return {
    ...{ id, method, path, summary },
    ...(description === undefined ? {} : { description }),
    needs: NEEDS[security],
    parameters: parametersOf(described, schemas),
    body: bodySchema === undefined ? [] : schemas.membersOf(bodySchema),
    replies: repliesOf(operation, described, schemas),
    errors: codes.map((code) => errorOf(set, code)).toSorted((one, other) => one.status - other.status),
    curl: curlOf(operation, publicUrl, bodySchema === undefined ? undefined : exampleOf(bodySchema, schemas)),
  };
}

function parametersOf(described: Json | undefined, schemas: Schemas): readonly Member[] {
  const parameters = at(described, "parameters");
  return ((parameters ?? []) as readonly JsonObject[]).map((parameter) => ({
    name: String(parameter["name"]),
    place: parameter["in"] as Member["place"],
    type: schemas.typeOf(parameter["schema"] ?? {}),
    required: parameter["required"] === true,
    description: String(parameter["description"] ?? ""),
  }));
}

function repliesOf(
  operation: Operation,
  described: Json | undefined,
  schemas: Schemas,
): readonly ReplyReference[] {
  return Object.entries(operation.replies).map(([status, schema]) => {
    if (schema === null) return { status, media: null, type: "nothing", members: [] };
    const media = operation.media ?? "application/json";
    const json = at(described, "responses", status, "content", media, "schema") ?? {};
    return { status, media, type: schemas.typeOf(json), members: schemas.membersOf(json) };
  });
}

function errorOf(set: OperationSet, code: string): ErrorReference {
  const entry = set.errors.table[code];
  if (entry === undefined) throw new Error(`the ${set.name} face has no error ${code}`);
  const { status, title, cure } = entry;
  const anchor = set.name === "native" ? code : `${set.name}-${code}`;
  return { code, anchor, status, title, ...(cure === undefined ? {} : { cure }) };
}

function curlOf(operation: Operation, publicUrl: string, example: Json | undefined): string {
  const { method, path, security, media, bytes } = operation;
  const url = publicUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = bytes === undefined ? "" : queryOf(operation);
  const stream = media === "text/event-stream" ? " --no-buffer" : "";
  const lines = [
    `curl${stream}${method === "GET" ? "" : ` --request ${method}`} "${url}${query}"`,
    // A client of MCP must take both.
    ...(stream !== "" && method === "POST" ? ['--header "Accept: application/json, text/event-stream"'] : []),
    ...(security === "key" ? ['--header "Authorization: Bearer $HOLDPOINT_API_KEY"'] : []),
    ...(security === "link" ? ['--header "Authorization: Bearer $LINK_TOKEN"'] : []),
    ...(example === undefined
      ? []
      : [
          '--header "Content-Type: application/json"',
          `--data '${JSON.stringify(example).replaceAll("'", "'\\''")}'`,
        ]),
    ...(bytes === undefined ? [] : ["--data-binary @contract.pdf"]),
  ];
  return lines.join(" \\\n  ");
}

/** Without what must be there a file would not know where it belongs. */
function queryOf({ query }: Operation): string {
  const must = Object.entries(query?.shape ?? {}).filter(([, schema]) => schema._zod.optin !== "optional");
  return `?${must.map(([name]) => `${name}=$${name.toUpperCase()}`).join("&")}`;
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((here, part) => (isObject(here) ? here[part] : undefined), value);
}
