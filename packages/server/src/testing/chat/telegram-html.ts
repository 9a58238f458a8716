/** Telegram's `parse_mode: HTML`, as its server reads it: the text without tags, the entities, or the error it gives. */

import type { MessageEntity } from "grammy/types";

const NAMES: Readonly<Record<string, MessageEntity["type"]>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  "tg-spoiler": "spoiler",
  code: "code",
  pre: "pre",
  a: "text_link",
  blockquote: "blockquote",
};

const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

export interface ParsedHtml {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

interface OpenTag {
  readonly name: string;
  readonly start: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The error text starts with `can't parse entities`, as Telegram's does. */
export function parseTelegramHtml(source: string): ParsedHtml | { readonly error: string } {
  let text = "";
  const entities: MessageEntity[] = [];
  const open: OpenTag[] = [];
  const token = /<(\/?)([^<>]*)>|<|&(#\d+|#x[\da-f]+|[a-z]+);|[^<&]+|&/giy;
  for (const match of source.matchAll(token)) {
    const [all, closing, tag, character] = match;
    const at = Buffer.byteLength(source.slice(0, match.index));
    if (tag !== undefined && closing === "/") {
      const last = open.pop();
      if (last === undefined) return failed(`unexpected end tag at byte offset ${at}`);
      if (last.name !== tag.trim().toLowerCase()) {
        return failed(`unmatched end tag at byte offset ${at}, expected "</${last.name}>", found "${all}"`);
      }
      const entity = entityOf(last, text);
      if (entity !== undefined) entities.push(entity);
    } else if (tag !== undefined) {
      const opened = readTag(tag, text.length);
      if (opened === undefined) {
        return failed(`Unsupported start tag "${tag.split(/\s/)[0]}" at byte offset ${at}`);
      }
      open.push(opened);
    } else if (all === "<") {
      return failed(`Unclosed start tag at byte offset ${at}`);
    } else {
      text += character === undefined ? all : characterOf(character, all);
    }
  }
  const last = open.at(-1);
  if (last !== undefined) {
    return failed(`Can't find end tag corresponding to start tag "${last.name}"`);
  }
  return { text, entities };
}

function failed(why: string): { readonly error: string } {
  return { error: `can't parse entities: ${why}` };
}

function readTag(tag: string, start: number): OpenTag | undefined {
  const [name = "", ...rest] = tag.trim().split(/\s+/);
  const known = name.toLowerCase();
  const attributes: Record<string, string> = {};
  for (const [, key = "", value = ""] of rest.join(" ").matchAll(/([\w-]+)(?:=["']?([^"']*)["']?)?/g)) {
    attributes[key.toLowerCase()] = value.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
  }
  if (known === "span") {
    return attributes["class"] === "tg-spoiler" ? { name: "span", start, attributes } : undefined;
  }
  return known in NAMES ? { name: known, start, attributes } : undefined;
}

function entityOf(tag: OpenTag, text: string): MessageEntity | undefined {
  const length = text.length - tag.start;
  if (length === 0) return undefined;
  const place = { offset: tag.start, length };
  if (tag.name === "a") return { type: "text_link", ...place, url: tag.attributes["href"] ?? "" };
  if (tag.name === "blockquote" && "expandable" in tag.attributes) {
    return { type: "expandable_blockquote", ...place };
  }
  const type = tag.name === "span" ? "spoiler" : NAMES[tag.name];
  return { type, ...place } as MessageEntity;
}

function characterOf(name: string, all: string): string {
  if (name.startsWith("#x") || name.startsWith("#X"))
    return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
  if (name.startsWith("#")) return String.fromCodePoint(Number(name.slice(1)));
  return CHARACTERS[name] ?? all;
}
