import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalProposalJson } from "./canonical.ts";
import { hashCanonicalProposal } from "./hash.ts";

/** JSON values as a model's text can carry them, with the keys that have fooled canonicalisers before. */
const key = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.nat().map(String),
  fc.constantFrom("__proto__", "constructor", "toJSON", "", "01", "4294967294", "4294967295", "é", "e\u0301"),
);
const { json } = fc.letrec<{ json: unknown; list: unknown[]; record: object }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: "binary" }),
    tie("list"),
    tie("record"),
  ),
  list: fc.array(tie("json"), { maxLength: 4 }),
  record: fc
    .uniqueArray(fc.tuple(key, tie("json")), { maxLength: 5, selector: ([name]) => name })
    .map((members) =>
      JSON.parse(`{${members.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)}}`),
    ),
}));

/** The same content with every object's members written in another order. */
function reordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(reordered)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value).map(
    (name) => `${JSON.stringify(name)}:${reordered(Reflect.get(value, name))}`,
  );
  return `{ ${members.reverse().join(" , ")} }`;
}

/** Whether two values would be told apart by any reader; object keys compared as sets, `-0` as `0`. */
function sameContent(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameContent(Reflect.get(a, name), Reflect.get(b, name)))
  );
}

describe("canonical text of what JSON can carry", () => {
  test.each([
    ["key order", { b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
    ["integer-like keys", JSON.parse('{"b":1,"10":2,"9":3,"01":4}'), '{"9":3,"10":2,"01":4,"b":1}'],
    [
      "the largest array index and its neighbour",
      { "4294967295": 1, "4294967294": 2, a: 3 },
      '{"4294967294":2,"4294967295":1,"a":3}',
    ],
    ["arrays and nesting", [[3, [2, 1]], { b: [{ z: 1, y: 2 }] }], '[[3,[2,1]],{"b":[{"y":2,"z":1}]}]'],
    ["1.0", JSON.parse("1.0"), "1"],
    ["1e21", 1e21, "1e+21"],
    ["1e-7", 1e-7, "1e-7"],
    ["1e16", 1e16, "10000000000000000"],
    ["0.1+0.2", 0.1 + 0.2, "0.30000000000000004"],
    ["-0", -0, "0"],
    ["null", { a: null }, '{"a":null}'],
    ["control characters", '\u0000\u001f\u007f\u2028/"\\', '"\\u0000\\u001f\u007f\u2028/\\"\\\\"'],
    ["a lone surrogate", "\ud800", '"\\ud800"'],
    ["own __proto__", JSON.parse('{"__proto__":{"x":1},"a":1}'), '{"__proto__":{"x":1},"a":1}'],
    ["empty containers", [{}, []], "[{},[]]"],
  ])("AI-032 the canonical text is as specified for %s", (_name, value, text) => {
    expect(canonicalProposalJson(value)).toBe(text);
  });

  test("AI-032 unicode keys are ordered by code units, and values are never folded", () => {
    const keys = ["\ufffd", "😀", "é", "z", "e\u0301"];
    const text = canonicalProposalJson(Object.fromEntries(keys.map((name) => [name, 0])));
    expect(Object.keys(JSON.parse(text))).toEqual(["e\u0301", "z", "é", "😀", "\ufffd"]);
    expect(hashCanonicalProposal("é")).not.toBe(hashCanonicalProposal("e\u0301"));
  });

  test("E-01 arguments that differ only under __proto__ have different texts at every depth", () => {
    const texts = [
      '{"a":1}',
      '{"__proto__":{"x":1},"a":1}',
      '{"__proto__":{"x":2},"a":1}',
      '{"__proto__":null,"a":1}',
    ];
    for (const wrap of [(text: string) => text, (text: string) => `{"deep":[${text}]}`]) {
      const hashes = texts.map((text) => hashCanonicalProposal(JSON.parse(wrap(text))));
      expect(new Set(hashes).size).toBe(texts.length);
    }
  });

  test("E-02 keys keep the order in which an engine lists them, for any JSON object", () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.nat(), { noNullPrototype: true }), (record) => {
        const engine: Record<string, unknown> = {};
        for (const name of Object.keys(record).sort()) {
          Object.defineProperty(engine, name, { value: record[name], enumerable: true });
        }
        expect(canonicalProposalJson(record)).toBe(JSON.stringify(engine));
      }),
    );
  });

  test("AI-032 key order, white space and number spelling never change the text", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalProposalJson(JSON.parse(reordered(value)))).toBe(canonicalProposalJson(value));
      }),
    );
  });

  test("AI-032 the text is JSON of the same content, so different content cannot share it", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(sameContent(JSON.parse(canonicalProposalJson(value)), value)).toBe(true);
      }),
    );
  });
});

