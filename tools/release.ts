/**
 * `npm run release [-- --dry-run]`: packs every package and publishes the tarballs, each after those it depends on. With
 * `--dry-run` nothing is sent; it prints what would be published.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inPublishOrder, tarballName, whyNotNow } from "./pack/release.ts";
import { publishedPackages } from "./pack/stage.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
const isDryRun = values["dry-run"];
const packages = publishedPackages(root).map(({ manifest }) => manifest);

const refusals = whyNotNow({
  packages,
  changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
  changedFiles: execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }),
});
for (const refusal of refusals) console.error(`release: ${refusal}`);
if (refusals.length > 0 && !isDryRun) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), "holdpoint-release-"));
try {
  execFileSync(process.execPath, [join(root, "tools/pack.ts"), folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const manifest of inPublishOrder(packages)) {
    const id = `${manifest.name}@${manifest.version}`;
    // A release that stopped half-way can be run again.
    if (isPublished(id)) {
      console.log(`${id} is in the registry already`);
      continue;
    }
    const tarball = join(folder, tarballName(manifest));
    const size = `${Math.ceil(statSync(tarball).size / 1_000)} kB`;
    console.log(`${isDryRun ? "would publish" : "publishing"} ${id} (${size})`);
    const args = ["publish", tarball, "--access", "public", ...(isDryRun ? ["--dry-run"] : [])];
    // What npm says of a dry run is long; its exit code says whether it would work.
    const { status, stderr } = spawnSync("npm", args, {
      cwd: folder,
      encoding: "utf8",
      stdio: isDryRun ? ["ignore", "ignore", "pipe"] : "inherit",
    });
    if (status === 0) continue;
    console.error(
      `${stderr ?? ""}release: npm did not take ${id}. Correct what it says above, then run this again.`,
    );
    process.exitCode = 1;
    break;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function isPublished(id: string): boolean {
  const { status, stdout } = spawnSync("npm", ["view", id, "version"], { encoding: "utf8" });
  return status === 0 && stdout.trim() !== "";
}
