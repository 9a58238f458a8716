/** How a value is best shown, from the value and its name alone. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import { safeHref } from "./safe-href.ts";
import { type DiffLine, readUnifiedDiff } from "./unified-diff.ts";

export type ValueKind =
  | { readonly kind: "none" }
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "link"; readonly href: string }
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "diff"; readonly lines: readonly DiffLine[] }
  | { readonly kind: "table"; readonly columns: readonly string[]; readonly rows: readonly JsonObject[] }
  | { readonly kind: "list"; readonly items: readonly Json[] }
  | { readonly kind: "facts"; readonly facts: JsonObject };

const CODE_NAME =
  /^(?:code|sql|query|script|command|cmd|snippet|stack|stack_trace|traceback|rollback_plan|json|yaml)$/i;
const IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=\s]+$/i;
const COLUMNS_MAX = 8;
/** Longer texts are for reading, and a table is for comparing; one longer note among hundreds of rows is still a cell. */
const CELL_MAX = 1_000;

/** How a value is best shown. */
export function valueKind(name: string, value: Json): ValueKind {
  if (value === null || value === "") return { kind: "none" };
  if (typeof value === "string") return textKind(name, value);
  if (typeof value === "boolean") return { kind: "scalar", text: value ? "Yes" : "No" };
  if (typeof value === "number") return { kind: "scalar", text: String(value) };
  if (Array.isArray(value)) return listKind(value as readonly Json[]);
  return objectKind(name, value as JsonObject);
}

function textKind(name: string, text: string): ValueKind {
  if (IMAGE.test(text)) return { kind: "image", src: text, alt: name };
  const href = safeHref(text);
  if (href !== null) return { kind: "link", href };
  const lines = readUnifiedDiff(text);
  if (lines !== null) return { kind: "diff", lines };
  if (CODE_NAME.test(name)) return { kind: "code", language: "", text };
  if (/(?:^|_)(?:markdown|md)$/i.test(name)) return { kind: "markdown", text };
  return text.includes("\n") || text.length > 120 ? { kind: "prose", text } : { kind: "scalar", text };
}

function listKind(items: readonly Json[]): ValueKind {
  if (items.length === 0) return { kind: "none" };
  if (items.length > 1 && items.every((item) => isObject(item) && isFlat(item))) {
    const rows = items as readonly JsonObject[];
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    if (columns.length > 0 && columns.length <= COLUMNS_MAX) return { kind: "table", columns, rows };
  }
  return { kind: "list", items };
}

function isFlat(row: JsonObject): boolean {
  return Object.values(row).every(
    (cell) => typeof cell !== "object" && !(typeof cell === "string" && cell.length > CELL_MAX),
  );
}

/** `{format | language | before + after}`: content that says itself what it is. */
function objectKind(name: string, value: JsonObject): ValueKind {
  const names = Object.keys(value);
  if (names.length === 0) return { kind: "none" };
  const { content, code, format, language, type, src, alt } = value;
  const text = typeof content === "string" ? content : code;
  const said = format ?? language ?? type;
  const isOnlyContent = names.every((each) =>
    ["content", "code", "format", "language", "type"].includes(each),
  );
  if (typeof text === "string" && typeof said === "string" && isOnlyContent) {
    if (/^(?:markdown|md|text\/markdown)$/i.test(said)) return { kind: "markdown", text };
    if (language !== undefined || code !== undefined || /^code$/i.test(said))
      return { kind: "code", language: typeof language === "string" ? language : "", text };
  }
  if (typeof src === "string" && IMAGE.test(src) && names.every((each) => each === "src" || each === "alt"))
    return { kind: "image", src, alt: typeof alt === "string" ? alt : name };
  return { kind: "facts", facts: value };
}
