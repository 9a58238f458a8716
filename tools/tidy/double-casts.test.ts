import { expect, test } from "vitest";
import { doubleCasts } from "./double-casts.ts";
import { LIMITS } from "./rules.ts";
import { read } from "./source.ts";

function found(path: string, text: string) {
  return doubleCasts([{ path, text, reading: read({ path, text }) }]).map(({ line, use }) => [
    line,
    use.slice(0, 9),
  ]);
}

const CAST = "const a = b as unknown as A;";
const REASONED = `// B is always an A here.\n${CAST}\n\n\n\n`;

test("a cast through unknown needs a comment with its reason in product code, and none in tests", () => {
  expect(found("packages/sdk/src/a.ts", CAST)).toEqual([[1, "a comment"]]);
  expect(found("packages/sdk/src/a.ts", REASONED)).toEqual([]);
  expect(found("packages/sdk/src/a.test.ts", CAST)).toEqual([]);
  expect(found("packages/sdk/src/a.ts", "const a = b as unknown; const c = d as A;")).toEqual([]);
});

test("more casts through unknown than the limit are findings, with or without a reason", () => {
  const { max } = LIMITS.doubleCasts;
  expect(found("packages/sdk/src/a.ts", REASONED.repeat(max))).toEqual([]);
  expect(found("packages/sdk/src/a.ts", REASONED.repeat(max + 1))).toEqual([[max * 5 + 2, "types tha"]]);
});
