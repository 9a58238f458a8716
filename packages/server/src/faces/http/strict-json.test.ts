import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStrictJson } from "./strict-json.ts";

describe("strict JSON", () => {
  it("reads whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(value, null, 2);
        const hasOdd = /\\u0000|\\ud[89a-f]|__proto__/i.test(text);
        const read = readStrictJson(text, 64);
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
  ])("refuses %s", (_what, text) => {
    expect(readStrictJson(text, 64)).toMatchObject({ kind: "not_json" });
  });

  it.each([
    ['{"a":1,"b":{"a":1}}', "one name at two places"],
    ['[{"a":1},{"a":2}]', "one name in two objects"],
    ['{"a":"a","b":"a: \\"a\\": {"}', "text that looks like JSON"],
    ['"\\ud83d\\ude00"', "a whole pair"],
    ['{"constructor":1,"prototype":2,"toString":3}', "names that only look dangerous"],
    ["[9007199254740991,-9007199254740992,0.1,1e21,1.7976931348623157e308,5e-324]", "numbers that stay"],
    ["1000000000000000000000", "a large round number that stays"],
  ])("reads %s: %s", (text) => {
    expect(readStrictJson(text, 64)).toEqual({ kind: "ok", value: JSON.parse(text) });
  });

  it("counts levels, and does not fall over half a million of them", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(readStrictJson(nested(64), 64).kind).toBe("ok");
    expect(readStrictJson(nested(65), 64).kind).toBe("too_deep");
    expect(readStrictJson(nested(500_000), 64).kind).toBe("too_deep");
  });
});
