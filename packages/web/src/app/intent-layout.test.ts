import { expect, test } from "vitest";
import { DRAWN_MAX, type IntentNode, layOut, NODE, titleLines } from "./intent-layout.ts";

const node = (id: string): IntentNode => ({ id, title: id, status: "active" });
const many = (count: number) => Array.from({ length: count }, (_, at) => node(`n${at}`));

test("an intent alone is a picture of one", () => {
  const none = { parent: undefined, dependencies: [], dependents: [], children: [] };
  const { nodes, edges, width, height } = layOut({ self: node("me"), ...none });
  expect(nodes).toEqual([{ ...node("me"), x: (width - NODE.width) / 2, y: 0, isSelf: true }]);
  expect(edges).toEqual([]);
  expect(height).toBe(NODE.height);
});

test("nobody stands on anybody, everybody is inside, and no line crosses anybody", () => {
  const picture = layOut({
    self: node("me"),
    parent: node("parent"),
    dependencies: many(3),
    dependents: many(5),
    children: many(DRAWN_MAX + 3),
  });
  const { nodes, edges, width, height } = picture;
  expect(nodes).toHaveLength(2 + 3 + 5 + DRAWN_MAX);
  expect(edges).toHaveLength(nodes.length - 1);
  for (const [at, one] of nodes.entries()) {
    expect(one.x).toBeGreaterThanOrEqual(0);
    expect(one.x + NODE.width).toBeLessThanOrEqual(width);
    expect(one.y + NODE.height).toBeLessThanOrEqual(height);
    for (const other of nodes.slice(at + 1)) {
      const isApart = Math.abs(one.x - other.x) >= NODE.width || Math.abs(one.y - other.y) >= NODE.height;
      expect(isApart).toBe(true);
    }
  }
  // Between its ends a line runs outside the columns; its way there is beside the node it belongs to.
  for (const { points } of edges) {
    const [, [out = 0] = [], [again = 0] = []] = points;
    expect(out).toBe(again);
    expect(nodes.some(({ x }) => out >= x && out <= x + NODE.width)).toBe(false);
  }
});

test("a title is broken at words, and says when there is more", () => {
  expect(titleLines("Refund")).toEqual(["Refund"]);
  expect(titleLines("Refund the order of Mara")).toEqual(["Refund the order of", "Mara"]);
  const long = titleLines("Refund the order of Mara Lindqvist and write to her about it");
  expect(long).toHaveLength(2);
  expect(long[1]).toMatch(/…$/);
  expect(titleLines("x".repeat(60))).toHaveLength(2);
});

test("a title is never cut in the middle of a letter", () => {
  const family = "👩‍👩‍👧‍👦";
  const [first = "", second = ""] = titleLines(family.repeat(60));
  expect(first.replaceAll(family, "")).toBe("");
  expect(second.replaceAll(family, "")).toBe("…");
});
