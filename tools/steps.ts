/**
 * Runs scripts of package.json one after the other, by their names, and stops at the first that fails:
 * `node tools/steps.ts types lint`.
 */

import { spawnSync } from "node:child_process";

const names = process.argv.slice(2);

for (const [index, name] of names.entries()) {
  const began = performance.now();
  // By Node itself: npm would prepare the clone before each of them.
  const { status, error } = spawnSync(process.execPath, ["--run", name], { stdio: "inherit" });
  const took = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  if (status === 0) {
    process.stdout.write(`✓ npm run ${name} (${took})\n`);
    continue;
  }
  const left = names.slice(index + 1).map((each) => `npm run ${each}`);
  const skipped = [...left, "everything that follows"].join(", ");
  process.stderr.write(
    `\n✗ npm run ${name} failed (${took})${error === undefined ? "" : `: ${error.message}`}. ` +
      `Correct what it printed above, then run it again. Not run: ${skipped}.\n`,
  );
  process.exitCode = 1;
  break;
}
