/**
 * The context of an ask as blocks of text that can be read on a phone. Nothing is left out or shortened (G15): what is not a
 * simple value is shown as JSON.
 */

import type { CardBlock } from "@holdpoint/protocol/chat";
import { exactText, isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import { lineDiff } from "./line-diff.ts";

export function contextBlocks(context: JsonObject | undefined): readonly CardBlock[] {
  return Object.entries(context ?? {}).map(([label, value]) => ({ label, ...blockOf(value) }));
}

function blockOf(value: Json): Omit<CardBlock, "label"> {
  if (typeof value === "string") return textBlock(value);
  if (value === null || typeof value !== "object") return { style: "plain", text: String(value) };
  const change = readChange(value);
  if (change !== null) return { style: "diff", text: change };
  const rows = readTable(value);
  return rows === null
    ? { style: "code", text: JSON.stringify(value, null, 2) }
    : { style: "table", text: rows };
}

const UNIFIED_DIFF = /^(?:diff --git |--- .*\n\+\+\+ |@@ )/;

function textBlock(text: string): Omit<CardBlock, "label"> {
  if (UNIFIED_DIFF.test(text)) return { style: "diff", text };
  return text.includes("\n") ? { style: "code", text } : { style: "plain", text: exactText(text) };
}

/** `{ before, after }` of texts: every line of both, with those marked that changed. */
function readChange(value: Json): string | null {
  if (!isObject(value) || Object.keys(value).length !== 2) return null;
  const { before, after } = value;
  if (typeof before !== "string" || typeof after !== "string") return null;
  return lineDiff(before, after);
}

/** A list of flat records: one paragraph for each, because columns do not fit a phone. */
function readTable(value: Json): string | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFlat)) return null;
  const rows = value as readonly JsonObject[];
  return rows
    .map((row) =>
      Object.entries(row)
        .map(([name, cell]) => `${name}: ${cellText(cell)}`)
        .join("\n"),
    )
    .join("\n\n");
}

/** A cell with line ends could pass for more cells. */
function cellText(cell: Json): string {
  return typeof cell === "string" && !cell.includes("\n") ? exactText(cell) : JSON.stringify(cell);
}

function isFlat(row: Json): boolean {
  return isObject(row) && Object.values(row).every((cell) => cell === null || typeof cell !== "object");
}
