import { readFile } from "node:fs/promises";
import { CODES, docsUrl } from "@holdpoint/protocol";
import { expect, it } from "vitest";
import { generatedDocs } from "./generate-docs/files.ts";

const files = await generatedDocs();

it.each(Object.keys(files))("the file %s is what `npm run docs` writes", async (path) => {
  const kept = await readFile(new URL(`../${path}`, import.meta.url), "utf8");
  expect(kept, "run `npm run docs`").toBe(files[path]);
});

it.each(CODES)("the error code %s has the anchor that its address names", (code) => {
  const anchor = docsUrl(code).split("#")[1];
  expect(files["docs/reference/errors.md"]).toContain(`<a id="${anchor}"></a>`);
});

it("every refusal of the reference links to an anchor that exists", () => {
  const api = files["docs/reference/api.md"] ?? "";
  const errors = files["docs/reference/errors.md"] ?? "";
  const linked = new Set([...api.matchAll(/errors\.md#([\w-]+)/g)].map(([, anchor]) => anchor));
  expect([...linked].filter((anchor) => !errors.includes(`<a id="${anchor}"></a>`))).toEqual([]);
});
