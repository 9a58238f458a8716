/** Reads the cases of `npm run interop` from test results. */

import type { SourceFile } from "../tidy/source.ts";

export interface Assertion {
  readonly fullName: string;
  readonly status: string;
}

export interface Case {
  readonly finding: number | null;
  readonly name: string;
  readonly pack: string;
  readonly result: string;
}

const FINDING = /finding (\d+)/;
const PACKAGE = /\[([@a-z][^\]]*)\]\s*$/;

/** The test files with a case that names a finding, and those with other people's packages. */
export function withFindings(files: readonly Pick<SourceFile, "path" | "text">[]): readonly string[] {
  const isTest = ({ path }: Pick<SourceFile, "path">) => /\.(test|suite)\.tsx?$/.test(path);
  const named = files.filter((file) => isTest(file) && FINDING.test(file.text)).map(({ path }) => path);
  const suites = named.filter((path) => path.includes(".suite."));
  const users = files.filter(
    (file) => isTest(file) && suites.some((suite) => file.text.includes(suite.split("/").at(-1) ?? "-")),
  );
  const all = [...named.filter((path) => !suites.includes(path)), ...users.map(({ path }) => path)];
  return [...new Set(all)].toSorted();
}

/** `versions`: of the packages from the registry. A case of another test runs with what the workspace has installed. */
export function casesIn(
  file: string,
  results: readonly Assertion[],
  versions: Readonly<Record<string, string>>,
): readonly Case[] {
  return results
    .filter(
      ({ fullName, status }) => status !== "skipped" && (FINDING.test(fullName) || PACKAGE.test(fullName)),
    )
    .map(({ fullName, status }) => {
      const [, finding] = FINDING.exec(fullName) ?? [];
      const [, pack] = PACKAGE.exec(fullName) ?? [];
      const version = pack === undefined ? undefined : versions[pack];
      const shown =
        version?.startsWith("npm:") === true
          ? version.slice("npm:".length)
          : [pack, version].filter(Boolean).join(" ");
      return {
        finding: finding === undefined ? null : Number(finding),
        name: fullName.replace(PACKAGE, "").trim(),
        pack: pack === undefined ? `in ${file}` : shown,
        result: status,
      };
    });
}

export function tableOf(cases: readonly Case[]): string {
  const byFinding = (a: Case, b: Case) => (a.finding ?? 99) - (b.finding ?? 99) || (a.name < b.name ? -1 : 1);
  const rows = cases
    .toSorted(byFinding)
    .map(({ finding, name, pack, result }) => [
      ...[finding === null ? "–" : String(finding), result, pack, name],
    ]);
  const head = ["finding", "result", "package and version", "case"];
  const widths = [0, 1, 2].map((at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return [line(head), ...rows.map(line)].join("\n");
}
