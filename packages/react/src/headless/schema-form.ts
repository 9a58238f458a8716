/** A JSON Schema as inputs a person can fill in. What has no input of its own is asked for as JSON text. */

import {
  FILE_UPLOAD,
  isObject,
  type Json,
  type JsonObject,
  member,
  sameJson,
  textInInput,
} from "@holdpoint/protocol/rules";

interface Common {
  /** JSON pointer of the value inside what is answered. */
  readonly at: string;
  readonly label: string;
  readonly hint?: string;
  readonly required: boolean;
  readonly initial?: Json;
}

export type SchemaNode = Common &
  (
    | {
        readonly kind: "text";
        readonly input: "text" | "email" | "url" | "date" | "password";
        readonly long: boolean;
      }
    | { readonly kind: "number"; readonly min?: number; readonly max?: number; readonly whole: boolean }
    | { readonly kind: "boolean" }
    | { readonly kind: "choice"; readonly options: readonly Json[] }
    | { readonly kind: "choices"; readonly options: readonly Json[] }
    | { readonly kind: "object"; readonly members: readonly (readonly [string, SchemaNode])[] }
    | { readonly kind: "file" }
    | { readonly kind: "json" }
  );

const INPUTS: Readonly<Record<string, "email" | "url" | "date" | "password">> = {
  email: "email",
  uri: "url",
  url: "url",
  date: "date",
  password: "password",
};

/** Deeper than this people get JSON text: nobody fills in a form inside a form inside a form. */
const DEPTH_MAX = 4;

/** A JSON Schema as nodes of a form; what has no input of its own is edited as JSON. */
export function schemaNode(schema: Json, at = "", label = "", required = true, depth = 0): SchemaNode {
  if (!isObject(schema)) return { kind: "json", at, label, required };
  const title = member(schema, "title");
  const description = member(schema, "description");
  const initial = member(schema, "default");
  const common: Common = {
    at,
    label: typeof title === "string" ? title : label,
    required,
    ...(typeof description === "string" ? { hint: description } : {}),
    ...(initial === undefined ? {} : { initial }),
  };
  return { ...common, ...shapeOf(schema, at, depth) } as SchemaNode;
}

function shapeOf(schema: JsonObject, at: string, depth: number): object {
  if (member(schema, FILE_UPLOAD) === true) return { kind: "file" };
  const options = member(schema, "enum");
  if (Array.isArray(options)) return { kind: "choice", options };
  switch (member(schema, "type")) {
    case "string":
      return textShape(schema);
    case "integer":
    case "number":
      return numberShape(schema);
    case "boolean":
      return { kind: "boolean" };
    case "array": {
      const items = member(schema, "items");
      const among = isObject(items ?? null) ? member(items as JsonObject, "enum") : undefined;
      return Array.isArray(among) ? { kind: "choices", options: among } : { kind: "json" };
    }
    case "object":
      return objectShape(schema, at, depth);
    default:
      return { kind: "json" };
  }
}

function textShape(schema: JsonObject): object {
  const format = member(schema, "format");
  const input = member(schema, "writeOnly") === true ? "password" : (INPUTS[String(format)] ?? "text");
  const most = member(schema, "maxLength");
  const begun = member(schema, "default");
  const isOfLines = typeof begun === "string" && begun.includes("\n");
  const long = input === "text" && ((typeof most === "number" && most > 200) || isOfLines);
  return { kind: "text", input, long };
}

function numberShape(schema: JsonObject): object {
  const min = member(schema, "minimum");
  const max = member(schema, "maximum");
  return {
    kind: "number",
    whole: member(schema, "type") === "integer",
    ...(typeof min === "number" ? { min } : {}),
    ...(typeof max === "number" ? { max } : {}),
  };
}

function objectShape(schema: JsonObject, at: string, depth: number): object {
  const properties = member(schema, "properties");
  if (!isObject(properties ?? null) || depth >= DEPTH_MAX) return { kind: "json" };
  const required = member(schema, "required");
  const must = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties as JsonObject).map(([name, inner]) => {
    const place = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [name, schemaNode(inner, place, name.replaceAll("_", " "), must.has(name), depth + 1)] as const;
  });
  return { kind: "object", members };
}

/** The value to begin with: defaults that an input shows, nothing made up and nothing that the person could not see. */
export function initialValue(node: SchemaNode): Json | undefined {
  return drawnValue(node, node.initial);
}

/** As much of a default as the inputs of this node show. */
function drawnValue(node: SchemaNode, value: Json | undefined): Json | undefined {
  switch (node.kind) {
    case "object":
      return drawnMembers(node.members, isObject(value ?? null) ? (value as JsonObject) : {});
    case "text":
      return typeof value === "string" && isReadable(node, value) ? value : undefined;
    case "number":
    case "boolean":
      return typeof value === node.kind ? value : undefined;
    case "choice":
      return node.options.find((option) => sameJson(option, value));
    case "choices":
      return Array.isArray(value)
        ? node.options.filter((option) => value.some((each: Json) => sameJson(each, option)))
        : undefined;
    case "file":
      return undefined;
    case "json":
      return value;
  }
}

function drawnMembers(members: readonly (readonly [string, SchemaNode])[], given: JsonObject): JsonObject {
  return Object.fromEntries(
    members.flatMap(([name, inner]): [string, Json][] => {
      const value = drawnValue(inner, member(given, name) ?? inner.initial);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Browsers show a password as dots, no date that is none, and a text in one line without its line ends. No input shows unseen characters. */
function isReadable({ input, long }: Extract<SchemaNode, { kind: "text" }>, text: string): boolean {
  if (input === "date") return /^\d{4}-\d{2}-\d{2}$/.test(text);
  return input !== "password" && textInInput(text, long) === text;
}

/** Options as texts that tell them apart: those that are no texts, or that would read alike, as JSON. */
export function optionTexts(options: readonly Json[]): readonly string[] {
  const plain = options.map((option) => (typeof option === "string" ? option : JSON.stringify(option)));
  return new Set(plain).size === plain.length ? plain : options.map((option) => JSON.stringify(option));
}
