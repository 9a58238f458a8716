/** The contracts as a page of the reference: what each line asks for, and whether there is a test under its id. */

import { join } from "node:path";
import type { SourceFile } from "../tidy/source.ts";
import { ROOT, sourceTree } from "../tidy/tree.ts";
import { type Contract, contractsIn, type Level } from "./list.ts";
import { namedIn } from "./tests.ts";

const TITLES: Readonly<Record<string, string>> = {
  "ag-ui": "AG-UI interrupts",
  aioc: "aioc proposals and grants",
  hitl: "HITL Protocol 0.7 and 0.8",
  openintent: "OpenIntent",
};

const LEVELS: Readonly<Record<Level, string>> = { M: "must", S: "should", O: "offered" };

export function conformanceMarkdown(
  contracts: readonly Contract[] = contractsIn(join(ROOT, "tools/conformance")),
  files: readonly SourceFile[] = sourceTree(),
): string {
  const parts = contracts.map((contract) => partOf(contract, files));
  return `${[
    "# Conformance",
    "What each contract asks for, line by line, and whether a test is named after it. `npm run conformance` runs those tests.",
    ...parts,
  ].join("\n\n")}\n`;
}

function partOf({ name, lines }: Contract, files: readonly SourceFile[]): string {
  const named = namedIn(files, new Set(lines.map(({ id }) => id)));
  const rows = lines.map(({ id, level, later, title }) => {
    const state = later === undefined ? (named.has(id) ? "tested" : "not tested") : `later: ${later}`;
    return `| ${id} | ${level === undefined ? "" : LEVELS[level]} | ${title.replaceAll("|", "\\|")} | ${state} |`;
  });
  return [
    `## ${TITLES[name] ?? name}`,
    "",
    "| line | level | asks for | state |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}
