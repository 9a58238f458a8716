// @ts-check
/** Whether what must be built has been built from the sources as they are now. */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{ readonly name: string, readonly folder: string, readonly output: string, readonly sources: readonly string[] }} Build
 */

/** @type {readonly Build[]} */
const BUILDS = [
  {
    name: "the pages",
    folder: "packages/web",
    output: "packages/web/dist",
    sources: [
      "packages/web",
      "packages/react/src",
      "packages/protocol/src",
      "package-lock.json",
      "tsconfig.json",
    ],
  },
];

const NOT_SOURCE = new Set(["node_modules", "dist", "coverage"]);

/**
 * @param {string} root
 * @returns {readonly Build[]}
 */
export function dueBuilds(root) {
  return BUILDS.filter((build) => hasBuildScript(root, build) && !isBuilt(root, build));
}

/**
 * @param {string} root
 * @param {Build} build
 */
export function forgetBuild(root, build) {
  rmSync(stampOf(root, build), { force: true });
}

/**
 * @param {string} root
 * @param {Build} build
 */
export function recordBuild(root, build) {
  writeFileSync(stampOf(root, build), digestOf(root, build));
}

/**
 * @param {string} root
 * @param {Build} build
 */
function hasBuildScript(root, build) {
  const manifest = join(root, build.folder, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).scripts?.build !== undefined;
}

/**
 * @param {string} root
 * @param {Build} build
 */
function isBuilt(root, build) {
  const stamp = stampOf(root, build);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digestOf(root, build);
}

/**
 * Of contents, not of times: a checkout of an older commit makes newer files.
 *
 * @param {string} root
 * @param {Build} build
 */
function digestOf(root, build) {
  const hash = createHash("sha256");
  for (const file of build.sources.flatMap((source) => filesIn(root, source)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {readonly string[]}
 */
function filesIn(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (path.includes(".json")) return [path];
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_SOURCE.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) return [];
    const inner = `${path}/${entry.name}`;
    return entry.isDirectory() ? filesIn(root, inner) : [inner];
  });
}

/**
 * @param {string} root
 * @param {Build} build
 */
function stampOf(root, build) {
  return join(root, build.output, ".built");
}
