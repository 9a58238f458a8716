/** Everything of a list, page by page, into a file for other programs. */

import { type ReactNode, useState } from "react";
import { wordsOf } from "./api.ts";
import { type Column, csvOf, saveAs } from "./export.ts";

const WORDS = {
  nothingExported: (trouble: string | number) => `Nothing was exported. ${trouble}`,
  export: "Export",
  csv: "CSV",
  jsonLines: "JSON lines",
};

interface ExportsProps<Row> {
  /** Of the file, without what it ends in. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly all: () => Promise<readonly Row[]>;
}

export function Exports<Row>({ name, columns, all }: ExportsProps<Row>): ReactNode {
  const [state, setState] = useState<"idle" | "busy" | { readonly trouble: string }>("idle");
  async function save(format: "csv" | "jsonl"): Promise<void> {
    setState("busy");
    try {
      const rows = await all();
      if (format === "csv") saveAs(`${name}.csv`, "text/csv", csvOf(columns, rows));
      else saveAs(`${name}.jsonl`, "application/jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
      setState("idle");
    } catch (fault) {
      setState({ trouble: wordsOf(fault) });
    }
  }
  return (
    <>
      {typeof state === "string" ? null : (
        <span className="hp-problem" role="alert">
          {WORDS.nothingExported(state.trouble)}
        </span>
      )}
      {(["csv", "jsonl"] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="app-button"
          disabled={state === "busy"}
          onClick={() => void save(format)}
        >
          {WORDS.export} {format === "csv" ? WORDS.csv : WORDS.jsonLines}
        </button>
      ))}
    </>
  );
}
