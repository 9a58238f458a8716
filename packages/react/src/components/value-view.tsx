/** Any JSON, shown as what it is. Nothing is cut and nothing is interpreted as markup. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { createContext, type ReactNode, useContext } from "react";
import { moneyText } from "../headless/money.ts";
import { labelOf } from "../headless/parts.ts";
import { exactKind, type ValueKind, valueKind } from "../headless/value-kind.ts";
import { useFile } from "./file-href.ts";
import { DiffView, Markdown, Table } from "./late-parts.ts";
import { Code, Descriptor, Link, Text } from "./text.tsx";

/** Whether names and values stay as the agent gave them: in a call, no two of them must read alike. */
export const Exact = createContext(false);

/** A member's name as words, or in a call as it is. */
export function Name({ of: name }: { readonly of: string }): ReactNode {
  const isExact = useContext(Exact);
  return isExact ? (
    <code>
      <Text>{name === "" ? '""' : name}</Text>
    </code>
  ) : (
    <Text>{labelOf(name)}</Text>
  );
}

/** Members of an object as a list of terms. */
export function Facts({ facts }: { readonly facts: JsonObject }): ReactNode {
  return (
    <dl className="hp-facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className={isWide(name, value) ? "hp-wide" : undefined}>
          <dt>
            <Name of={name} />
          </dt>
          <dd>
            <ValueView name={name} value={value} beside={facts} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isWide(name: string, value: Json): boolean {
  const { kind } = valueKind(name, value);
  return kind !== "scalar" && kind !== "none" && kind !== "link";
}

interface ValueProps {
  readonly name: string;
  readonly value: Json;
  readonly beside?: JsonObject;
}

/** One value, shown by what it is: link, picture, table, change, text. */
export function ValueView({ name, value, beside = {} }: ValueProps): ReactNode {
  const isExact = useContext(Exact);
  const file = useFile(value);
  if (isExact) return <KindView name={name} shown={exactKind(name, value)} />;
  if (file !== null) {
    return (
      <a href={file.href} download>
        <Text>{file.name}</Text>
      </a>
    );
  }
  const money = moneyText(name, value, beside);
  if (money !== null) {
    return (
      <strong className="hp-money">
        <Text>{money}</Text>
      </strong>
    );
  }
  return <KindView name={name} shown={valueKind(name, value)} />;
}

function KindView({ name, shown }: { readonly name: string; readonly shown: ValueKind }): ReactNode {
  switch (shown.kind) {
    case "none":
      return <span className="hp-none">{shown.text}</span>;
    case "scalar":
      return (
        <span className="hp-scalar">
          <Text>{shown.text}</Text>
        </span>
      );
    case "link":
      return <Link href={shown.href}>{shown.href}</Link>;
    case "image":
      return <img className="hp-image" src={shown.src} alt={labelOf(shown.alt)} />;
    case "prose":
      return (
        <p className="hp-prose">
          <Text>{shown.text}</Text>
        </p>
      );
    case "markdown":
      return (
        <>
          {shown.format === undefined ? null : <Descriptor>{shown.format}</Descriptor>}
          <Markdown source={shown.text} />
        </>
      );
    case "code":
      return <Code text={shown.text} language={shown.language} />;
    case "diff":
      return <DiffView lines={shown.lines} label={labelOf(name)} />;
    case "table":
      return <Table name={name} columns={shown.columns} rows={shown.rows} />;
    case "list":
      return (
        <ul className="hp-list">
          {shown.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a shown list never changes its order.
            <li key={at}>
              <ValueView name="" value={item} />
            </li>
          ))}
        </ul>
      );
    case "facts":
      return <Facts facts={shown.facts} />;
  }
}
