import { describe, expect, test } from "vitest";
import { must } from "../../../kernel/must.ts";
import { holds, readCondition } from "./conditions.ts";

function judged(when: string, output: unknown): boolean {
  return holds(must(readCondition(when) ?? undefined, "a readable condition"), output as never);
}

describe("conditions of a plan", () => {
  test.each([
    ["tasks['a'].output.n > 1", { n: 2 }, true],
    ["tasks['a'].output.n > 1", { n: 1 }, false],
    ["tasks['a'].output.n >= 1", { n: 1 }, true],
    ["tasks['a'].output.n < 1", { n: 0 }, true],
    ["tasks['a'].output.n <= 1", { n: 2 }, false],
    ["tasks['a'].output.n > 1", { n: "2" }, false],
    ["tasks['a'].output.n > true", { n: true }, false],
    ["tasks['a'].output.s < 'b'", { s: "a" }, true],
    ["tasks['a'].output.s == 'x'", { s: "x" }, true],
    ["tasks['a'].output.s != \"x\"", { s: "x" }, false],
    ["tasks['a'].output.ok == True", { ok: true }, true],
    ["tasks['a'].output.ok == False", { ok: true }, false],
    ["tasks['a'].output.gone == None", {}, true],
    ["tasks['a'].output.deep.er == 1", { deep: { er: 1 } }, true],
    ["tasks['a'].output.deep.er == null", { deep: 3 }, true],
    ['tasks["a"].output', { any: 1 }, true],
    ["tasks['a'].output", {}, false],
    ["tasks['a'].output.list", [], false],
    ["tasks['a'].output.list", { list: [] }, false],
    ["tasks['a'].output.list", { list: [1] }, true],
    ["tasks['a'].output.word", { word: "" }, false],
  ])("%s of %j is %s", (when, output, expected) => {
    expect(judged(when, output)).toBe(expected);
  });

  test.each([
    "launch()",
    "tasks[a].output",
    "tasks['a'].output.n > ",
    "tasks['a'].output.n == {}",
    "tasks['a'].output.n == []",
    "tasks['a'].output.n == nonsense",
  ])("%s cannot be read", (when) => {
    expect(readCondition(when)).toBeNull();
  });

  test("must throws an invariant error that names the missing value", () => {
    expect(() => must(undefined, "task task_1")).toThrow("Invariant: task task_1 does not exist");
  });
});
