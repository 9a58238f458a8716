/** How a value is best shown, from the value and its name alone. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import { safeHref } from "./safe-href.ts";
import { type DiffLine, readUnifiedDiff } from "./unified-diff.ts";

export type ValueKind =
  /** Nothing to read, and in words what kind of nothing. */
  | { readonly kind: "none"; readonly text: string }
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "link"; readonly href: string }
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  | { readonly kind: "prose"; readonly text: string }
  /** `format`: what the agent called it, if it said so. */
  | { readonly kind: "markdown"; readonly text: string; readonly format?: string }
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
  if (value === null) return { kind: "none", text: "null" };
  if (typeof value === "string") return textKind(name, value);
  if (typeof value === "boolean") return { kind: "scalar", text: value ? "Yes" : "No" };
  if (typeof value === "number") return { kind: "scalar", text: String(value) };
  if (Array.isArray(value)) return listKind(value as readonly Json[]);
  return objectKind(value as JsonObject);
}

/** How a value of a call is shown: as what it is, so that no two values read alike (G15). */
export function exactKind(name: string, value: Json): ValueKind {
  if (isObject(value) && Object.keys(value).length > 0) return { kind: "facts", facts: value };
  const shown = valueKind(name, value);
  if (shown.kind === "markdown") return { kind: "code", language: "", text: shown.text };
  const isBlank = shown.kind === "none" && typeof value === "string" && value !== "";
  return isBlank || shown.kind === "scalar" ? { kind: "scalar", text: JSON.stringify(value) } : shown;
}

function textKind(name: string, text: string): ValueKind {
  if (text.trim() === "")
    return { kind: "none", text: text === "" ? "empty text" : "only spaces or line ends" };
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
  if (items.length === 0) return { kind: "none", text: "empty list" };
  if (items.length > 1 && items.every((item) => isObject(item) && isFlat(item))) {
    const rows = items as readonly JsonObject[];
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    if (columns.length > 0 && columns.length <= COLUMNS_MAX) return { kind: "table", columns, rows };
  }
  return { kind: "list", items };
}

/** A row without cells would be drawn as nothing. */
function isFlat(row: JsonObject): boolean {
  const cells = Object.values(row);
  if (cells.length === 0) return false;
  return cells.every(
    (cell) => typeof cell !== "object" && !(typeof cell === "string" && cell.length > CELL_MAX),
  );
}

/** A text beside one word that says what it is; with any other member they are facts, so that none is left out (G15). */
function describedText(value: JsonObject): ValueKind | undefined {
  const { content, code, format, language, type } = value;
  const [text, said] = [content ?? code, format ?? language ?? type];
  const isAll = Object.keys(value).length === 2;
  if (!isAll || typeof text !== "string" || text === "" || typeof said !== "string") return undefined;
  if (/^(?:markdown|md|text\/markdown)$/i.test(said)) return { kind: "markdown", text, format: said };
  const isCode = language !== undefined || code !== undefined || /^code$/i.test(said);
  return isCode ? { kind: "code", language: said, text } : undefined;
}

function objectKind(value: JsonObject): ValueKind {
  if (Object.keys(value).length === 0) return { kind: "none", text: "empty object" };
  return describedText(value) ?? { kind: "facts", facts: value };
}
