import { expect, test } from "vitest";
import { clean, jsonText } from "./clean.ts";

test("G15 text for a terminal drives nothing and hides nothing", () => {
  expect(clean("a\u001b[2Jb\u009bc\rd\u202e\u200b\u00ad\u{e0041}\n\te")).toBe(
    "a⟦U+001B⟧[2Jb⟦U+009B⟧c⟦U+000D⟧d⟦U+202E⟧⟦U+200B⟧⟦U+00AD⟧⟦U+E0041⟧\n\te",
  );
});

test("G15 JSON for a terminal has the same characters as escapes", () => {
  const value = { a: "x\u001b\u007f\u202e\u200b\u00ad\u{e0041}" };
  const json = jsonText(value);
  expect(json).toBe('{"a":"x\\u001b\\u007f\\u202e\\u200b\\u00ad\\udb40\\udc41"}');
  expect(JSON.parse(json)).toEqual(value);
});
