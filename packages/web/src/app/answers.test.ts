import { expect, test } from "vitest";
import { atFoot, left, type Pending } from "./answers.tsx";

const pending = (id: string, isShownThere: boolean) => ({ hold: { id }, isShownThere }) as Pending;
const ids = (list: readonly Pending[]) => list.map(({ hold }) => hold.id);

test("the foot of the page shows an answer only when the page that it was given on is left", () => {
  const all = [pending("a", true), pending("b", false), pending("c", true)];
  expect(ids(atFoot(all))).toEqual(["b"]);
  expect(ids(atFoot(left(all, "c")))).toEqual(["b", "c"]);
});

test("leaving the page of a hold without an answer on its way changes nothing", () => {
  const all = [pending("a", true), pending("b", false)];
  expect(left(all, "b")).toBe(all);
  expect(left(all, "z")).toBe(all);
});