describe("canonical text of deep values", () => {
  test("finding 15: nesting of 100,000 levels is written without running out of stack, and every level counts", () => {
    const nested = (levels: number, inside: unknown) => {
      let value = inside;
      for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
      return value;
    };
    const text = canonicalProposalJson(nested(2_000, 1));
    expect(text).toHaveLength(1_000 * '{"a":[]}'.length + 1);
    expect(hashCanonicalProposal(nested(100_000, 1))).not.toBe(hashCanonicalProposal(nested(100_000, 2)));
    expect(hashCanonicalProposal(nested(2_000, 1))).not.toBe(hashCanonicalProposal(nested(2_002, 1)));
  });
});

describe("canonical text of what JSON cannot carry", () => {
  test.each([
    ["undefined at the root", undefined, '"[undefined]"'],
    ["undefined as a member", { a: undefined }, '{"a":"[undefined]"}'],
    ["undefined as an item", [undefined], '["[undefined]"]'],
    ["an array hole", Object.assign(new Array(2), { 1: 1 }), "[null,1]"],
    ["NaN and Infinity", [Number.NaN, Number.POSITIVE_INFINITY], "[null,null]"],
    ["bigint", 10n, '"[bigint:10]"'],
    ["symbol", Symbol("x"), '"[symbol:Symbol(x)]"'],
    ["function", () => 1, '"[function]"'],
    ["Date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["RegExp", /a/g, '"/a/g"'],
    ["Error", new Error("lost"), "{}"],
    ["bytes", new Uint8Array([7, 8]), '{"0":7,"1":8}'],
    ["an object with toJSON", { toJSON: () => 1, a: 1 }, '{"a":1,"toJSON":"[function]"}'],
  ])("AI-020 the canonical text is as specified for %s", (_name, value, text) => {
    expect(canonicalProposalJson(value)).toBe(text);
  });

  test("E-03 sets and maps are ordered by code units of their text", () => {
    expect(canonicalProposalJson(new Set([3, 1, 2, 10]))).toBe("[1,10,2,3]");
    expect(canonicalProposalJson(new Set(["a", "B", "ä"]))).toBe('["B","a","ä"]');
    expect(
      canonicalProposalJson(
        new Map([
          ["b", 1],
          ["a", 2],
        ]),
      ),
    ).toBe('[["a",2],["b",1]]');
    const tied = [
      ["[bigint:1]", 2],
      [1n, 1],
    ] as const;
    expect(canonicalProposalJson(new Map<unknown, number>(tied))).toBe(
      canonicalProposalJson(new Map<unknown, number>([...tied].reverse())),
    );
  });

  test("E-03 cycles through objects, arrays, sets and maps end, and shared values are written twice", () => {
    const object: Record<string, unknown> = {};
    object["self"] = object;
    const array: unknown[] = [];
    array.push(array);
    const set = new Set<unknown>();
    set.add(set);
    const map = new Map<unknown, unknown>();
    map.set("self", map);
    expect(canonicalProposalJson(object)).toBe('{"self":"[circular]"}');
    expect(canonicalProposalJson(array)).toBe('["[circular]"]');
    expect(canonicalProposalJson(set)).toBe('["[circular]"]');
    expect(canonicalProposalJson(map)).toBe('[["self","[circular]"]]');
    const shared = { a: 1 };
    expect(canonicalProposalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  test("E-03 an invalid date has a text instead of an exception", () => {
    expect(canonicalProposalJson(new Date(Number.NaN))).toBe('"[invalid-date]"');
  });
});
