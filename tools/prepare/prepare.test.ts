/** Prepares throwaway clones, with an npm that only writes down what it was told. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { missingBinaries } from "./installed.mjs";
import { isNewEnough, tooOld } from "./runtime.mjs";

const tools = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Logs its words, hangs while there is a file `hang`, fails while there is a file `fail`, and otherwise leaves what npm
 * would leave: a hidden lockfile, or the output of a build.
 */
const STUB_NPM = `
import { appendFileSync, copyFileSync, existsSync, mkdirSync } from "node:fs";
const words = process.argv.slice(2);
appendFileSync("npm.log", words.filter((word) => !word.startsWith("--")).join(" ") + "\\n");
while (existsSync("hang")) await new Promise((resolve) => setTimeout(resolve, 10));
if (existsSync("fail")) { console.error("the registry is away"); process.exit(1); }
mkdirSync("node_modules", { recursive: true });
if (words[0] === "run") mkdirSync("packages/web/dist", { recursive: true });
else copyFileSync("package-lock.json", "node_modules/.package-lock.json");
`;

let root: string;
let started: ChildProcess[];

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), "holdpoint-clone-"));
  started = [];
  cpSync(join(tools, "prepare.mjs"), join(root, "tools/prepare.mjs"));
  cpSync(join(tools, "prepare"), join(root, "tools/prepare"), { recursive: true });
  write("outside/npm-cli.js", STUB_NPM);
  write("outside/package.json", `{ "type": "module" }`);
  write("package.json", "{}");
  writeLock("1.0.0");
});

afterEach(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "close");
  }
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function writeLock(version: string): void {
  write("package-lock.json", JSON.stringify({ packages: { "": {}, "node_modules/a": { version } } }));
}

