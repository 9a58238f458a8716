import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { must } from "../../../kernel/must.ts";
import { holds, readCondition } from "./conditions.ts";

function evaluate(when: string, output: unknown): boolean {
  return holds(must(readCondition(when) ?? undefined, "a condition"), output as never);
}

/** The grammar as one pattern, which takes cubic time on some texts. */
const GRAMMAR =
  /^\s*tasks\[\s*(?:'(?<single>[^']{1,200})'|"(?<double>[^"]{1,200})")\s*\]\.output(?<path>(?:\.\w{1,100}){0,20})\s*(?:(?<operator>==|!=|>=|<=|>|<)\s*(?<value>.{1,500}?))?\s*$/;

const space = fc.stringMatching(/^[ \t\n\u00a0\u2028]{0,3}$/);
const among = (...texts: readonly string[]) => fc.constantFrom(...texts);
/** Conditions, and texts that are almost conditions. */
const anyCondition = fc
  .tuple(
    ...[space, among("tasks[", "tasks[", "task["), space],
    among("'a'", '"a b"', "''", `'${"n".repeat(200)}'`, `'${"n".repeat(201)}'`, "'a\"", '"a\nb"'),
    ...[space, among("].output", "].output", "] .output", "].outputs")],
    among(
      "",
      ".n",
      ".n.m",
      "..n",
      ".",
      `.${"p".repeat(100)}`,
      `.${"p".repeat(101)}`,
      ".a".repeat(20),
      ".a".repeat(21),
    ),
    ...[space, among("", "==", "!=", ">", "<", ">=", "<=", "=", "!", "==="), space],
    among(
      "",
      "1",
      "'x'",
      '"x y"',
      "True",
      "=",
      "x",
      "{}",
      "1\n2",
      `"${"v".repeat(498)}"`,
      `"${"v".repeat(499)}"`,
      "'a\u2029'",
    ),
    space,
  )
  .map((parts) => parts.join(""));

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
    "tasks['a'].output n",
    "tasks['a'].output.n > ",
    "tasks['a'].output.n == {}",
    "tasks['a'].output.n == []",
    "tasks['a'].output.n == nonsense",
  ])("the condition %s is refused as unreadable", (when) => {
    expect(readCondition(when)).toBeNull();
  });

  test("parts of a condition are found where one pattern for the whole grammar finds them", () => {
    const check = fc.property(anyCondition, (when) => {
      const { single, double, path = "", operator } = GRAMMAR.exec(when)?.groups ?? {};
      const read = readCondition(when);
      if (read === null) expect(operator !== undefined || (single ?? double) === undefined).toBe(true);
      else {
        expect(read.task).toBe(single ?? double);
        expect(read.path).toEqual(path.split(".").slice(1));
        expect(read.test?.operator).toBe(operator);
      }
    });
    fc.assert(check, { numRuns: 5_000 });
  });

  test("must() throws an error that names the missing value", () => {
    expect(() => must(undefined, "the task")).toThrow("the task");
  });
});
