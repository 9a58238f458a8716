import { expect, test } from "vitest";
import { escapeUnseen } from "./escape-unseen.ts";

test("G15 JSON with escaped unseen characters shows them and is the same value", () => {
  const value = { a: "x\u202ey\u{E0100}\u200b", b: "👩🏽\u200d🚀" };
  const json = escapeUnseen(JSON.stringify(value));
  expect(json).toBe('{"a":"x\\u202ey\\udb40\\udd00\\u200b","b":"👩🏽\u200d🚀"}');
  expect(JSON.parse(json)).toEqual(value);
});
