import { expect, test } from "vitest";
import { byteLength } from "./limits.ts";
import { markdownFree } from "./markdown.ts";

test("the length of a text in bytes counts what UTF-8 needs", () => {
  expect(["", "a", "ä", "€", "🙂"].map(byteLength)).toEqual([0, 1, 2, 3, 4]);
});

test("no text can become markup, a mention or a disguised link", () => {
  expect(markdownFree("**[ok](https://evil.example)** <@1> `x`")).toBe(
    "\\*\\*\\[ok\\]\\(https://evil.example\\)\\*\\* \\<\\@1\\> \\`x\\`",
  );
});
