import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, type Pattern, unrolledSize } from "./pattern.ts";

// A fixed seed: the same cases in every run.
fc.configureGlobal({ seed: 7 });

function pattern(source: string): Pattern {
  const compiled = compilePattern(source);
  if (typeof compiled === "string") throw new Error(compiled);
  return compiled;
}

/** Measures processor time, because the machine may be busy. The limit is generous: it only detects a hang. */
function inTime<T>(work: () => T): T {
  const started = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(started);
  expect(user + system).toBeLessThan(2_000_000);
  return result;
}

test.each([
  ["[a-z]{3}|no", "abc", true],
  ["[a-z]{3}|no", "no", true],
  ["[a-z]{3}|no", "abcd", false],
  ["a|ab", "ab", true],
  ["a*?", "aaa", true],
  ["^abc$", "abc", true],
  ["(?m)^a$", "b\na", false],
  ["a$", "a\n", false],
  ["", "", true],
  ["", "a", false],
  [".", "🙂", true],
  ["\\u0041\\cA", "A\u0001", true],
  ["\\u{1F642}", "🙂", true],
  ["(?<year>\\d{4})", "2026", true],
  ["\\p{Lu}\\p{Ll}+", "Ärger", true],
  ["a/b", "a/b", true],
])("HP-071 the pattern %j matches the whole of %j: %s", (source, text, matches) => {
  expect(pattern(source).whole(text)).toBe(matches);
});

test("a schema's pattern matches anywhere in the text", () => {
  expect(pattern("b+").somewhere("abbc")).toBe(true);
  expect(pattern("^b+").somewhere("abbc")).toBe(false);
});

test.each(["(?=a)b", "(?<=a)b", "(a)\\1", "(", "a**", "[z-a]", "\\"])(
  "the pattern %j is refused by RE2 with a reason",
  (source) => {
    expect(compilePattern(source)).toMatch(/^is not an RE2 pattern: ./);
  },
);

test("a pattern with \\Q quoting is refused", () => {
  expect(compilePattern("(a\\Q(\\E){300}")).toBe("must not quote with \\Q");
  expect(pattern("\\\\Q").whole("\\Q")).toBe(true);
});

test("RE2 patterns match the same texts as JavaScript patterns", () => {
  const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\d", "a|b", "(?:ab)", "(a|b)");
  const piece = fc
    .tuple(atom, fc.constantFrom("", "*", "+", "?", "{2}", "{0,3}", "*?"))
    .map(([atom, repeat]) => (repeat === "" ? atom : `(?:${atom})${repeat}`));
  const source = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const text = fc.string({ unit: fc.constantFrom("a", "b", "1", "🙂"), maxLength: 8 });
  fc.assert(
    fc.property(source, text, (source, text) => {
      expect(pattern(source).whole(text)).toBe(new RegExp(`^(?:${source})$`, "u").test(text));
      expect(pattern(source).somewhere(text)).toBe(new RegExp(source, "u").test(text));
    }),
    { numRuns: 500 },
  );
});

describe("HP-071 no pattern hangs", () => {
  test.each(["(a+)+$", "(a*)*b", "(a|a)*b", "(x+x+)+y", "((((a*)*)*)*)*b", "(.*)(.*)(.*)(.*)(.*)b"])(
    "the pattern %s ends in time on a hundred thousand characters",
    (source) => {
      inTime(() => pattern(source).whole(`${"a".repeat(100_000)}!`));
      inTime(() => pattern(source).somewhere(`${"a".repeat(100_000)}!`));
    },
  );

  test.each([
    ["nested counts", "(a{1000}){1000}"],
    ["deeply nested counts", "((a{100}){100}){100}"],
    ["a long text repeated", `((${"a".repeat(300)}{10}){10}){10}`],
    ["too many counts", "a{1000}".repeat(140)],
    ["counts hidden by a character class", `(${"a".repeat(90)}[[:alpha:](]){90}`],
    ["too many Unicode classes", "[\\pL\\pN]".repeat(100)],
    ["more than 1,000 characters", "a".repeat(1_001)],
  ])("a pattern with %s is refused before it is compiled", (_name, source) => {
    expect(inTime(() => compilePattern(source))).toEqual(expect.stringMatching(/too much|at most/));
  });

  test("the largest allowed patterns compile in time", () => {
    for (const source of [
      "a{1000}".repeat(3),
      "(a|b){600}",
      "(?i)[\\pL\\pN]{600}".repeat(3),
      `(${"a?".repeat(300)}){4}`,
    ]) {
      inTime(() => pattern(source));
    }
  });

  test("the slowest texts for a large pattern are matched in time, repeatedly", () => {
    const hard = pattern("(?:a|b)*a(?:a|b){400}c");
    let seed = 1;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed & 65_536 ? "a" : "b";
    };
    const text = Array.from({ length: Math.floor(2_000_000 / hard.size) }, random).join("");
    for (let round = 0; round < 2; round++) expect(inTime(() => hard.whole(text))).toBe(false);
  });
});

test("a large pattern still matches correctly", () => {
  const large = pattern("x(?:a|b){300}");
  const text = `x${"ab".repeat(150)}`;
  expect([
    large.whole(text),
    large.whole(`${text}!`),
    large.somewhere(`..${text}!`),
    large.somewhere("xab"),
  ]).toEqual([true, false, true, false]);
});

test("a pattern engine is recreated after much work and gives the same results", () => {
  const plain = pattern("[a-z]+");
  const long = "a".repeat(200_000);
  expect([plain.whole(long), plain.whole(long), plain.whole("abc"), plain.somewhere("123")]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("unrolledSize follows nested and consecutive repeats", () => {
  expect(unrolledSize("abc")).toBe(3);
  expect(unrolledSize("[a-z]{8}")).toBe(8);
  expect(unrolledSize("\\d{2,4}x{3,}")).toBe(4 + 3);
  expect(unrolledSize("(?:[0-9a-f]{4}-){3}")).toBe((4 + 1 + 2 + 2) * 3);
  expect(unrolledSize("((a{10}){10}){10}")).toBeGreaterThanOrEqual(1_000);
  expect(unrolledSize("(((")).toBe(0);
  expect(unrolledSize(")){3}")).toBeGreaterThan(0);
  expect(unrolledSize("a{0}")).toBe(1);
});

test("a pattern with a small unrolledSize never compiles to a large program", () => {
  const piece = fc.constantFrom(
    "a",
    "(",
    ")",
    "[a-c]",
    "{10}",
    "{2,9}",
    "*",
    "|",
    "\\Q",
    "\\E",
    "[",
    "]",
    "\\(",
    "\\)",
    "[[:alpha:]",
    "(?:",
    "^",
    "?",
    "\\x{41}",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const source = pieces.join("");
      const compiled = compilePattern(source);
      if (typeof compiled !== "string")
        expect(compiled.size).toBeLessThanOrEqual(3 * unrolledSize(source) + 10);
    }),
    { numRuns: 2_000 },
  );
});
