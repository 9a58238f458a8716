// @ts-check
/**
 * Brings a clone to where its scripts can run: dependencies installed, pages built. Every script in package.json has a
 * `pre…` twin that runs this, so a fresh clone needs no other command. It runs before anything is installed: on Node 18
 * or newer, without dependencies. Nothing to do: nothing said.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { dueBuilds, forgetBuild, recordBuild } from "./prepare/built.mjs";
import { forgetInstall, judgeInstall, missingBinaries, recordInstall } from "./prepare/installed.mjs";
import { withLock } from "./prepare/lock.mjs";
import { npm } from "./prepare/npm.mjs";
import { bundledNode, isNewEnough, tooOld } from "./prepare/runtime.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @typedef {(pid: number) => void} Name */

/** @param {string} words */
function say(words) {
  // Not standard output: that belongs to the script that follows.
  process.stderr.write(`${words}\n`);
}

/** @param {Name} name */
async function install(name) {
  const verdict = judgeInstall(root);
  if (verdict.kind === "ready") return;
  if (verdict.kind === "install") {
    const began = performance.now();
    say("Installing dependencies …");
    forgetInstall(root);
    await npm({ root, name }, verdict.npm);
    const binaries = missingBinaries(root);
    if (binaries.length > 0)
      await npm({ root, name }, ["install", "--no-save", "--loglevel=error", ...binaries]);
    say(`Installed in ${Math.ceil((performance.now() - began) / 1_000)} s.`);
  }
  await runInstallScripts(name);
  recordInstall(root);
}

/**
 * Install scripts may be switched off in the user's npm. Those that package.json approves are needed: the package `node`
 * fetches the runtime, the database for tests unpacks itself.
 *
 * @param {Name} name
 */
async function runInstallScripts(name) {
  if (bundledNode(root) !== undefined) return;
  const approved = Object.keys(
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")).allowScripts ?? {},
  );
  const present = approved.filter((each) => existsSync(join(root, "node_modules", each)));
  if (present.length === 0) return;
  // Without a newer Node the check at the end says so; with one all but the tests that need a database work.
  await npm({ root, name }, ["rebuild", "--ignore-scripts=false", "--loglevel=error", ...present]).catch(
    () => {},
  );
}

/** @param {Name} name */
async function build(name) {
  for (const due of dueBuilds(root)) {
    say(`Building ${due.name} …`);
    forgetBuild(root, due);
    await npm({ root, name }, ["run", "build", "--workspace", due.folder]);
    recordBuild(root, due);
  }
}

async function prepare() {
  if (judgeInstall(root).kind !== "ready" || dueBuilds(root).length > 0) {
    await withLock(
      join(root, ".prepare.lock"),
      async (name) => {
        await install(name);
        await build(name);
      },
      {
        onWait: ({ pids }) =>
          say(`Another command is preparing this clone (process ${pids[0]}); waiting for it …`),
      },
    );
  }
  const version = isNewEnough(process.version) ? process.version : (bundledNode(root) ?? process.version);
  if (!isNewEnough(version)) throw new Error(tooOld(version));
}

try {
  await prepare();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
