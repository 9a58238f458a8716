/** The matrix of placements, doors and endings as a table: what passed, and of every hole why it is one. */

import { doorNames } from "../../e2e/matrix/doors.ts";
import { PLACEMENTS, type PlacementName } from "../../e2e/matrix/placements.ts";
import { REACHABLE } from "../../e2e/matrix/reachable.ts";

export const MATRIX_TESTS = ["e2e/matrix/matrix.test.ts"] as const;

export interface CellResult {
  readonly title: string;
  readonly status: string;
}

export interface MatrixReport {
  readonly text: string;
  readonly isWhole: boolean;
}

/** `results`: the tests of the matrix, by their titles. */
export function matrixReport(results: readonly CellResult[]): MatrixReport {
  const status = new Map(results.map(({ title, status: how }) => [title, how]));
  const tally = { passed: 0, failed: 0, missing: 0 };
  const why: string[] = [];
  const mark = (title: string): string => {
    const how = status.get(title);
    tally[how === "passed" ? "passed" : how === undefined ? "missing" : "failed"] += 1;
    return how === "passed" ? "✓" : how === undefined ? "?" : "✗";
  };
  const cell = (placement: PlacementName, door: (typeof doorNames)[number]): string => {
    const reachable = REACHABLE[placement][door];
    if (reachable === true) return mark(`${placement} × ${door} × answered`);
    const known = why.indexOf(reachable);
    return String(known === -1 ? why.push(reachable) : known + 1);
  };
  const rows = (Object.keys(PLACEMENTS) as PlacementName[]).map((placement) => [
    placement,
    ...doorNames.map((door) => cell(placement, door)),
    mark(`${placement} × nobody × expired`),
    mark(`${placement} × who asked × cancelled`),
  ]);
  const head = ["placed by \\ answered by", ...doorNames, "expired", "cancelled"];
  const lines = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const reasons = why.map((reason, at) => `${at + 1}: ${reason}`);
  const total = `${tally.passed} passed, ${tally.failed} failed, ${tally.missing} not covered`;
  return {
    text: [...lines, "", ...reasons, "", total].join("\n"),
    isWhole: tally.failed === 0 && tally.missing === 0,
  };
}
