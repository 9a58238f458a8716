/** Every example stands alone: its package.json names everything that its code imports, and how to start it. */

import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { VERSION } from "../packages/server/src/version.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const examples = globSync("examples/*/", { cwd: ROOT }).map((path) => path.replace(/\/$/, ""));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

describe.each(examples)("%s", (folder) => {
  const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest;

  test("names what it imports, and nothing of ours that it does not use", () => {
    const files = globSync("**/*.{ts,tsx,mjs}", { cwd: join(ROOT, folder), exclude: ["node_modules/**"] });
    const code = files.map((file) => read(`${folder}/${file}`)).join("\n");
    const imported = [...code.matchAll(/(?:from|import) "([^".][^"]*)"/g)].map(([, name = ""]) =>
      packageOf(name),
    );
    const needed = new Set(imported.filter((name) => !isBuiltin(name)));
    const named = Object.keys(manifest.dependencies);
    expect([...needed].filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => name.startsWith("@holdpoint/") && !needed.has(name))).toEqual([]);
  });

  test("is private, starts with `npm start`, and takes our packages of this version", () => {
    expect(manifest).toMatchObject({
      ...{ name: folder.replace("examples/", ""), private: true, type: "module", engines: { node: ">=24" } },
      scripts: { start: expect.stringContaining("node ") },
    });
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    const ours = all.filter(([name]) => name === "holdpoint" || name.startsWith("@holdpoint/"));
    expect(ours.filter(([, version]) => version !== VERSION)).toEqual([]);
  });

  test("has a README that says how to run it alone", () => {
    expect(read(`${folder}/README.md`)).toMatch(/`?npm i`?\b[\s\S]*npm start/);
  });
});

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
