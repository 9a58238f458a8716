/**
 * `npm run packages -- [folder]`: every package as it is published, one tarball each. Here sources run as they are; what is
 * published is JavaScript with types, for Node versions and bundlers that do not read TypeScript.
 */

import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleEntries, compile, pack, publishedPackages, stage } from "./pack/stage.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, "dist"));

const packages = publishedPackages(root);
const staging = join(folder, "staging");
rmSync(staging, { recursive: true, force: true });
mkdirSync(staging, { recursive: true });
compile(root, packages, staging);
await bundleEntries(root, staging);
for (const each of packages) {
  stage(root, each, staging);
  console.log(join(folder, pack(join(staging, each.folder), folder)));
}
rmSync(staging, { recursive: true });
