/** What a page gets: small, nothing of Node, no schema library. */

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { describe, expect, it } from "vitest";

async function bundled(): Promise<Rolldown.OutputChunk[]> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    root: fileURLToPath(new URL("..", import.meta.url)),
    resolve: { conditions: ["@holdpoint/source", "browser", "import"] },
    build: {
      write: false,
      target: "es2022",
      lib: { entry: fileURLToPath(new URL("index.ts", import.meta.url)), formats: ["es"] },
      // As a page gets it; a library's own build leaves the blanks in.
      rolldownOptions: { output: { minify: true } },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as Rolldown.RolldownOutput[];
  return outputs.flatMap(({ output }) => output).filter((file) => file.type === "chunk");
}

/** The code of the entry and of what it imports at once; Node's search for a credentials file is a chunk that pages never load. */
function loadedFirst(chunks: readonly Rolldown.OutputChunk[]): string {
  const names = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  for (const name of names) for (const next of named(chunks, name)?.imports ?? []) names.add(next);
  return [...names].map((name) => named(chunks, name)?.code ?? "").join("");
}

function named(chunks: readonly Rolldown.OutputChunk[], name: string): Rolldown.OutputChunk | undefined {
  return chunks.find((chunk) => chunk.fileName === name);
}

describe("the bundle for browsers", () => {
  it("has no schema library, nothing of Node at load, and stays small", async () => {
    const chunks = await bundled();
    const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
    expect(modules.filter((path) => path.includes("zod") || path.includes("/wire/"))).toEqual([]);
    expect(chunks.flatMap((chunk) => chunk.imports.filter((name) => name.startsWith("node:")))).toEqual([]);
    expect(gzipSync(loadedFirst(chunks)).length).toBeLessThan(12_500);
  });

  it("keeps the search for files out of what a page loads first", async () => {
    const [entry] = (await bundled()).filter((chunk) => chunk.isEntry);
    expect(Object.keys(entry?.modules ?? {}).some((path) => path.includes("credentials-file"))).toBe(false);
  });
});
