/**
 * The part of Markdown that says how text looks, as data: no HTML, no images from elsewhere, and links only to the web and to mail.
 * Whatever is not understood stays the text that it is.
 *
 * Written by hand for two reasons. The review page's scripts have 90 kB in all, and the parsers that exist take 12 to 42 kB of
 * them. And the server renders the page too: their time grows with the square of some texts' length, this one's does not (G13).
 */

import { safeHref } from "./safe-href.ts";

export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis" | "struck"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly text: string };

export type Block =
  | { readonly kind: "paragraph"; readonly parts: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      /** The first number of an ordered list. */
      readonly start: number;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: "table"; readonly head: Row; readonly rows: readonly Row[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" };

type Row = readonly (readonly Inline[])[];
type Lines = readonly string[];
type Read = readonly [Block | null, next: number];

// None of these can go back over a long text again and again: what one part matches, the next one does not, and `s` lets the last
// part match whatever is left.
const FENCE = "```";
const LANGUAGE = /^[\w+-]*$/;
const ITEM = /^(\s*(?:[-*+]|(\d{1,9})[.)])\s+)(.*)$/s;
const HEADING = /^(#{1,6})\s+(.*)$/s;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^>\s?(.*)$/s;
const TABLE_RULE_CELL = /^:?-+:?$/;

/** Deeper lists and quotes are shown as text. */
const DEPTH_MAX = 8;

/** The blocks of a Markdown text. */
export function readMarkdown(source: string): readonly Block[] {
  return readBlocks(source.replaceAll("\r\n", "\n").split("\n"), 0);
}

function readBlocks(lines: Lines, depth: number): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at, depth);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: Lines, at: number, depth: number): Read {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  const language = fencedLanguage(line);
  if (language !== null) return readFence(lines, at, language);
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const [, marks = "", text = ""] = heading;
    return [{ kind: "heading", level: marks.length, parts: readInline(text) }, at + 1];
  }
  if (isTable(lines, at)) return readTable(lines, at);
  if (depth < DEPTH_MAX && ITEM.test(line)) return readList(lines, at, depth);
  if (depth < DEPTH_MAX && QUOTE.test(line)) {
    const end = endOf(lines, at, (text) => QUOTE.test(text));
    const quoted = lines.slice(at, end).map((each) => QUOTE.exec(each)?.[1] ?? "");
    return [{ kind: "quote", blocks: readBlocks(quoted, depth + 1) }, end];
  }
  const end = endOf(lines, at, (text, index) => isProse(text) && !isTable(lines, index));
  return [{ kind: "paragraph", parts: readInline(lines.slice(at, end).join("\n")) }, end];
}

function isProse(line: string): boolean {
  if (line.trim() === "" || fencedLanguage(line) !== null) return false;
  return ![ITEM, HEADING, RULE, QUOTE].some((each) => each.test(line));
}

/** The language behind the marks of a fence, often none; `null`: the line is no fence. */
function fencedLanguage(line: string): string | null {
  const text = line.trim();
  if (!text.startsWith(FENCE)) return null;
  const language = text.slice(FENCE.length).trim();
  return LANGUAGE.test(language) ? language : null;
}

function endOf(lines: Lines, from: number, belongs: (line: string, at: number) => boolean): number {
  let end = from + 1;
  while (end < lines.length && belongs(lines[end] ?? "", end)) end += 1;
  return end;
}

function readFence(lines: Lines, at: number, language: string): Read {
  let end = at + 1;
  while (end < lines.length && fencedLanguage(lines[end] ?? "") === null) end += 1;
  return [{ kind: "code", language, text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

/** Items of one kind at one indent; what is indented under an item belongs to it. */
function readList(lines: Lines, at: number, depth: number): Read {
  const [, , number] = ITEM.exec(lines[at] ?? "") ?? [];
  const ordered = number !== undefined;
  const indent = indentOf(lines[at] ?? "");
  const items: (readonly Block[])[] = [];
  let end = at;
  while (end < lines.length) {
    const [, mark = "", itsNumber, text = ""] = ITEM.exec(lines[end] ?? "") ?? [];
    if (mark === "" || (itsNumber !== undefined) !== ordered || indentOf(lines[end] ?? "") > indent + 3)
      break;
    const next = endOf(lines, end, (line) => indentOf(line) > indent + 1 || isLazy(line));
    const under = lines.slice(end + 1, next).map((line) => line.slice(Math.min(mark.length, indentOf(line))));
    items.push(readBlocks([text, ...under], depth + 1));
    end = next;
    while (lines[end]?.trim() === "" && ITEM.test(lines[end + 1] ?? "")) end += 1;
  }
  return [{ kind: "list", ordered, start: Number(number ?? 1), items }, end];
}

/** A line of prose right under an item goes on with it. */
function isLazy(line: string): boolean {
  return isProse(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isTable(lines: Lines, at: number): boolean {
  const rule = lines[at + 1];
  if (rule?.includes("|") !== true || lines[at]?.includes("|") !== true) return false;
  return cellsOf(rule).every((cell) => TABLE_RULE_CELL.test(cell));
}

function readTable(lines: Lines, at: number): Read {
  const end = endOf(lines, at + 1, (line) => line.includes("|"));
  const [head = [], ...rows] = [lines[at] ?? "", ...lines.slice(at + 2, end)].map(readRow);
  return [{ kind: "table", head, rows }, end];
}

function readRow(line: string): Row {
  return cellsOf(line).map(readInline);
}

function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split("|").map((cell) => cell.trim());
}

/** No piece contains the mark that begins it, so each character is looked at by one beginning only. */
const INLINE =
  /`([^`\n]{1,2000})`|\*\*([^*\n]{1,2000})\*\*|\*([^*\s][^*\n]{0,2000})\*|~~([^~\n]{1,2000})~~|\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000})\)/;

/** The parts of one line of Markdown. */
export function readInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  for (let match = INLINE.exec(rest); match !== null; match = INLINE.exec(rest)) {
    if (match.index > 0) parts.push({ kind: "text", text: rest.slice(0, match.index) });
    parts.push(inlineOf(match));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest !== "") parts.push({ kind: "text", text: rest });
  return parts;
}

function inlineOf([whole, code, strong, emphasis, struck, label, href]: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", parts: readInline(strong) };
  if (emphasis !== undefined) return { kind: "emphasis", parts: readInline(emphasis) };
  if (struck !== undefined) return { kind: "struck", parts: readInline(struck) };
  const safe = safeHref(href ?? "");
  return safe === null ? { kind: "text", text: whole } : { kind: "link", href: safe, text: label ?? "" };
}
