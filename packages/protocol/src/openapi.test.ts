import { describe, expect, it } from "vitest";
import * as z from "zod";
import { nativeOpenApi, nativeSet, wireSchemas } from "./native-openapi.ts";
import { openApiDocument } from "./openapi.ts";
import { defineOperation } from "./operation.ts";
import { nativeOperations } from "./operations.ts";
import { isObject, type Json, type JsonObject } from "./rules/json.ts";

const document = nativeOpenApi({ version: "1.2.3", servers: ["http://localhost:4100"] });

function* objectsIn(value: Json): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  if (!isObject(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* objectsIn(member);
}

function refsIn(value: JsonObject): string[] {
  return [...objectsIn(value)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
}

function at(root: JsonObject, ref: string): Json | undefined {
  const parts = ref.replace(/^#\//, "").split("/");
  return parts.reduce<Json | undefined>((here, part) => (isObject(here) ? here[part] : undefined), root);
}

describe("the native OpenAPI document", () => {
  it("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it("resolves every reference it makes", () => {
    const refs = refsIn(document);
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter((ref) => !ref.startsWith("#/") || at(document, ref) === undefined)).toEqual([]);
  });

  it("describes each operation once", () => {
    const ids = [...objectsIn(document["paths"] ?? {})].flatMap(({ operationId }) => operationId ?? []);
    expect(ids.toSorted()).toEqual(nativeOperations.map(({ id }) => id).toSorted());
  });

  it("declares every security scheme it asks for", () => {
    const schemes = Object.keys(at(document, "#/components/securitySchemes") as JsonObject);
    for (const { security } of objectsIn(document["paths"] ?? {})) {
      for (const one of (security ?? []) as JsonObject[]) expect(schemes).toContain(Object.keys(one)[0]);
    }
  });

  it("uses every schema it names", () => {
    const used = new Set(refsIn(document));
    const unused = Object.keys(wireSchemas).filter((name) => !used.has(`#/components/schemas/${name}`));
    expect(unused).toEqual([]);
  });

  it("describes every refusal as problem details with a valid example", () => {
    const responses = at(document, "#/components/responses") as Record<string, JsonObject>;
    for (const response of Object.values(responses)) {
      const content = at(response, "#/content") as JsonObject;
      const problem = content["application/problem+json"] as JsonObject;
      for (const example of Object.values(problem["examples"] as Record<string, JsonObject>)) {
        expect(wireSchemas.ProblemOut.safeParse(example["value"]).success).toBe(true);
      }
    }
  });

  it("shows only examples that fit its own schemas", () => {
    const schemas = at(document, "#/components/schemas") as Record<string, JsonObject>;
    let shown = 0;
    for (const [name, schema] of Object.entries(wireSchemas)) {
      for (const example of (schemas[name]?.["examples"] ?? []) as Json[]) {
        shown += 1;
        expect(schema.safeParse(example), name).toMatchObject({ success: true });
      }
    }
    expect(shown).toBeGreaterThan(2);
  });

  it("describes an event stream as one, and numbers as numbers", () => {
    expect(at(document, "#/paths")).toHaveProperty([
      "/v1/events",
      "get",
      "responses",
      "200",
      "content",
      "text/event-stream",
    ]);
    const parameters = (at(document, "#/paths") as Record<string, JsonObject>)["/v1/holds/{id}"];
    expect(parameters).toMatchObject({
      get: {
        parameters: [{ name: "id", required: true }, { schema: { type: "integer" } }, { in: "header" }],
      },
    });
  });

  it("gives no pattern where a format says the same", () => {
    const both = [...objectsIn(document)].filter((schema) => "format" in schema && "pattern" in schema);
    expect(both).toEqual([]);
  });
});

describe("openApiDocument for another face", () => {
  const Note = z.strictObject({ text: z.string() });
  const Oops = z.strictObject({ error: z.strictObject({ kind: z.string() }) });
  const get = defineOperation({
    id: "readNote",
    method: "GET",
    path: "/notes/{name}",
    summary: "Read a note",
    tag: "notes",
    params: z.strictObject({ name: z.string() }),
    replies: { 200: Note, 204: null },
    errors: ["gone"],
    security: "link",
  });
  const errors = {
    table: { gone: { status: 410, title: "It is gone" } },
    body: Oops,
    media: "application/json",
  };
  const about = { title: "Notes", version: "1" };
  const notes = { name: "notes", title: "Notes", operations: [get], components: { Note, Oops }, errors };

  it("uses that face's own error body and codes", () => {
    const other = openApiDocument([notes], about);
    expect(refsIn(other).filter((ref) => at(other, ref) === undefined)).toEqual([]);
    expect(other["components"]).toMatchObject({
      schemas: { Note: { type: "object" }, Oops: {} },
      responses: {
        "notes.gone": { content: { "application/json": { schema: { $ref: "#/components/schemas/Oops" } } } },
      },
      securitySchemes: { link: {} },
    });
    expect(at(other, "#/paths")).toMatchObject({ "/notes/{name}": { get: { responses: { 204: {} } } } });
  });

  it("writes schemas without a name where they are used, and refers to named ones inside", () => {
    const list = { ...get, replies: { 200: z.array(Note) } };
    const other = openApiDocument([{ ...notes, operations: [list], components: { Note } }], about);
    const schema = { type: "array", items: { $ref: "#/components/schemas/Note" } };
    expect(at(other, "#/paths")).toMatchObject({
      "/notes/{name}": { get: { responses: { 200: { content: { "application/json": { schema } } } } } },
    });
  });

  it("does not describe a code that the table does not know", () => {
    const wrong = { ...notes, operations: [{ ...get, errors: ["lost"] }] };
    expect(() => openApiDocument([wrong], about)).toThrow("lost");
  });

  it("can be joined with the native API in one document, each with its own errors", () => {
    const both = openApiDocument([nativeSet, notes], about);
    expect(refsIn(both).filter((ref) => at(both, ref) === undefined)).toEqual([]);
    expect(Object.keys(both["paths"] as JsonObject)).toEqual(
      expect.arrayContaining(["/v1/holds", "/notes/{name}"]),
    );
    expect(Object.keys(at(both, "#/components/securitySchemes") as JsonObject)).toEqual(
      expect.arrayContaining(["bearer", "apiKey", "link"]),
    );
  });

  it("refuses two schemas of one name, and one address declared twice", () => {
    const clash = { ...notes, name: "other", operations: [], components: { Note: z.string() } };
    expect(() => openApiDocument([notes, clash], about)).toThrow("Note");
    expect(() => openApiDocument([notes, { ...notes, name: "again" }], about)).toThrow("GET /notes/{name}");
  });
});
