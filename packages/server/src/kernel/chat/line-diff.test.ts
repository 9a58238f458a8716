import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineDiff } from "./line-diff.ts";

const lines = (...all: readonly string[]) => all.join("\n");

describe("which lines changed", () => {
  test("lines that are the same in both are not marked as changed", () => {
    expect(lineDiff(lines("a", "b", "c", "d"), lines("a", "x", "c", "d"))).toBe(
      lines("  a", "- b", "+ x", "  c", "  d"),
    );
    expect(lineDiff("a", "a")).toBe("  a");
    expect(lineDiff(lines("a", "b"), lines("b", "c"))).toBe(lines("- a", "  b", "+ c"));
    expect(lineDiff(lines("x", "k", "l", "y"), lines("1", "k", "2", "l", "3"))).toBe(
      lines("- x", "+ 1", "  k", "+ 2", "  l", "- y", "+ 3"),
    );
  });

  test("both texts can be read from it, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "", "- a", "  b"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (old, now) => {
        const shown = lineDiff(old.join("\n"), now.join("\n")).split("\n");
        const read = (sign: string) => shown.filter((line) => [" ", sign].includes(line.charAt(0)));
        expect(read("-").map((line) => line.slice(2))).toEqual(old.join("\n").split("\n"));
        expect(read("+").map((line) => line.slice(2))).toEqual(now.join("\n").split("\n"));
      }),
    );
  });

  test("texts that are too long to compare are shown as a whole, between what they have in common (G13)", () => {
    const many = (mark: string) => Array.from({ length: 600 }, (_, at) => `${mark}${at}`);
    const shown = lineDiff(lines("same", ...many("a"), "end"), lines("same", ...many("b"), "end")).split(
      "\n",
    );
    expect(shown).toHaveLength(1_202);
    expect([shown[0], shown[1], shown[601], shown.at(-1)]).toEqual(["  same", "- a0", "+ b0", "  end"]);
  });
});
