import { expect, test } from "vitest";
import { collect } from "./collect.ts";

async function* pages() {
  for (let page = 0; page < 5; page += 1) yield [0, 1, 2].map((at) => page * 3 + at);
}

test.each([
  [{ offset: 0, limit: 2 }, [0, 2]],
  [{ offset: 2, limit: 3 }, [4, 6, 8]],
  [{ offset: 6, limit: 9 }, [12, 14]],
  [{ offset: 8, limit: 9 }, []],
])("a page of a list at %j has the wanted items from there on", async (place, found) => {
  expect(await collect(pages(), (item) => item % 2 === 0, place)).toEqual(found);
});
