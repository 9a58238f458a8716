/** Markdown as an agent wrote it: looks, lists, tables and links, nothing that runs. */

import { visibleText } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import { type Block, type Inline, readMarkdown } from "../headless/markdown.ts";
import { Code, Link, Text } from "./text.tsx";

const WORDS = {
  table: "Table",
};

export function Markdown({ source }: { readonly source: string }): ReactNode {
  return <div className="hp-markdown">{blocks(readMarkdown(source))}</div>;
}

function keyOf(index: number): string {
  return `i${index}`;
}

function blocks(all: readonly Block[]): ReactNode {
  return all.map((block, at) => <BlockView key={keyOf(at)} block={block} />);
}

function BlockView({ block }: { readonly block: Block }): ReactNode {
  switch (block.kind) {
    case "heading":
      // The page has its own outline; a quoted text must not get into it.
      return <p className={`hp-heading hp-heading-${Math.min(block.level, 3)}`}>{inlines(block.parts)}</p>;
    case "list": {
      const items = block.items.map((item, index) => <li key={keyOf(index)}>{blocks(item)}</li>);
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return <TableView table={block} />;
    case "code":
      return <Code text={block.text} language={block.language} />;
    case "rule":
      return <hr />;
    case "quote":
      return <blockquote>{blocks(block.blocks)}</blockquote>;
    case "paragraph":
      return <p>{inlines(block.parts)}</p>;
  }
}

type Table = Extract<Block, { readonly kind: "table" }>;

/** A wide table scrolls by itself; the page does not. */
function TableView({ table: { head, rows } }: { readonly table: Table }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="hp-table" tabIndex={0} aria-label={WORDS.table}>
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={keyOf(at)}>{inlines(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(at)}>
              {row.map((cell, column) => (
                <td key={keyOf(column)}>{inlines(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inlines(parts: readonly Inline[]): ReactNode {
  return parts.map((part, at) => <InlineView key={keyOf(at)} part={part} />);
}

function InlineView({ part }: { readonly part: Inline }): ReactNode {
  switch (part.kind) {
    case "text":
      return <Text>{part.text}</Text>;
    case "code":
      return (
        <code>
          <Text>{part.text}</Text>
        </code>
      );
    case "strong":
      return <strong>{inlines(part.parts)}</strong>;
    case "emphasis":
      return <em>{inlines(part.parts)}</em>;
    case "struck":
      return <del>{inlines(part.parts)}</del>;
    case "link":
      // A link says where it leads, not only what it calls itself.
      return (
        <span>
          <Link href={part.href}>{part.text}</Link>
          {part.text === part.href ? null : <small> ({visibleText(part.href)})</small>}
        </span>
      );
  }
}
