/** Tests by the ids that their names begin with, from the sources and from what a run says of them. */

import type { SourceFile } from "../tidy/source.ts";

export interface Outcome {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly passed: boolean;
}

const TESTS = /\.test\.tsx?$/;
const SUITES = /\.suite\.tsx?$/;

/** Every id that a name begins with: `HP-001 …`, `HP-001, HP-002 …`. */
export function idsOf(name: string, known: ReadonlySet<string>): readonly string[] {
  const words = name.split(/[\s,:]+/);
  const end = words.findIndex((word) => !known.has(word));
  return words.slice(0, end === -1 ? words.length : end);
}

/** Ids by the files whose tests are named after them. */
export function namedIn(
  files: readonly SourceFile[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    if (!TESTS.test(path) && !SUITES.test(path)) continue;
    for (const [, name = ""] of text.matchAll(/["'`]([^"'`\n]+)/g)) {
      for (const id of idsOf(name, known)) found.set(id, (found.get(id) ?? new Set()).add(path));
    }
  }
  return found;
}

/** What to run: the tests themselves, and those that run a suite. */
export function filesToRun(
  named: ReadonlyMap<string, ReadonlySet<string>>,
  files: readonly SourceFile[],
): readonly string[] {
  const paths = new Set([...named.values()].flatMap((each) => [...each]));
  const suites = [...paths].filter((path) => SUITES.test(path)).map((path) => path.split("/").at(-1) ?? "");
  const running = files.filter(
    ({ path, text }) =>
      TESTS.test(path) && (paths.has(path) || suites.some((suite) => text.includes(`/${suite}`))),
  );
  return running.map(({ path }) => path).toSorted();
}

/** As Vitest's JSON reporter writes it. */
export interface RunResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly ancestorTitles: readonly string[];
      readonly status: string;
    }[];
  }[];
}

export function outcomesIn(
  results: RunResults,
  known: ReadonlySet<string>,
  root: string,
): readonly Outcome[] {
  return results.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ title, ancestorTitles, status }) => {
      const ids = new Set([...ancestorTitles, title].flatMap((part) => idsOf(part, known)));
      const file = name.startsWith(root) ? name.slice(root.length).replace(/^\//, "") : name;
      return [...ids].map((id) => ({ id, title, file, passed: status === "passed" }));
    }),
  );
}