function npmCalls(): readonly string[] {
  const log = join(root, "npm.log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

function start(): { child: ChildProcess; said: () => string; ended: Promise<number | null> } {
  const env = {
    ...process.env,
    npm_execpath: join(root, "outside/npm-cli.js"),
    npm_node_execpath: process.execPath,
  };
  const child = spawn(process.execPath, ["tools/prepare.mjs"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let said = "";
  child.stdout?.on("data", (chunk) => {
    said += `out: ${chunk}`;
  });
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  return { child, said: () => said, ended: once(child, "close").then(([code]) => code) };
}

async function prepare(): Promise<{ code: number | null; said: string }> {
  const { ended, said } = start();
  const code = await ended;
  return { code, said: said() };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test("a fresh clone is installed with npm ci, and the second time nothing is done or printed", async () => {
  expect(await prepare()).toEqual({
    code: 0,
    said: expect.stringMatching(/^Installing dependencies …\nInstalled in \d+ s\.\n$/),
  });
  expect(await prepare()).toEqual({ code: 0, said: "" });
  expect(npmCalls()).toEqual(["ci"]);
});

test("a new workspace package is linked, even if npm's own record lists it", async () => {
  write("packages/gate/package.json", "{}");
  const packages = { "": {}, "node_modules/@holdpoint/gate": { resolved: "packages/gate", link: true } };
  write("package-lock.json", JSON.stringify({ packages }));
  write("node_modules/.package-lock.json", JSON.stringify({ packages }));
  expect((await prepare()).code).toBe(0);
  expect(npmCalls()).toEqual(["install"]);
});

test("of two commands in a fresh clone one installs, and the other says that it waits and finds the work done", async () => {
  write("hang", "");
  const first = start();
  await until(() => npmCalls().length === 1);
  const second = start();
  await until(() => second.said().includes("\n"));
  rmSync(join(root, "hang"));
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  expect(second.said()).toBe(
    `Another command is preparing this clone (process ${first.child.pid}); waiting for it …\n`,
  );
  expect(npmCalls()).toEqual(["ci"]);
});

test("an install that was killed is taken over and started again", async () => {
  write("hang", "");
  const first = start();
  await until(() => npmCalls().length === 1);
  first.child.kill("SIGKILL");
  await first.ended;
  // Its npm is still running; when that ends too the lock is free, and what it left does not count as installed.
  write("fail", "");
  rmSync(join(root, "hang"));
  const second = start();
  await until(() => npmCalls().length === 2);
  await second.ended;
  rmSync(join(root, "fail"));
  expect(await prepare()).toMatchObject({ code: 0 });
  expect(npmCalls()).toEqual(["ci", "ci", "ci"]);
});

test("a failed install prints the reason, fails the command and is tried again next time", async () => {
  write("fail", "");
  expect(await prepare()).toEqual({ code: 1, said: expect.stringContaining("the registry is away") });
  rmSync(join(root, "fail"));
  expect(await prepare()).toMatchObject({ code: 0 });
});

test("a stopped install stops npm and leaves the lock free", async () => {
  write("hang", "");
  const first = start();
  await until(() => npmCalls().length === 1);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(1);
  rmSync(join(root, "hang"));
  expect(await prepare()).toMatchObject({ code: 0, said: expect.not.stringContaining("waiting") });
});

test("a changed lockfile is installed with npm install, so that programs running from this clone keep working", async () => {
  await prepare();
  writeLock("2.0.0");
  expect(await prepare()).toMatchObject({ code: 0 });
  expect(npmCalls()).toEqual(["ci", "install"]);
});

test("an install made by hand is accepted without output", async () => {
  await prepare();
  writeLock("2.0.0");
  cpSync(join(root, "package-lock.json"), join(root, "node_modules/.package-lock.json"));
  expect(await prepare()).toEqual({ code: 0, said: "" });
  expect(npmCalls()).toEqual(["ci"]);
});

test("a node_modules folder made on another platform is installed again", async () => {
  await prepare();
  write("node_modules/.prepared", "abc sunos-sparc");
  await prepare();
  expect(npmCalls()).toEqual(["ci", "ci"]);
});

test("install scripts of approved packages are run by name where npm ignores them", async () => {
  write("package.json", JSON.stringify({ allowScripts: { node: true, elsewhere: true } }));
  write("node_modules/node/package.json", "{}");
  expect(await prepare()).toMatchObject({ code: 0 });
  expect(npmCalls()).toEqual(["ci", "rebuild node"]);
});

test("pages are built only when one of their sources changed", async () => {
  write("packages/web/package.json", JSON.stringify({ scripts: { build: "vite build" } }));
  write("packages/web/src/page.ts", "1");
  expect(await prepare()).toMatchObject({ code: 0, said: expect.stringContaining("Building the pages …\n") });
  expect(await prepare()).toEqual({ code: 0, said: "" });
  write("packages/web/src/page.test.ts", "tests are no source of a page");
  expect(await prepare()).toEqual({ code: 0, said: "" });
  write("packages/protocol/src/rules/ask.ts", "2");
  expect(await prepare()).toEqual({ code: 0, said: "Building the pages …\n" });
  expect(npmCalls()).toEqual(["ci", "run build packages/web", "run build packages/web"]);
});

test("a package without a build script is not built", async () => {
  write("packages/web/package.json", "{}");
  await prepare();
  expect(npmCalls()).toEqual(["ci"]);
});

test("missingBinaries names the binaries of this platform that the lockfile lacks", () => {
  const own = `@tool/cli-${process.platform}-${process.arch}`;
  const optionalDependencies = { [own]: "1.2.3", "@tool/cli-sunos-sparc": "1.2.3" };
  write(
    "package-lock.json",
    JSON.stringify({ packages: { "": {}, "node_modules/tool": { optionalDependencies } } }),
  );
  expect(missingBinaries(root)).toEqual([`${own}@1.2.3`]);
  write(`node_modules/${own}/package.json`, "{}");
  expect(missingBinaries(root)).toEqual([]);
});

test("an old Node is refused with what to do", () => {
  expect(["v18.20.1", "v23.9.0", "v24.0.0", "v26.10.0"].map(isNewEnough)).toEqual([false, false, true, true]);
  expect(tooOld("v20.1.0")).toContain("needs Node 24 or newer, and this is v20.1.0");
});
