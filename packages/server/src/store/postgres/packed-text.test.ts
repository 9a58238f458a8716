import fc from "fast-check";
import { expect, it } from "vitest";
import { compareText } from "../text-order.ts";
import { pack, unpack } from "./packed-text.ts";

const text = fc.string({ unit: fc.constantFrom("\u0000", "\u0001", "\u0002", "\u0003", "a", "é") });

it("packed text contains no NUL, keeps its order and unpacks to the original", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(unpack(pack(a))).toBe(a);
      expect(pack(a)).not.toContain("\u0000");
      expect(Math.sign(compareText(pack(a), pack(b)))).toBe(Math.sign(compareText(a, b)));
    }),
    { seed: 7, numRuns: 500 },
  );
});
