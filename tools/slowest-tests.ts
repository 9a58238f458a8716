/** Vitest reporter: the slowest tests, with their files, at the end of every run that is long enough to ask where its time went. */

import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 20;
const FILES_MIN = 20;

export interface TimedTest {
  readonly file: string;
  readonly name: string;
  readonly ms: number;
}

export class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < FILES_MIN) return;
    process.stdout.write(slowest(modules.flatMap(testsOf)));
  }
}

function testsOf(module: TestModule): readonly TimedTest[] {
  return [...module.children.allTests()].map((test) => ({
    file: module.relativeModuleId,
    name: test.fullName,
    ms: test.diagnostic()?.duration ?? 0,
  }));
}

export function slowest(tests: readonly TimedTest[]): string {
  const lines = tests
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ file, name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}  ${name}\n`);
  return `\n The ${lines.length} slowest tests\n${lines.join("")}`;
}
