import { expect, test } from "vitest";
import { readInline, readMarkdown } from "./markdown.ts";

const LONG = 200_000;

test.each([
  ["a fence that ends in another mark", `\`\`\`${" ".repeat(LONG)}!`],
  ["the rule of a table", `a|b\n${" ".repeat(LONG)}|${" ".repeat(LONG)}x`],
  ["an item before a line separator", `-${" ".repeat(LONG)}x\u2028y`],
  ["a heading before a line separator", `#${" ".repeat(LONG)}x\u2028y`],
  ["a thematic break", `${"-".repeat(LONG)}${" ".repeat(LONG)}x`],
  ["brackets that nothing closes", "[".repeat(LONG)],
  ["links that nothing closes", "[a](b".repeat(LONG / 5)],
  ["stars", "*a".repeat(LONG / 2)],
])("Markdown with %s takes time in proportion to its length (G13)", (_what, source) => {
  // A reader that goes back over the text again and again would need minutes.
  expect(readMarkdown(source).length).toBeGreaterThan(0);
});

test("a fence may have spaces around its marks and its language, and only a word is a language", () => {
  expect(readMarkdown("  ```  ts  \nx\n ``` \ny")).toEqual([
    { kind: "code", language: "ts", text: "x" },
    { kind: "paragraph", parts: [{ kind: "text", text: "y" }] },
  ]);
  expect(readMarkdown("``` not a language !")[0]?.kind).toBe("paragraph");
});

test("a table's rule may be without outer bars, and every cell of it is a line of dashes", () => {
  expect(readMarkdown("a | b\n:-- | --:\n1 | 2")[0]).toMatchObject({ kind: "table" });
  expect(readMarkdown("a | b\n--- | x\n1 | 2")[0]?.kind).toBe("paragraph");
});

test("the label of a link begins at the last bracket before it", () => {
  expect(readInline("[see [here](https://e.com)")).toEqual([
    { kind: "text", text: "[see " },
    { kind: "link", href: "https://e.com", text: "here" },
  ]);
});
