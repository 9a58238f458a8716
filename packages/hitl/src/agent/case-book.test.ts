import { expect, test } from "vitest";
import { inlineReview } from "../testing/reviews.ts";
import { caseBook, type Listed } from "./case-book.ts";

test("HP-217 short ids have 16 hex digits and do not collide over many cases", async () => {
  const book = caseBook();
  const ids = new Set<string>();
  for (let n = 0; n < 5_000; n += 1)
    ids.add((await book.add(inlineReview({ case_id: `review_${n}` }))).shortId);
  expect(ids.size).toBe(5_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
});

test("HP-217 two cases whose digests begin alike get different short ids", async () => {
  const same = "0123456789abcdef";
  const book = caseBook(new Map(), async (text) => same + text.padEnd(24, text).slice(0, 24));
  const one = await book.add(inlineReview({ case_id: "aaaa" }));
  const other = await book.add(inlineReview({ case_id: "bbbb" }));
  expect(one.shortId).toBe(same);
  expect(other.shortId).toBe(`${same}bbbb`);
  expect((await book.find(one.shortId))?.review.caseId).toBe("aaaa");
  expect((await book.find(other.shortId))?.review.caseId).toBe("bbbb");
  expect((await book.add(inlineReview({ case_id: "aaaa" }))).shortId).toBe(same);
});

test("a digest function that returns the same for every case is an error, and no case is mixed up", async () => {
  const book = caseBook(new Map(), async () => "0".repeat(64));
  for (let n = 0; n < 7; n += 1) await book.add(inlineReview({ case_id: `review_${n}` }));
  await expect(book.add(inlineReview({ case_id: "review_last" }))).rejects.toThrow("No short id is left");
});

test("a case is found by its id and by its short id until it is removed", async () => {
  const shelf = new Map<string, Listed>();
  const book = caseBook(shelf);
  const listed = await book.add(inlineReview());
  expect(await book.find("review_ab12")).toEqual(listed);
  expect(await book.find(listed.shortId)).toEqual(listed);
  expect(await book.find("review_zz")).toBeUndefined();
  await book.remove("review_ab12");
  await book.remove("review_ab12");
  expect(shelf.size).toBe(0);
});
