import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStrictJson } from "./strict-json.ts";

const LIMITS = { depthMax: 64, valuesMax: 1_000_000 };

describe("the strict JSON reader", () => {
  it("the strict JSON reader reads whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(value, null, 2);
        const hasOdd = /\\u0000|\\ud[89a-f]|__proto__/i.test(text);
        const read = readStrictJson(text, LIMITS);
        if (hasOdd) return;
        expect(read).toEqual({ kind: "ok", value: JSON.parse(text) });
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["a member twice", '{"a":1,"a":1}'],
    ["a member twice, once escaped", '{"a":1,"\\u0061":2}'],
    ["a member twice, inside", '[{"b":{"a":1, "c":2, "a" : 3}}]'],
    ["a name from the prototype", '{"__proto__":{}}'],
    ["the same, escaped and inside", '{"a":[{"\\u005f_proto__":1}]}'],
    ["NUL", '{"a":"\\u0000"}'],
    ["NUL in a name", '{"\\u0000":1}'],
    ["half a pair", '["\\ud83d"]'],
    ["the other half", '["\\ude00 x"]'],
    ["more than any number", "1e999"],
    ["less than any number", "[-1e999]"],
    ["an integer that would change", '{"account":12345678901234567890}'],
    ["nothing", ""],
    ["half a value", '{"a":'],
    ["two values", "1 2"],
    ["a comma too many", "[1,]"],
    ["a byte order mark", "\ufeff{}"],
  ])("the strict JSON reader refuses %s", (_what, text) => {
    expect(readStrictJson(text, LIMITS)).toMatchObject({ kind: "not_json" });
  });

  it.each([
    ['{"a":1,"b":{"a":1}}', "one name at two places"],
    ['[{"a":1},{"a":2}]', "one name in two objects"],
    ['{"a":"a","b":"a: \\"a\\": {"}', "text that looks like JSON"],
    ['"\\ud83d\\ude00"', "a whole pair"],
    ['{"constructor":1,"prototype":2,"toString":3}', "names that only look dangerous"],
    ["[9007199254740991,-9007199254740992,0.1,1e21,1.7976931348623157e308,5e-324]", "numbers that stay"],
    ["1000000000000000000000", "a large round number that stays"],
  ])("the strict JSON reader reads %s: %s", (text) => {
    expect(readStrictJson(text, LIMITS)).toEqual({ kind: "ok", value: JSON.parse(text) });
  });

  it("the strict JSON reader counts nesting levels without overflowing the stack at half a million of them", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(readStrictJson(nested(64), LIMITS).kind).toBe("ok");
    expect(readStrictJson(nested(65), LIMITS).kind).toBe("too_deep");
    expect(readStrictJson(nested(500_000), LIMITS).kind).toBe("too_deep");
  });

  const valuesMax = 10;
  it.each<[string, string]>([
    ["a list", "[0,0,0,0,0,0,0,0,0]"],
    ["empty lists", "[[],[],[],[],[],[],[],[],[]]"],
    ["an object", '{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0,"g":0,"h":0,"i":0}'],
    ["objects with members", '[{"a":[0]},{ "a" : [ 0 ] },{"a":[]},0]'],
    ["a text full of commas", String.raw`[",,,,,,,,,,,,","\\","\",[[[[[[[[",1,2,3,4,5,6]`],
  ])(
    "G13: the strict JSON reader with a limit of ten values reads ten and refuses eleven: %s",
    (_what, text) => {
      expect(readStrictJson(text, { depthMax: 64, valuesMax })).toEqual({
        kind: "ok",
        value: JSON.parse(text),
      });
      expect(readStrictJson(`[${text}]`, { depthMax: 64, valuesMax })).toEqual({ kind: "too_many" });
    },
  );

  it("G13: the strict JSON reader counts values before it parses, so that invalid text with too many values is refused for its count", () => {
    expect(readStrictJson("[0,0,0,0,0,0,0,0,0,0,0,", { depthMax: 64, valuesMax })).toEqual({
      kind: "too_many",
    });
    expect(readStrictJson(`["${"x".repeat(30)}`, { depthMax: 64, valuesMax }).kind).toBe("not_json");
    expect(readStrictJson(`["${"x".repeat(30)}\\`, { depthMax: 64, valuesMax }).kind).toBe("not_json");
  });

  it("G13: the strict JSON reader counts exactly as many values as JSON.parse makes", () => {
    const count = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value, null, 3) + " ".repeat(10_000);
        const values = count(JSON.parse(text));
        expect(readStrictJson(text, { depthMax: 64, valuesMax: values }).kind).not.toBe("too_many");
        expect(readStrictJson(text, { depthMax: 64, valuesMax: values - 1 }).kind).toBe("too_many");
      }),
    );
  });
});
