import { expect, test } from "vitest";
import type { PreparedPut } from "./entity-writer.ts";
import { RecentRows } from "./recent-rows.ts";

const key = (id: string) => ({ workspace: "default", kind: "hold", id }) as const;

function put(id: string, text: string | null, version = 1): PreparedPut {
  const row = { expected: version - 1, version, seq: version, head: `head-${version}` };
  return { put: { key: key(id), ...row, body: text === null ? null : {} }, text, values: {} };
}

test("the row cache returns the last written row, and nothing for a deleted one or another key", () => {
  const recent = new RecentRows();
  recent.add(put("a", '{"n":1}'));
  recent.add(put("b", '{"n":1}'));
  recent.add(put("a", '{"n":2}', 2));
  expect(recent.get(key("a"))).toMatchObject({
    id: "a",
    version: 2,
    seq: 2,
    head: "head-2",
    body: '{"n":2}',
  });
  expect(recent.get({ ...key("a"), workspace: "other" })).toBeUndefined();
  expect(recent.get({ ...key("a"), kind: "form_session" })).toBeUndefined();
  recent.add(put("b", null, 2));
  expect(recent.get(key("b"))).toBeUndefined();
});

test("the row cache keeps the newest rows and a bounded number of them", () => {
  const recent = new RecentRows();
  for (let i = 0; i < 10_000; i += 1) recent.add(put(`h${i}`, "{}"));
  const kept = Array.from({ length: 10_000 }, (_, i) => i).filter(
    (i) => recent.get(key(`h${i}`)) !== undefined,
  );
  expect(kept.at(-1)).toBe(9_999);
  expect(kept.length).toBeGreaterThanOrEqual(255);
  expect(kept.length).toBeLessThanOrEqual(512);
});

test("the row cache keeps only a few rows if they are long", () => {
  const recent = new RecentRows();
  const long = "x".repeat(600_000);
  for (let i = 0; i < 10; i += 1) recent.add(put(`h${i}`, long));
  const kept = Array.from({ length: 10 }, (_, i) => i).filter((i) => recent.get(key(`h${i}`)) !== undefined);
  expect(kept).toEqual([8, 9]);
});

test("deleting a row also removes its older generation from the row cache", () => {
  const recent = new RecentRows();
  recent.add(put("a", '{"n":1}'));
  for (let i = 0; i < 999; i += 1) recent.add(put(`h${i}`, "{}"));
  recent.add(put("a", null, 2));
  expect(recent.get(key("a"))).toBeUndefined();
});

test("of two entities with the same id the row cache keeps only the last written one", () => {
  const recent = new RecentRows();
  const draft = (text: string | null): PreparedPut => {
    const { put: made, ...rest } = put("a", text);
    return { put: { ...made, key: { ...key("a"), kind: "form_session" } }, ...rest };
  };
  recent.add(put("a", '{"n":1}'));
  recent.add(draft('{"draft":1}'));
  expect(recent.get(key("a"))).toBeUndefined();
  expect(recent.get({ ...key("a"), kind: "form_session" })).toMatchObject({ body: '{"draft":1}' });
  recent.add(put("a", '{"n":2}', 2));
  recent.add(draft(null));
  expect(recent.get(key("a"))).toBeUndefined();
  expect(recent.get({ ...key("a"), kind: "form_session" })).toBeUndefined();
});

test("the row cache knows a row that was read, and that a row does not exist, until it is written", () => {
  const recent = new RecentRows();
  const row = { id: "a", version: 1, seq: 1, head: "head-1", body: '{"n":1}' };
  recent.addRead(key("a"), row);
  recent.addRead({ ...key("a"), workspace: "other" }, undefined);
  expect(recent.get(key("a"))).toEqual(row);
  expect(recent.get({ ...key("a"), workspace: "other" })).toBeNull();
  expect(recent.get({ ...key("a"), kind: "form_session" })).toBeUndefined();
  recent.add(put("a", '{"n":2}', 2));
  expect(recent.get(key("a"))).toMatchObject({ body: '{"n":2}' });
  recent.addRead(key("b"), undefined);
  recent.add(put("b", '{"n":1}'));
  recent.add(put("b", null, 2));
  expect(recent.get(key("b"))).toBeUndefined();
});

test("the row cache keeps a bounded number of rows that were read, and no long one", () => {
  const recent = new RecentRows();
  for (let i = 0; i < 1_000; i += 1) recent.addRead(key(`h${i}`), undefined);
  const kept = Array.from({ length: 1_000 }, (_, i) => i).filter((i) => recent.get(key(`h${i}`)) === null);
  expect(kept.at(-1)).toBe(999);
  expect(kept.length).toBeLessThanOrEqual(64);
  const row = { id: "long", version: 1, seq: 1, head: "", body: "x".repeat(100_000) };
  recent.addRead(key("long"), row);
  expect(recent.get(key("long"))).toBeUndefined();
});
