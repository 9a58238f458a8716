import { expect, test } from "vitest";
import { exactText } from "./exact-text.ts";

test.each(["5", "-1.5", "1e+21", "null", "true", "false", "empty text", "empty list", "empty object", '"5"'])(
  "G15 the text %s is quoted, because another value reads like it",
  (text) => {
    expect(exactText(text)).toBe(JSON.stringify(text));
  },
);

test.each(["", "No", "5 apples", "nullable", "[1]", "a\n5"])("the text %j stays as it is", (text) => {
  expect(exactText(text)).toBe(text);
});
