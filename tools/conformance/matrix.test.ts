import { describe, expect, it } from "vitest";
import { doorNames } from "../../e2e/matrix/doors.ts";
import { PLACEMENTS, type PlacementName } from "../../e2e/matrix/placements.ts";
import { REACHABLE } from "../../e2e/matrix/reachable.ts";
import { matrixReport } from "./matrix.ts";

const titles = (Object.keys(PLACEMENTS) as PlacementName[]).flatMap((placement) => [
  ...doorNames
    .filter((door) => REACHABLE[placement][door] === true)
    .map((door) => `${placement} × ${door} × answered`),
  `${placement} × nobody × expired`,
  `${placement} × who asked × cancelled`,
]);
const passed = titles.map((title) => ({ title, status: "passed" }));

describe("the table of the matrix", () => {
  it("is complete when every reachable cell has passed, and explains the others", () => {
    const { text, isWhole } = matrixReport(passed);
    expect(isWhole).toBe(true);
    expect(text).toContain(`${titles.length} passed, 0 failed, 0 not covered`);
    expect(text).toContain("1: not on an intent");
    expect(text).not.toMatch(/[✗?]/);
  });

  it.each([
    ["failed", "✗", "1 failed, 0 not covered"],
    ["skipped", "✗", "1 failed, 0 not covered"],
  ])("shows a cell that is %s", (status, sign, total) => {
    const [first, ...rest] = passed;
    const { text, isWhole } = matrixReport([{ ...(first as (typeof passed)[number]), status }, ...rest]);
    expect(isWhole).toBe(false);
    expect(text).toContain(sign);
    expect(text).toContain(total);
  });

  it("shows a cell without a test", () => {
    const { text, isWhole } = matrixReport(passed.slice(1));
    expect(isWhole).toBe(false);
    expect(text).toContain("0 failed, 1 not covered");
  });
});
