import { describe, expect, test } from "vitest";
import { must } from "../../../kernel/must.ts";
import { holds, readCondition } from "./conditions.ts";

function evaluate(when: string, output: unknown): boolean {
  return holds(must(readCondition(when) ?? undefined, "a condition"), output as never);
}

describe("plan conditions", () => {
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
  ])("the condition %s on the output %j evaluates to %s", (when, output, expected) => {
    expect(evaluate(when, output)).toBe(expected);
  });

  test.each([
    "launch()",
    "tasks[a].output",
    "tasks['a'].output.n > ",
    "tasks['a'].output.n == {}",
    "tasks['a'].output.n == []",
    "tasks['a'].output.n == nonsense",
  ])("the condition %s is refused as unreadable", (when) => {
    expect(readCondition(when)).toBeNull();
  });

  test("must() throws an error that names the missing value", () => {
    expect(() => must(undefined, "the task")).toThrow("the task");
  });
});
