// @ts-check
/** Whether node_modules holds what package-lock.json names, and how to make it so. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * @typedef {{ readonly version?: string, readonly integrity?: string, readonly link?: boolean, readonly resolved?: string,
 *   readonly optional?: boolean, readonly optionalDependencies?: Readonly<Record<string, string>> }} Locked
 * @typedef {Readonly<Record<string, Locked>>} Packages
 * @typedef {{ readonly kind: "ready" } | { readonly kind: "adopt" } | { readonly kind: "install", readonly npm: readonly string[] }} Verdict
 */

/** Words for `npm` in every install: the same result whatever NODE_ENV or the user's settings say. */
const QUIETLY = [
  "--include=dev",
  "--include=optional",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  "--loglevel=error",
];

/**
 * What node_modules needs.
 *
 * `npm ci` deletes node_modules first, so it is only for a tree that is missing, half made or made for another platform.
 * A complete tree that is merely older gets `npm install`, which touches only what changed: a server that was started
 * from this clone goes on. A tree that somebody brought up to date by hand is adopted as it is.
 *
 * @param {string} root
 * @returns {Verdict}
 */
export function judgeInstall(root) {
  const stamp = readText(stampOf(root));
  if (stamp === expectedStamp(root)) return { kind: "ready" };
  const installed = readPackages(join(root, "node_modules/.package-lock.json"));
  const otherPlatform = stamp !== undefined && !stamp.endsWith(` ${PLATFORM}`);
  if (installed === undefined || otherPlatform) return { kind: "install", npm: ["ci", ...QUIETLY] };
  const wanted = readPackages(join(root, "package-lock.json")) ?? {};
  if (agrees(root, wanted, installed)) return { kind: "adopt" };
  return { kind: "install", npm: ["install", "--no-save", ...QUIETLY] };
}

/** @param {string} root */
export function forgetInstall(root) {
  rmSync(stampOf(root), { force: true });
}

/** @param {string} root */
export function recordInstall(root) {
  writeFileSync(stampOf(root), expectedStamp(root));
}

/**
 * Prebuilt binaries for this platform that the lockfile cannot name, because it was written where they were not to be
 * had: npm leaves such optional dependencies out of a lockfile and then never installs them.
 *
 * @param {string} root
 * @returns {readonly string[]} `name@range`
 */
export function missingBinaries(root) {
  const packages = readPackages(join(root, "package-lock.json")) ?? {};
  const wanted = Object.values(packages).flatMap((locked) =>
    Object.entries(locked.optionalDependencies ?? {}),
  );
  return wanted
    .filter(([name]) => isForThisPlatform(name) && !(`node_modules/${name}` in packages))
    .filter(([name]) => !existsSync(join(root, "node_modules", name)))
    .map(([name, range]) => `${name}@${range}`);
}

/** @param {string} name */
function isForThisPlatform(name) {
  const words = name.split(/[/-]/);
  const isMusl = words.some((word) => word.startsWith("musl"));
  return words.includes(process.platform) && words.includes(process.arch) && isMusl === onMusl();
}

function onMusl() {
  if (process.platform !== "linux") return false;
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (
    process.report?.getReport() ?? {}
  );
  return report.header?.glibcVersionRuntime === undefined;
}

/**
 * npm's record may be a copy of another clone's; a package of this repository that is not linked here is not installed.
 *
 * @param {string} root
 * @param {Packages} wanted
 * @param {Packages} installed
 */
function agrees(root, wanted, installed) {
  return Object.entries(wanted).every(([path, locked]) => {
    if (path === "") return true;
    const found = installed[path];
    if (found === undefined) return locked.optional === true;
    if (locked.link === true && !existsSync(join(root, path))) return false;
    return (
      found.version === locked.version && found.integrity === locked.integrity && found.link === locked.link
    );
  });
}

/** @param {string} root */
function stampOf(root) {
  return join(root, "node_modules/.prepared");
}

/** @param {string} root */
function expectedStamp(root) {
  const lockfile = readText(join(root, "package-lock.json")) ?? "";
  return `${createHash("sha256").update(lockfile).digest("hex")} ${PLATFORM}`;
}

/**
 * @param {string} file
 * @returns {Packages | undefined}
 */
function readPackages(file) {
  const text = readText(file);
  return text === undefined ? undefined : JSON.parse(text).packages;
}

/** @param {string} file */
function readText(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
