/**
 * Vitest's order of test files: long ones first, so that no process ends long before the other. Vitest itself begins with the largest
 * files, and with one project after the other by name.
 */

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Whole servers and browsers take seconds a file; the parts are many and short, and fill the end. */
const PROJECTS = ["browser", "whole", "postgres", "components", "rules", "parts"];

/** Files of a few lines whose suites take long. */
const LONG = ["matrix", "pauses", "crash", "restart", "inbox-scale", "postgres-store", "simulation"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ project, moduleId }: TestSpecification): number {
  const isLong = LONG.some((name) => moduleId.includes(`/${name}.`));
  return PROJECTS.indexOf(project.name) * 2 + (isLong ? 0 : 1);
}
