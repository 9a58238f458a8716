/** What a run comes to, line by line of each contract. */

import type { Contract, Line } from "./list.ts";
import type { Outcome } from "./tests.ts";

export interface Verdict extends Line {
  readonly contract: string;
  readonly state: "passed" | "failed" | "not covered" | "later";
  readonly tests: readonly Outcome[];
}

export function judge(contracts: readonly Contract[], outcomes: readonly Outcome[]): readonly Verdict[] {
  const byId = Map.groupBy(outcomes, ({ id }) => id);
  return contracts.flatMap(({ name, lines }) =>
    lines.map((line) => {
      const tests = byId.get(line.id) ?? [];
      return { ...line, contract: name, tests, state: stateOf(line, tests) };
    }),
  );
}

function stateOf({ later }: Line, tests: readonly Outcome[]): Verdict["state"] {
  if (tests.some(({ passed }) => !passed)) return "failed";
  if (later !== undefined) return "later";
  return tests.length === 0 ? "not covered" : "passed";
}

const MARKS = { passed: "✓", failed: "✗", "not covered": "–", later: "…" } as const;

export function reportText(verdicts: readonly Verdict[]): string {
  const lines = verdicts.flatMap(({ id, title, state, later, tests }) => [
    `${MARKS[state]} ${id} ${title}${later === undefined ? "" : ` (later: ${later})`}`,
    ...tests.map(({ title: name, file, passed }) => `    ${passed ? "✓" : "✗"} ${file}: ${name}`),
  ]);
  return [...lines, "", ...waiting(verdicts), summary(verdicts), ""].join("\n");
}

function waiting(verdicts: readonly Verdict[]): readonly string[] {
  const later = verdicts.filter(({ state }) => state === "later");
  if (later.length === 0) return [];
  const parts = Map.groupBy(later, (verdict) => verdict.later ?? "");
  return [`for later: ${[...parts].map(([part, all]) => `${all.length} ${part}`).join(", ")}`];
}

export function summary(verdicts: readonly Verdict[]): string {
  const count = (state: Verdict["state"]) => verdicts.filter((verdict) => verdict.state === state).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("not covered")} not covered`;
}

export function isWhole(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ state }) => state === "passed" || state === "later");
}
