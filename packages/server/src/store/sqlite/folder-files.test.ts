import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFiles } from "../file.suite.ts";
import { gathered } from "../file-port.ts";
import { memoryFiles } from "../memory/memory-files.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { copyFiles, filesFolderOf, folderFiles } from "./folder-files.ts";

testFiles("memory", async () => {
  const files = memoryFiles();
  return { files, reopen: async () => files, [Symbol.asyncDispose]: async () => files.close() };
});

testFiles("a folder", async () => {
  const folder = await temporaryFolder();
  const path = filesFolderOf(join(folder.path, "holdpoint.db"));
  const files = folderFiles(path);
  return {
    files,
    reopen: async () => folderFiles(path),
    [Symbol.asyncDispose]: async () => {
      await files.close();
      await folder[Symbol.asyncDispose]();
    },
  };
});

test("a partly written file is listed and can be removed, but is never copied", async () => {
  await using folder = await temporaryFolder();
  const from = join(folder.path, "a.files");
  const to = join(folder.path, "b.files");
  expect(await copyFiles(from, to)).toBe(0);
  await mkdir(from);
  await writeFile(join(from, "file_1.unfinished"), "half");
  await writeFile(join(from, "file_2"), "whole");
  const files = folderFiles(from);
  expect(await copyFiles(from, to)).toBe(1);
  expect(await readFile(join(to, "file_2"), "utf8")).toBe("whole");
  expect(await gathered(files.list())).toHaveLength(2);
  await files.remove(["file_1"]);
  expect(readdirSync(from)).toEqual(["file_2"]);
});
