import { expect, test } from "vitest";
import { type MemberOut, phasesOf, tasksInOrder } from "./workflow.ts";

const member = (
  id: string,
  depends_on: readonly string[] = [],
  name: string | undefined = id,
): MemberOut => ({
  ...{ id, title: `Title of ${id}`, status: "active", depends_on },
  state: name === undefined ? {} : { _phase_name: name },
});
const names = (members: readonly MemberOut[]) => phasesOf(members)?.map(({ name }) => name);

test("phases stand after those they depend on, whatever the order of the members", () => {
  expect(names([member("pay", ["check"]), member("report", ["pay"]), member("check")])).toEqual([
    "check",
    "pay",
    "report",
  ]);
});

test("a phase names what it comes after, and leaves out intents of other portfolios", () => {
  const [, pay] = phasesOf([member("check"), member("pay", ["check", "elsewhere"])]) ?? [];
  expect(pay).toEqual({ intentId: "pay", name: "pay", status: "active", after: ["check"] });
});

test("phases that wait for each other are all listed", () => {
  expect(names([member("a", ["b"]), member("b", ["a"]), member("c")])).toEqual(["c", "a", "b"]);
});

test("a member without a phase name has its title, and members without any name are no workflow", () => {
  expect(names([member("a"), member("b", ["a"], "")])).toEqual(["a", "Title of b"]);
  expect(phasesOf([member("a", [], "")])).toBeUndefined();
  expect(phasesOf([])).toBeUndefined();
});

test("the tasks of a plan are shown in its order, and those of other plans are not", () => {
  const listed = [{ id: "other" }, { id: "transfer" }, { id: "collect" }];
  expect(tasksInOrder(["collect", "transfer", "gone"], listed)).toEqual([
    { id: "collect" },
    { id: "transfer" },
  ]);
});
