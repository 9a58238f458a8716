/** The source tree against its own rules, which stand as data in `tidy/rules.ts`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, except, format } from "./tidy/check.ts";
import { cycles } from "./tidy/cycles.ts";
import { doubleCasts } from "./tidy/double-casts.ts";
import { read } from "./tidy/source.ts";
import { ROOT, sourceTree } from "./tidy/tree.ts";

function readJson(path: string): Record<string, Record<string, unknown>> {
  return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
}

const files = sourceTree().map((file) => ({ ...file, reading: read(file) }));
const findings = [
  ...files.flatMap((file) => check(file, file.reading)),
  ...cycles(files),
  ...doubleCasts(files),
];
const { left, stale } = except(findings);

test("every file keeps to the rules", () => {
  expect(`\n${left.map(format).join("\n")}`, "what to change").toBe("\n");
});

test("every exception is still needed", () => {
  expect(stale).toEqual([]);
});

test("every script prepares the clone first", () => {
  const scripts = readJson("package.json")["scripts"] ?? {};
  const names = Object.keys(scripts).filter((name) => !name.startsWith("pre"));
  expect(names.filter((name) => scripts[`pre${name}`] !== "node tools/prepare.mjs")).toEqual([]);
});

test("the lockfile names every prebuilt binary, so that `npm ci` accepts it and other platforms get theirs", () => {
  const packages = readJson("package-lock.json")["packages"] ?? {};
  const missing = Object.entries(packages).flatMap(([path, locked]) => {
    const optional = Object.keys((locked as { optionalDependencies?: object }).optionalDependencies ?? {});
    return optional.filter(
      (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
    );
  });
  expect(missing).toEqual([]);
});
