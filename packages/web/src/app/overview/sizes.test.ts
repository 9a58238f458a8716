import { expect, test } from "vitest";
import { percentWords, sizeWords } from "./sizes.ts";

test("sizes are shown in the unit that fits them", () => {
  expect([1, 1_024, 700_000, 1024 ** 2 - 1, 1.5 * 1024 ** 2].map(sizeWords)).toEqual([
    ...["1 kB", "1 kB", "684 kB", "1 MB", "1.5 MB"],
  ]);
  expect([10 * 1024 ** 3, 3 * 1024 ** 4, 5_000 * 1024 ** 4].map(sizeWords)).toEqual([
    ...["10 GB", "3 TB", "5,000 TB"],
  ]);
});

test("a share is never rounded up to full", () => {
  expect([percentWords(1, 1_000), percentWords(999, 1_000), percentWords(3, 2)]).toEqual([
    ...["less than 1 %", "99 %", "150 %"],
  ]);
});
