import { describe, expect, test } from "vitest";
import { initialValue, optionTexts, schemaNode } from "./schema-form.ts";

const begin = (properties: object, more: object = {}) =>
  initialValue(schemaNode({ type: "object", properties, ...more } as never));

describe("the defaults of a JSON Schema", () => {
  test("of members without an input are not sent as the person's answer", () => {
    const shown = { amount: { type: "number" } };
    expect(begin(shown, { default: { amount: 1, approved: true } })).toEqual({ amount: 1 });
    expect(begin({ inner: { type: "object", properties: shown, default: { approved: true } } })).toEqual({
      inner: {},
    });
  });

  test("that an input cannot show are not sent", () => {
    const wrong = {
      text: { type: "string", default: { hidden: true } },
      number: { type: "number", default: "12" },
      yes: { type: "boolean", default: "true" },
      secret: { type: "string", writeOnly: true, default: "dots" },
      day: { type: "string", format: "date", default: "someday" },
      site: { type: "string", format: "url", default: "https://a.example\nhttps://b.example" },
      one: { enum: ["a", "b"], default: "c" },
      some: { type: "array", items: { enum: ["a", "b"] }, default: ["a", "c"] },
      file: { "x-file-upload": true, default: { file_id: "f" } },
    };
    expect(begin(wrong)).toEqual({ some: ["a"] });
  });

  test("with characters that no input shows are not sent (G12)", () => {
    const unseen = {
      text: { type: "string", default: "Ada\u202e\u200bx" },
      lines: { type: "string", default: "one\ntwo\u200b" },
      site: { type: "string", format: "url", default: "https://a.example/\u200b" },
    };
    expect(begin(unseen)).toEqual({});
  });

  test("that an input shows are the beginning of the answer", () => {
    const right = {
      text: { type: "string", default: "x" },
      lines: { type: "string", default: "one\ntwo" },
      day: { type: "string", format: "date", default: "2026-03-01" },
      one: { enum: [{ a: 1 }, null], default: { a: 1 } },
      json: { default: [1] },
    };
    expect(begin(right)).toEqual({
      text: "x",
      lines: "one\ntwo",
      day: "2026-03-01",
      one: { a: 1 },
      json: [1],
    });
  });
});

test("options that are no texts are written as JSON, and options that would read alike are told apart", () => {
  expect(optionTexts(["a", 1, { b: 2 }, null])).toEqual(["a", "1", '{"b":2}', "null"]);
  expect(optionTexts(["1", 1])).toEqual(['"1"', "1"]);
});
