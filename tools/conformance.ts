/**
 * `npm run conformance [-- contract …]`: runs every test named after a line of a contract and says, line by line, how it stands.
 * Ends with what is missing, and fails unless nothing is. `-- matrix` does the same for every placement, door and ending.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractsIn } from "./conformance/list.ts";
import { MATRIX_TESTS, matrixReport } from "./conformance/matrix.ts";
import { isWhole, judge, reportText } from "./conformance/report.ts";
import { filesToRun, namedIn, outcomesIn, type RunResults } from "./conformance/tests.ts";
import { ROOT, sourceTree } from "./tidy/tree.ts";

const wanted = new Set(process.argv.slice(2));
process.exitCode = (wanted.has("matrix") ? checkMatrix() : checkContracts()) ? 0 : 1;

function checkContracts(): boolean {
  const contracts = contractsIn(join(ROOT, "tools/conformance")).filter(
    ({ name }) => wanted.size === 0 || wanted.has(name),
  );
  const known = new Set(contracts.flatMap(({ lines }) => lines.map(({ id }) => id)));
  const files = sourceTree();
  const verdicts = judge(contracts, outcomesIn(run(filesToRun(namedIn(files, known), files)), known, ROOT));
  console.log(reportText(verdicts));
  return isWhole(verdicts);
}

function checkMatrix(): boolean {
  const { testResults } = run(MATRIX_TESTS);
  const report = matrixReport(testResults.flatMap(({ assertionResults }) => assertionResults));
  console.log(report.text);
  return report.isWhole;
}

function run(paths: readonly string[]): RunResults {
  if (paths.length === 0) return { testResults: [] };
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-conformance-"));
  const file = join(folder, "results.json");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--mode", "full", "--reporter=json", `--outputFile=${file}`, ...paths];
  const { error } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  if (error !== undefined) throw error;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
