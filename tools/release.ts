/**
 * `npm run release [-- --dry-run]`: packs every package and publishes the tarballs, each after those it depends on. With
 * `--dry-run` nothing is sent; it prints what would be published.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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
    const tarball = join(folder, tarballName(manifest));
    console.log(`${isDryRun ? "would publish" : "publishing"} ${manifest.name}@${manifest.version}`);
    const args = ["publish", tarball, "--access", "public", ...(isDryRun ? ["--dry-run"] : [])];
    // What npm says of a dry run is long; its exit code says whether it would work.
    execFileSync("npm", args, { cwd: folder, stdio: isDryRun ? ["ignore", "ignore", "pipe"] : "inherit" });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
