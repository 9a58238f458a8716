/**
 * The part of Markdown that says how text looks, as data: no HTML, no images from elsewhere, and links only to the web and
 * to mail. Whatever is not understood stays the text that it is.
 */

import { safeHref } from "./safe-href.ts";

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly text: string };

export type Block =
  | { readonly kind: "paragraph" | "quote"; readonly parts: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" };

const FENCE = /^\s*```\s*([\w+-]*)\s*$/;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d{1,9}[.)]\s+(.*)$/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^>\s?(.*)$/;

export function readMarkdown(source: string): readonly Block[] {
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number): readonly [Block | null, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  const fence = FENCE.exec(line);
  if (fence !== null) return readFence(lines, at, fence[1] ?? "");
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const [, marks = "", text = ""] = heading;
    return [{ kind: "heading", level: marks.length, parts: readInline(text) }, at + 1];
  }
  for (const [pattern, ordered] of [[BULLET, false] as const, [NUMBER, true] as const]) {
    if (!pattern.test(line)) continue;
    const end = endOf(lines, at, (text) => pattern.test(text));
    const items = lines.slice(at, end).map((text) => readInline(pattern.exec(text)?.[1] ?? ""));
    return [{ kind: "list", ordered, items }, end];
  }
  if (QUOTE.test(line)) {
    const end = endOf(lines, at, (text) => QUOTE.test(text));
    const text = lines.slice(at, end).map((each) => QUOTE.exec(each)?.[1] ?? "");
    return [{ kind: "quote", parts: readInline(text.join("\n")) }, end];
  }
  const end = endOf(lines, at, isProse);
  return [{ kind: "paragraph", parts: readInline(lines.slice(at, end).join("\n")) }, end];
}

function isProse(line: string): boolean {
  return line.trim() !== "" && ![FENCE, BULLET, NUMBER, HEADING, RULE, QUOTE].some((each) => each.test(line));
}

function endOf(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  let end = from + 1;
  while (end < lines.length && belongs(lines[end] ?? "")) end += 1;
  return end;
}

function readFence(lines: readonly string[], at: number, language: string): readonly [Block, number] {
  let end = at + 1;
  while (end < lines.length && !FENCE.test(lines[end] ?? "")) end += 1;
  return [{ kind: "code", language, text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

/** Bounded pieces, so that no text makes matching slow. */
const INLINE =
  /`([^`\n]{1,2000})`|\*\*([^*\n]{1,2000})\*\*|\*([^*\s][^*\n]{0,2000})\*|\[([^\]\n]{1,500})\]\(([^()\s]{1,2000})\)/;

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

function inlineOf([whole, code, strong, emphasis, label, href]: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", parts: readInline(strong) };
  if (emphasis !== undefined) return { kind: "emphasis", parts: readInline(emphasis) };
  const safe = safeHref(href ?? "");
  return safe === null ? { kind: "text", text: whole } : { kind: "link", href: safe, text: label ?? "" };
}
