/** Markdown as an agent wrote it: looks and links, nothing that runs. */

import type { ReactNode } from "react";
import { type Block, type Inline, readMarkdown } from "../headless/markdown.ts";
import { Code, Link, Text } from "./text.tsx";

export function Markdown({ source }: { readonly source: string }): ReactNode {
  return <div className="hp-markdown">{readMarkdown(source).map((block, at) => blockOf(block, at))}</div>;
}

function blockOf(block: Block, at: number): ReactNode {
  switch (block.kind) {
    case "heading":
      // The page has its own outline; a quoted text must not get into it.
      return (
        <p className={`hp-heading hp-heading-${Math.min(block.level, 3)}`} key={at}>
          {inlines(block.parts)}
        </p>
      );
    case "list": {
      const items = block.items.map((parts, index) => <li key={keyOf(index)}>{inlines(parts)}</li>);
      return block.ordered ? <ol key={at}>{items}</ol> : <ul key={at}>{items}</ul>;
    }
    case "code":
      return <Code key={at} text={block.text} language={block.language} />;
    case "rule":
      return <hr key={at} />;
    case "quote":
      return <blockquote key={at}>{inlines(block.parts)}</blockquote>;
    case "paragraph":
      return <p key={at}>{inlines(block.parts)}</p>;
  }
}

function keyOf(index: number): string {
  return `i${index}`;
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
    case "link":
      // Where it leads is said, not only what it calls itself.
      return (
        <span>
          <Link href={part.href}>{part.text}</Link>
          {part.text === part.href ? null : <small> ({part.href})</small>}
        </span>
      );
  }
}
