import { expect, test } from "vitest";
import { format } from "./check.ts";
import { cycles } from "./cycles.ts";
import { read } from "./source.ts";

/** Path → text, as a tree of its own. */
function found(tree: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries(tree).map(([path, text]) => ({ path, text, reading: read({ path, text }) }));
  return cycles(files).map(format);
}

const USE = "use `import type` or a third file that both import instead";

test("two files that import each other are a cycle, reported at the line of each import", () => {
  const tree = {
    "tools/a.ts": `const one = 1;\nimport { b } from "./b.ts";`,
    "tools/b.ts": `import { a } from "./a.ts";`,
  };
  expect(found(tree)).toEqual([
    `tools/a.ts:2: value-import cycle tools/a.ts → tools/b.ts → tools/a.ts: ${USE}`,
    `tools/b.ts:1: value-import cycle tools/b.ts → tools/a.ts → tools/b.ts: ${USE}`,
  ]);
});

test("a file that imports itself is a cycle", () => {
  expect(found({ "tools/a.ts": `import "./a.ts";` })).toEqual([
    `tools/a.ts:1: value-import cycle tools/a.ts → tools/a.ts: ${USE}`,
  ]);
});

test("each file of a long cycle is reported with its shortest cycle, and a file that only leads there is not", () => {
  const tree = {
    "tools/before.ts": `import "./a.ts";`,
    "tools/a.ts": `import "./b.ts";`,
    "tools/b.ts": `import "./c.ts"; import "./a.ts";`,
    "tools/c.ts": `import "./a.ts"; import "./after.ts";`,
    "tools/after.ts": "",
  };
  expect(found(tree)).toEqual([
    `tools/a.ts:1: value-import cycle tools/a.ts → tools/b.ts → tools/a.ts: ${USE}`,
    `tools/b.ts:1: value-import cycle tools/b.ts → tools/a.ts → tools/b.ts: ${USE}`,
    `tools/c.ts:1: value-import cycle tools/c.ts → tools/a.ts → tools/b.ts → tools/c.ts: ${USE}`,
  ]);
});

test.for([
  ["import", `import { a } from "./a.ts";`],
  ["import for its effect", `import "./a.ts";`],
  ["import of a namespace", `import * as a from "./a.ts";`],
  ["import of a value beside a type", `import { type A, a } from "./a.ts";`],
  ["export … from", `export { a } from "./a.ts";`],
  ["export * from", `export * from "./a.ts";`],
])("%s closes a cycle", ([, text]) => {
  expect(found({ "tools/a.ts": `import "./b.ts";`, "tools/b.ts": text ?? "" })).toHaveLength(2);
});

test.for([
  ["import type", `import type { A } from "./a.ts";`],
  ["import of types only", `import { type A, type B } from "./a.ts";`],
  ["export type … from", `export type { A } from "./a.ts";`],
  ["export type * from", `export type * from "./a.ts";`],
  ["a type from import()", `type A = import("./a.ts").A;`],
  ["await import()", `const a = await import("./a.ts");`],
])("%s closes no cycle", ([, text]) => {
  expect(found({ "tools/a.ts": `import "./b.ts";`, "tools/b.ts": text ?? "" })).toEqual([]);
});

test("packages that import each other by their names are a cycle", () => {
  const manifest = (name: string) =>
    JSON.stringify({ name, exports: { "./part": { "@holdpoint/source": "./src/part.ts" } } });
  const tree = {
    "packages/a/package.json": manifest("@holdpoint/a"),
    "packages/b/package.json": manifest("@holdpoint/b"),
    "packages/a/src/part.ts": `import { b } from "@holdpoint/b/part";`,
    "packages/b/src/part.ts": `export { a } from "@holdpoint/a/part";`,
  };
  expect(found(tree)).toHaveLength(2);
});

test("imports of packages from the registry and of files that do not exist close no cycle", () => {
  expect(found({ "tools/a.ts": `import "vite"; import "node:fs"; import "./gone.ts";` })).toEqual([]);
});
