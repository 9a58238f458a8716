// @ts-check
/** Which Node the scripts get: npm puts node_modules/.bin first on their PATH, and the package `node` lives there. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

const NODE_MIN = 24;

/**
 * @param {string} root
 * @returns {string | undefined} the version the scripts will run on, `undefined` when the one that came along does not run
 */
export function bundledNode(root) {
  const binary = process.platform === "win32" ? "node_modules/node/bin/node.exe" : "node_modules/.bin/node";
  try {
    return execFileSync(join(root, binary), ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

/** @param {string} version */
export function isNewEnough(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1]) >= NODE_MIN;
}

/** @param {string} version */
export function tooOld(version) {
  return [
    `Holdpoint needs Node ${NODE_MIN} or newer, and this is ${version}.`,
    "The npm package `node` should have brought a newer one, but it does not run on this machine.",
    `Install Node ${NODE_MIN} or newer from https://nodejs.org and run the command again.`,
  ].join("\n");
}
