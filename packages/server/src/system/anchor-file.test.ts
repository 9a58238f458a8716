import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anchorFile } from "./anchor-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-anchor-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the anchor file returns what was written last and is readable by its owner only", async () => {
  const anchor = anchorFile(join(folder, "last.json"));
  expect(anchor.read()).toBeUndefined();
  await anchor.write({ id: "cp_1", hash: "sha256:a" });
  await anchor.write({ id: "cp_2", hash: "sha256:b" });
  expect(anchor.read()).toEqual({ id: "cp_2", hash: "sha256:b" });
  expect(statSync(anchor.place).mode & 0o777).toBe(0o600);
});

test("G13 writing the anchor file lets other work continue meanwhile", async () => {
  const anchor = anchorFile(join(folder, "last.json"));
  const writing = anchor.write({ id: "cp_1", hash: "sha256:a" });
  expect(anchor.read()).toBeUndefined();
  await writing;
  expect(anchor.read()).toEqual({ id: "cp_1", hash: "sha256:a" });
});

test.each(["{", "[]", "null", '{"id":1}'])(
  "a damaged anchor file (%s) is an error and not an absent one",
  (text) => {
    const anchor = anchorFile(join(folder, "last.json"));
    writeFileSync(anchor.place, text);
    expect(() => anchor.read()).toThrow("is damaged");
  },
);
