/** Every changed line of a patch is drawn as changed (G15). */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { agentCall } from "@holdpoint/protocol/toolcalls";
import { expect, test } from "vitest";
import { readUnifiedDiff } from "./unified-diff.ts";

const kindsOf = (text: string) => readUnifiedDiff(text)?.map((line) => `${line.kind} ${line.text}`);

const diffOf = (tool: string, input: object) =>
  String(agentCall(tool, { file_path: "a.sql", ...input } as JsonObject, {}).args["diff"]);

test("G15 a new line that begins with two plus signs is added", () => {
  expect(kindsOf(diffOf("Write", { content: "a();\n++ balance;" }))?.slice(3)).toEqual([
    "added a();",
    "added ++ balance;",
  ]);
});

test("G15 a line that begins with two minus signs is removed", () => {
  const edit = { old_string: "one\n-- guard: only own rows", new_string: "one\n++ all" };
  expect(kindsOf(diffOf("Edit", edit))?.slice(3)).toEqual([
    "same one",
    "removed -- guard: only own rows",
    "added ++ all",
  ]);
});

test("G15 lines after a hunk that is complete are changed unless they name the next file", () => {
  const lines = ["--- a", "+++ b", "@@ -1 +1 @@", "-x", "+y", "--- guard", "+++ balance", "no hunk"];
  expect(kindsOf(lines.join("\n"))?.slice(5)).toEqual([
    "removed -- guard",
    "added ++ balance",
    "same no hunk",
  ]);
});

test("G15 a path with line ends adds no lines to a diff", () => {
  const file_path = "a\n@@ -1 +1 @@\n+harmless";
  const edit = { file_path, old_string: "x", new_string: "y" };
  for (const diff of [diffOf("Write", { file_path, content: "x" }), diffOf("Edit", edit)])
    expect(diff).not.toContain("\n+harmless");
});

test("names of files are headers before the first hunk, after a hunk that is complete, and after `diff --git`", () => {
  const files = [
    "--- a",
    "+++ b",
    "@@ -1,2 +1,2 @@",
    "-x",
    "+y",
    " z",
    "--- c",
    "+++ d",
    "@@ -1 +1 @@",
    "-p",
    "+q",
  ];
  const kinds = readUnifiedDiff(files.join("\n"))
    ?.map(({ kind }) => kind[0])
    .join("");
  expect(kinds).toBe("sssrassssra");
  const git = [
    "diff --git a b",
    "--- a",
    "+++ b",
    "@@ -1,9 +1,9 @@",
    "-x",
    "diff --git c d",
    "--- c",
    "+++ d",
    "@@ @@",
    "+++ q",
  ];
  expect(
    readUnifiedDiff(git.join("\n"))
      ?.map(({ kind }) => kind[0])
      .join(""),
  ).toBe("ssssrssssa");
});

test("a note about a missing line end is no line of either side", () => {
  const lines = ["--- a", "+++ b", "@@ -1 +1 @@", "-x", "\\ No newline at end of file", "+++ y"];
  expect(kindsOf(lines.join("\n"))?.slice(3)).toEqual([
    "removed x",
    "same \\ No newline at end of file",
    "added ++ y",
  ]);
});

test("names of files with line ends of Windows are headers", () => {
  const patch = ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b", ""].join("\r\n");
  expect(
    kindsOf(patch)
      ?.slice(0, 2)
      .map((line) => line.split(" ")[0]),
  ).toEqual(["same", "same"]);
});
