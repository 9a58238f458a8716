import { expect, test } from "vitest";
import { endedBy, endedIn, endedText, markOf } from "./ended.ts";

const decided = (id: string) => ({ type: "hold.decided", stream: `hold:${id}` });

test("what ended goes through the text of a notice unchanged, and nothing ended differs from not said", () => {
  for (const ended of [undefined, [], ["a"], ["a", "b-_9"]]) expect(endedIn(endedText(ended))).toEqual(ended);
  expect(endedIn(undefined)).toBeUndefined();
  expect(endedIn("a,b")).toBeUndefined();
});

test("only events that end a hold are named, by the mark of the hold", () => {
  const id = "hold_01m7r6cyv0xjh5xr14z6tb3n28";
  const others = [
    { type: "hold.placed", stream: "hold:hold_a" },
    { type: "intent.completed", stream: "intent:x" },
  ];
  expect(endedBy([...others, decided(id)])).toEqual([markOf(id)]);
  expect(endedBy(others)).toEqual([]);
  expect(markOf(id)).toBe("14z6tb3n28");
});

test("a commit that ends too many holds for a notice, or one whose id is no plain word, names none", () => {
  expect(endedBy(Array.from({ length: 400 }, (_, at) => decided(`hold_${at}`)))).toHaveLength(400);
  expect(endedBy(Array.from({ length: 401 }, (_, at) => decided(`hold_${at}`)))).toBeUndefined();
  expect(endedBy([decided("a b")])).toBeUndefined();
  expect(endedBy([decided("")])).toBeUndefined();
});

test("the longest text fits into a notice of PostgreSQL", () => {
  const most = endedBy(
    Array.from({ length: 400 }, (_, at) => decided(`hold_${String(at).padStart(26, "0")}`)),
  );
  expect(endedText(most).length).toBeLessThan(7_500);
});
