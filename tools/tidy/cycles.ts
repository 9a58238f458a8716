/**
 * Finds files that import each other by value, directly or through others.
 *
 * 1. `import type` and `await import()` do not count: neither is loaded together with the file that names it.
 * 2. `export … from` counts, and so does an import by the name of a package of this repository.
 * 3. Every file of a cycle is reported once, with a shortest cycle that it is part of.
 */

import { posix } from "node:path";
import type { Finding } from "./check.ts";
import type { ReadFile, SourceFile } from "./source.ts";

const CYCLE = "value-import cycle";

/** Importing file → imported file → line of the import. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

export function cycles(files: readonly ReadFile[]): readonly Finding[] {
  const graph = graphOf(files);
  return [...graph.keys()].flatMap((path) => {
    const cycle = shortestCycle(graph, path);
    if (cycle === undefined) return [];
    return [
      {
        path,
        line: graph.get(path)?.get(cycle[1] ?? path) ?? 1,
        found: `${CYCLE} ${cycle.join(" → ")}`,
        use: "`import type` or a third file that both import",
      },
    ];
  });
}

function graphOf(files: readonly ReadFile[]): Graph {
  const paths = new Set(files.map(({ path }) => path));
  const packages = packageEntries(files);
  return new Map(
    files.map((file) => {
      const targets = new Map<string, number>();
      for (const { specifier, kind, line } of file.reading.imports) {
        if (kind !== "value") continue;
        const target = specifier.startsWith(".")
          ? posix.join(posix.dirname(file.path), specifier)
          : packages.get(specifier);
        if (target !== undefined && paths.has(target) && !targets.has(target)) targets.set(target, line);
      }
      return [file.path, targets];
    }),
  );
}

/** `@holdpoint/protocol/rules` → `packages/protocol/src/rules/index.ts`, as the packages' `exports` say. */
function packageEntries(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  return new Map(
    files
      .filter(({ path }) => /^packages\/[^/]+\/package\.json$/.test(path))
      .flatMap(({ path, text }) => {
        const { name, exports = {} } = JSON.parse(text) as PackageJson;
        return Object.entries(exports).flatMap(([entry, { "@holdpoint/source": source }]) =>
          source === undefined
            ? []
            : [[posix.join(name, entry), posix.join(posix.dirname(path), source)] as const],
        );
      }),
  );
}

interface PackageJson {
  readonly name: string;
  readonly exports?: Readonly<Record<string, { readonly "@holdpoint/source"?: string }>>;
}

/** From the file back to itself, breadth first; undefined when no way leads back. */
function shortestCycle(graph: Graph, start: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const target of graph.get(path)?.keys() ?? []) {
      if (target === start) return [...wayTo(path, cameFrom), start];
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, path);
      queue.push(target);
    }
  }
  return undefined;
}

function wayTo(path: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const previous = cameFrom.get(path);
  return previous === undefined ? [path] : [...wayTo(previous, cameFrom), path];
}
