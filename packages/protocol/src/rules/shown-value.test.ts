import { expect, test } from "vitest";
import { FILE_UPLOAD } from "./file-ref.ts";
import { asShown } from "./shown-value.ts";

const FILE = { file_id: "f1", name: "a.txt", sha256: "0".repeat(64) };

test.each([
  ["boolean", true],
  ["number", 1.5],
  ["range", 3],
  ["select", "a"],
  ["multiselect", ["a"]],
  ["date", "2026-03-01"],
  ["text", "Ada"],
  ["email", "ada@example.com"],
  ["textarea", "one\ntwo"],
  ["x-color", "#fff"],
  ["x-weight", 3],
] as const)("the input of a %s field shows its value whole", (type, value) => {
  expect(asShown({ type }, value)).toBe(value);
});

test.each([{ hidden: true }, [1], true])("G12 the input of a type of others shows nothing of %j", (value) => {
  expect(asShown({ type: "x-color" }, value)).toBeUndefined();
});

test("G12 an input for text shows it without unseen characters, and only a textarea shows line ends", () => {
  const text = "Ada\nand\u202e\u200b Mallory";
  for (const type of ["text", "email", "url", "x-name"] as const)
    expect(asShown({ type }, text)).toBe("Adaand Mallory");
  expect(asShown({ type: "textarea" }, text)).toBe("Ada\nand Mallory");
});

test("an input for files shows a file that was sent", () => {
  expect(asShown({ type: FILE_UPLOAD }, FILE)).toBe(FILE);
});
