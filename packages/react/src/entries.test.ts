/** The entries that use hooks begin with "use client", so that server components may import them. */

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const read = (entry: string) => readFileSync(fileURLToPath(new URL(entry, import.meta.url)), "utf8");
const withoutComments = (code: string) => code.replaceAll(/\/\*[\s\S]*?\*\//g, "").trim();

test.each(["./index.ts", "./agui/index.ts"])('"use client" is the first statement of %s', (entry) => {
  expect(withoutComments(stripTypeScriptTypes(read(entry)))).toMatch(/^"use client";/);
});

test("the headless entry has no hooks and can be used on a server", () => {
  expect(read("./headless/index.ts")).not.toContain("use client");
});
