/** Everything of a list, page by page, into a file for other programs. */

import { type ReactNode, useState } from "react";
import { wordsOf } from "./api.ts";
import { type Column, type Format, fileOf, saveAs } from "./export.ts";

const WORDS = {
  nothingExported: (trouble: string | number) => `Nothing was exported. ${trouble}`,
  export: "Export",
  formats: { csv: "CSV", jsonl: "JSON lines" },
  soFar: (count: number) => `${count.toLocaleString("en")} so far …`,
};

interface ExportsProps<Row> {
  /** Of the file, without what it ends in. */
  readonly name: string;
  /** What the buttons say before the format. */
  readonly label?: string;
  readonly columns: readonly Column<Row>[];
  readonly pages: () => AsyncIterable<readonly Row[]>;
}

type State = "idle" | { readonly rows: number } | { readonly trouble: string };

export function Exports<Row>({ name, label = WORDS.export, columns, pages }: ExportsProps<Row>): ReactNode {
  const [state, setState] = useState<State>("idle");
  const isBusy = typeof state === "object" && "rows" in state;
  async function save(format: Format): Promise<void> {
    setState({ rows: 0 });
    try {
      saveAs(`${name}.${format}`, await fileOf(format, columns, pages(), (rows) => setState({ rows })));
      setState("idle");
    } catch (fault) {
      setState({ trouble: wordsOf(fault) });
    }
  }
  return (
    <>
      {typeof state === "object" && "trouble" in state ? (
        <span className="hp-problem" role="alert">
          {WORDS.nothingExported(state.trouble)}
        </span>
      ) : null}
      {isBusy ? <small>{WORDS.soFar(state.rows)}</small> : null}
      {(["csv", "jsonl"] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="app-button"
          disabled={isBusy}
          onClick={() => void save(format)}
        >
          {label} {WORDS.formats[format]}
        </button>
      ))}
    </>
  );
}
