/** Files for other programs. */

import { type Decider, deciderWords, type Hold } from "@holdpoint/protocol/client";

export type Column<Row> = readonly [name: string, value: (row: Row) => string];

export const HOLD_COLUMNS: readonly Column<Hold>[] = [
  ["id", (hold) => hold.id],
  ["key", (hold) => hold.key ?? ""],
  ["status", (hold) => hold.status],
  ["type", (hold) => hold.type],
  ["prompt", (hold) => hold.prompt],
  ["created_by", (hold) => hold.createdBy],
  ["created_at", (hold) => hold.createdAt],
  ["action", ({ outcome }) => (outcome?.kind === "decided" ? outcome.action : "")],
  ["decided_by", ({ outcome }) => (outcome?.kind === "decided" ? decidedBy(outcome.by) : "")],
  ["door", ({ outcome }) => (outcome?.kind === "decided" ? outcome.door : "")],
  ["settled_at", ({ outcome }) => outcome?.at ?? ""],
  ["digest", (hold) => hold.digest],
];

function decidedBy(by: Decider): string {
  return by.givenTo === undefined ? (by.name ?? by.id) : deciderWords(by);
}

const TYPES = { csv: "text/csv", jsonl: "application/jsonl" } as const;
export type Format = keyof typeof TYPES;

/**
 * A file of all pages. The text of each page is handed to the browser before the next page is read, so that a long list does not
 * stand in this page's memory. `onRows` is told how many rows are in it so far.
 */
export async function fileOf<Row>(
  format: Format,
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  onRows: (count: number) => void = () => {},
): Promise<Blob> {
  const type = TYPES[format];
  const head = lineOf(columns.map(([name]) => name));
  const write = format === "csv" ? csvLine : jsonLine;
  const parts: Blob[] = format === "csv" ? [new Blob([head])] : [];
  let count = 0;
  for await (const rows of pages) {
    parts.push(new Blob(rows.map((row) => write(columns, row))));
    count += rows.length;
    onRows(count);
  }
  return new Blob(parts, { type });
}

function csvLine<Row>(columns: readonly Column<Row>[], row: Row): string {
  return lineOf(columns.map(([, value]) => value(row)));
}

function jsonLine<Row>(_columns: readonly Column<Row>[], row: Row): string {
  return `${JSON.stringify(row)}\n`;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Quoted where needed, and never a formula in a spreadsheet. */
function cell(text: string): string {
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveAs(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
