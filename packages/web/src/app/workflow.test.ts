import { expect, test } from "vitest";
import {
  holdIdOf,
  type MemberOut,
  phasesOf,
  SHOWN_MAX,
  shownOf,
  tasksInOrder,
  withSuspended,
} from "./workflow.ts";

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

test("of a thousand phases those that wait and the own one are shown, in the order of the workflow", () => {
  const all = Array.from({ length: 1_000 }, (_, at) => at);
  const shown = shownOf(all, (at) => (at === 999 ? 0 : at >= 500 && at < 520 ? 1 : 2));
  expect(shown).toHaveLength(SHOWN_MAX);
  expect(shown).toEqual([...all.slice(0, 9), ...all.slice(500, 520), 999]);
  expect(shownOf(all.slice(0, 3), () => 0)).toEqual([0, 1, 2]);
});

test("a phase that waits is listed though its member was not read", () => {
  const phases = phasesOf([member("a")]) ?? [];
  const suspended = ["a", "far"].map((id) => ({ intent_id: id, phase_name: `Name of ${id}` }));
  expect(withSuspended(phases, suspended).map(({ name }) => name)).toEqual(["a", "Name of far"]);
});

test("a suspended member names the hold that it waits for", () => {
  expect(holdIdOf({ ...member("a"), state: { _suspension: { id: "hold_1" } } })).toBe("hold_1");
  expect(holdIdOf(member("a"))).toBeUndefined();
});
