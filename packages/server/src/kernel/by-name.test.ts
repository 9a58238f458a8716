import fc from "fast-check";
import { expect, test } from "vitest";
import { ByName } from "./by-name.ts";

const names = fc.tuple(fc.constantFrom("hold", "link", "person"), fc.integer({ min: 0, max: 9 }).map(String));

function listed(map: ByName<number>): readonly number[] {
  const values: number[] = [];
  map.forEach((value) => {
    values.push(value);
  });
  return values.toSorted((a, b) => a - b);
}

test("a map by name gives what was set last under the same kind and id, for few names and for many", () => {
  fc.assert(
    fc.property(fc.array(names, { maxLength: 40 }), (set) => {
      const map = new ByName<number>();
      const expected = new Map<string, number>();
      for (const [at, [kind, id]] of set.entries()) {
        map.set(kind, id, at);
        expected.set(`${kind} ${id}`, at);
      }
      for (const [kind, id] of set) expect(map.get(kind, id)).toBe(expected.get(`${kind} ${id}`));
      expect(map.get("group", "1")).toBeUndefined();
      expect(listed(map)).toEqual([...expected.values()].toSorted((a, b) => a - b));
    }),
  );
});

test.each([3, 30])("a copy of a map with %i names does not change with it", (count) => {
  const map = new ByName<number>();
  for (let at = 0; at < count; at += 1) map.set("hold", String(at), at);
  const copy = map.copy();
  map.set("hold", "0", 100);
  map.set("link", "0", 200);
  expect(copy.get("hold", "0")).toBe(0);
  expect(copy.get("link", "0")).toBeUndefined();
  expect(listed(copy)).toHaveLength(count);
});
