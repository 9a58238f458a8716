import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractsIn, readLines } from "./conformance/list.ts";
import { conformanceMarkdown } from "./conformance/markdown.ts";
import { isWhole, judge, reportText } from "./conformance/report.ts";
import { filesToRun, idsOf, namedIn, outcomesIn } from "./conformance/tests.ts";
import { ROOT } from "./tidy/tree.ts";

const LIST = [
  "# a comment",
  "AB-001\tM\tDoes this",
  "AB-002\tDoes that",
  "AB-003\tO\tlater part two\tDoes more",
  "V1\tA vector",
];
const lines = readLines("ab", LIST.join("\n"));
const known = new Set(lines.map(({ id }) => id));

describe("a contract's list", () => {
  test("has lines with an id, perhaps a level, perhaps a reason to wait, and a title", () => {
    expect(lines).toEqual([
      { id: "AB-001", level: "M", title: "Does this" },
      { id: "AB-002", title: "Does that" },
      { id: "AB-003", level: "O", later: "part two", title: "Does more" },
      { id: "V1", title: "A vector" },
    ]);
  });

  test.each(["AB-001", "AB-001\t", "no id\ttitle", "\ttitle"])(
    "is refused when a line lacks its id or title: %j",
    (row) => {
      expect(() => readLines("ab", row)).toThrow("ab:");
    },
  );

  test("is refused when it has an id twice", () => {
    expect(() => readLines("ab", "AB-001\tOne\nAB-001\tTwo")).toThrow("AB-001 stands in the list twice");
  });

  test("can be read for each contract", () => {
    const contracts = contractsIn(join(ROOT, "tools/conformance"));
    expect(contracts.map(({ name }) => name)).toContain("hitl");
    expect(contracts.find(({ name }) => name === "hitl")?.lines).toHaveLength(244);
  });
});

describe("tests of a contract", () => {
  test("are found by the ids that their names begin with", () => {
    expect(idsOf("AB-001 does this", known)).toEqual(["AB-001"]);
    expect(idsOf("AB-001, V1: does both", known)).toEqual(["AB-001", "V1"]);
    expect(idsOf("does AB-001", known)).toEqual([]);
    expect(idsOf("AB-0011 is another", known)).toEqual([]);
  });

  const FILES = [
    { path: "a.test.ts", text: 'test("AB-001 does this", () => {});' },
    { path: "b.suite.ts", text: "it.each(ROWS)(`V1 is a vector`, () => {});" },
    { path: "c.test.ts", text: 'import { run } from "./b.suite.ts";' },
    { path: "d.ts", text: 'const text = "AB-002 is no test";' },
  ];

  test("are run with the suites they use", () => {
    const named = namedIn(FILES, known);
    expect([...named.keys()].toSorted()).toEqual(["AB-001", "V1"]);
    expect(filesToRun(named, FILES)).toEqual(["a.test.ts", "c.test.ts"]);
  });

  test("count for the ids in their own name and in the names of their describe blocks", () => {
    const assertionResults = [
      { title: "AB-001 x", ancestorTitles: ["V1 y"], status: "passed" },
      { title: "other", ancestorTitles: [], status: "failed" },
    ];
    expect(
      outcomesIn({ testResults: [{ name: "/repo/a.test.ts", assertionResults }] }, known, "/repo"),
    ).toEqual([
      { id: "V1", title: "AB-001 x", file: "a.test.ts", passed: true },
      { id: "AB-001", title: "AB-001 x", file: "a.test.ts", passed: true },
    ]);
  });
});

describe("a conformance report", () => {
  const outcome = (id: string, passed: boolean) => ({ id, title: `${id} x`, file: "a.test.ts", passed });
  const contracts = [{ name: "ab", lines }];

  test("says for each line whether it passed, and at the end how many are missing", () => {
    const verdicts = judge(contracts, [
      outcome("AB-001", true),
      outcome("AB-002", true),
      outcome("AB-002", false),
    ]);
    expect(verdicts.map(({ state }) => state)).toEqual(["passed", "failed", "later", "not covered"]);
    expect(isWhole(verdicts)).toBe(false);
    const text = reportText(verdicts);
    expect(text).toContain("✗ AB-002 Does that\n    ✓ a.test.ts: AB-002 x\n    ✗ a.test.ts: AB-002 x");
    expect(text).toContain("for later: 1 part two");
    expect(text.trimEnd().split("\n").at(-1)).toBe("1 passed, 1 failed, 1 not covered");
  });

  test("is complete when every line passed or is for later", () => {
    const ids = ["AB-001", "AB-002", "V1"];
    expect(
      isWhole(
        judge(
          contracts,
          ids.map((id) => outcome(id, true)),
        ),
      ),
    ).toBe(true);
    expect(
      isWhole(
        judge(
          contracts,
          [...ids, "AB-003"].map((id) => outcome(id, id !== "AB-003")),
        ),
      ),
    ).toBe(false);
  });

  test("shows as a page what is tested and what is for later", () => {
    const page = conformanceMarkdown(contracts, [{ path: "a.test.ts", text: 'test("AB-001 x")' }]);
    expect(page).toContain("| AB-001 | must | Does this | tested |");
    expect(page).toContain("| AB-002 |  | Does that | not tested |");
    expect(page).toContain("| AB-003 | offered | Does more | later: part two |");
  });
});
