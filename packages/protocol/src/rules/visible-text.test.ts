import { expect, test } from "vitest";
import { textInInput, visibleText } from "./visible-text.ts";

test("invisible characters are shown as their code points", () => {
  expect(visibleText("pay\u202Etxt.exe\u200B")).toBe("pay⟦U+202E⟧txt.exe⟦U+200B⟧");
  expect(visibleText("a\u{E0100}\u3164\u2028")).toBe("a⟦U+E0100⟧⟦U+3164⟧⟦U+2028⟧");
  expect(visibleText("❤\uFE0F")).toBe("❤\uFE0F");
  expect(visibleText("plain\ntext\t👩‍👧")).toBe("plain\ntext\t👩‍👧");
});

test.each([
  ["a carriage return that ends no line", "safe\rrm -rf", "safe⟦U+000D⟧rm -rf"],
  ["a joiner between Latin letters", "rm\u200d-rf a\u200cb", "rm⟦U+200D⟧-rf a⟦U+200C⟧b"],
  ["a joiner at the end of a word", "नमस्ते\u200d", "नमस्ते⟦U+200D⟧"],
  ["two joiners in a row", "می\u200c\u200cخواهم", "می⟦U+200C⟧⟦U+200C⟧خواهم"],
  ["a selector after a letter", "a\ufe0fb", "a⟦U+FE0F⟧b"],
  ["a selector after a digit that is no key", "1\ufe0f2", "1⟦U+FE0F⟧2"],
])("%s is shown as its code point", (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each([
  ["Windows line ends", "one\r\ntwo"],
  ["Persian", "می\u200cخواهم"],
  ["Sinhala", "ශ්\u200dරී"],
  ["families and professions", "👩🏽\u200d🚀 👩\u200d❤\ufe0f\u200d👨 🏳\ufe0f\u200d🌈"],
  ["keys", "1\ufe0f\u20e3"],
])("%s are left as they are", (_what, text) => {
  expect(visibleText(text)).toBe(text);
});

test("an input shows a text without unseen characters, and in one line without line ends", () => {
  const text = "Ada\u202e\u200b\r\nand\nMallory";
  expect(textInInput(text, false)).toBe("AdaandMallory");
  expect(textInInput(text, true)).toBe("Ada\r\nand\nMallory");
  expect(textInInput("می\u200cخواهم", false)).toBe("می\u200cخواهم");
});
