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

export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const head = columns.map(([name]) => cell(name)).join(",");
  const body = rows.map((row) => columns.map(([, value]) => cell(value(row))).join(","));
  return `${[head, ...body].join("\r\n")}\r\n`;
}

/** Quoted where needed, and never a formula in a spreadsheet. */
function cell(text: string): string {
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveAs(name: string, type: string, content: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
