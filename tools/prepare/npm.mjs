// @ts-check
/** Runs npm, and never on the Node that npm may be about to replace. */

import { spawn } from "node:child_process";
import { delimiter, join, sep } from "node:path";

/**
 * @typedef {{ readonly root: string, readonly name: (pid: number) => void }} Run
 */

/**
 * Quiet unless it fails.
 *
 * @param {Run} run
 * @param {readonly string[]} words
 * @returns {Promise<void>}
 */
export function npm({ root, name }, words) {
  const [command, ...first] = npmCommand(root);
  return run(command ?? "npm", [...first, ...words], { cwd: root, env: outsideEnv(root), name });
}

/**
 * @param {string} command
 * @param {readonly string[]} words
 * @param {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv, readonly name: (pid: number) => void }} options
 * @returns {Promise<void>}
 */
export function run(command, words, { cwd, env, name }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    if (child.pid !== undefined) name(child.pid);
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    /** @type {(signal: NodeJS.Signals) => void} */
    const pass = (signal) => child.kill(signal);
    const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
    for (const signal of signals) process.on(signal, pass);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const each of signals) process.off(each, pass);
      if (code === 0) resolve();
      else
        reject(
          new Error(`${output.trim()}\n\`${words.join(" ")}\` failed (${signal ?? `exit ${code}`})`.trim()),
        );
    });
  });
}

/**
 * The npm that runs this, on the Node it runs on, if that Node lives outside; else whichever npm is on the PATH.
 *
 * @param {string} root
 * @returns {readonly string[]}
 */
function npmCommand(root) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script);
  return isNpm && node !== undefined && !isInside(root, node) ? [node, script] : ["npm"];
}

/**
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
function outsideEnv(root) {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !isInside(root, folder));
  return { ...process.env, PATH: path.join(delimiter) };
}

/**
 * @param {string} root
 * @param {string} path
 */
function isInside(root, path) {
  return `${path}${sep}`.startsWith(join(root, "node_modules") + sep);
}
