/**
 * `npm run interop`: unmodified packages of others against this tree. Installs them in a folder of its own, runs every case that
 * names a finding (`finding 7: …`) and those with packages from the registry, and prints a table. Fails if a case fails.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { FOLDER_VARIABLE } from "../e2e/interop/packages.ts";
import { type Assertion, casesIn, tableOf, withFindings } from "./interop/cases.ts";
import { ROOT, sourceTree } from "./tidy/tree.ts";

const INSTALL_MS = 4 * 60_000;
const RUN_MS = 15 * 60_000;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-interop-")));
try {
  console.log("Installing other people's packages …");
  cpSync(join(ROOT, "interop/package.json"), join(folder, "package.json"));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  execFileSync("npm", args, { cwd: folder, stdio: "ignore", timeout: INSTALL_MS });
  process.exitCode = report(run());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(): readonly { readonly name: string; readonly assertionResults: readonly Assertion[] }[] {
  const file = join(folder, "results.json");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const files = withFindings(sourceTree());
  const flags = [
    "run",
    "--mode",
    "full",
    "--project",
    "rules",
    "--project",
    "parts",
    "--project",
    "components",
    "--project",
    "whole",
  ];
  const named = ["-t", "finding \\d+|\\[[@a-z]", "--reporter=json", `--outputFile=${file}`];
  const env = { ...process.env, [FOLDER_VARIABLE]: folder };
  const stdio: ("ignore" | "inherit")[] = ["ignore", "ignore", "inherit"];
  const options = { cwd: ROOT, env, stdio, timeout: RUN_MS };
  const { error } = spawnSync(process.execPath, [vitest, ...flags, ...named, ...files], options);
  if (error !== undefined) throw error;
  return JSON.parse(readFileSync(file, "utf8")).testResults;
}

function report(results: ReturnType<typeof run>): number {
  const langgraph = JSON.parse(
    readFileSync(join(ROOT, "node_modules/@langchain/langgraph/package.json"), "utf8"),
  ).version;
  const [own, copilotKit] = ["interop", "interop/frameworks/copilotkit"].map(
    (at) => JSON.parse(readFileSync(join(ROOT, at, "package.json"), "utf8")).dependencies,
  );
  const versions = { ...copilotKit, ...own, "@langchain/langgraph": langgraph };
  const cases = results.flatMap(({ name, assertionResults }) =>
    casesIn(relative(ROOT, name), assertionResults, versions),
  );
  console.log(tableOf(cases));
  const failed = cases.filter(({ result }) => result !== "passed");
  console.log(`${cases.length} cases, ${failed.length} failed`);
  return failed.length === 0 && cases.length > 0 ? 0 : 1;
}
