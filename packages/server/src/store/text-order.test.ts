import fc from "fast-check";
import { expect, it } from "vitest";
import { compareText } from "./text-order.ts";

it("compareText orders text like its UTF-8 bytes", () => {
  const edges = [
    "\u0000",
    "A",
    "a",
    "é",
    "\uD7FF",
    "\uE000",
    "\uFFFD",
    "\u{10000}",
    "\u{1F600}",
    "\u{10FFFF}",
  ];
  const text = fc.string({ unit: fc.constantFrom(...edges) });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
