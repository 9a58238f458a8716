/**
 * `holdpoint init`: writes a first script into the current folder and runs it. It installs the SDK if it is missing, and starts a
 * server for as long as the script runs if none is running.
 */

import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { localCredentials } from "../../local-credentials.ts";
import { serve } from "../../serve.ts";
import { readConfig } from "../../system/config.ts";
import { VERSION } from "../../version.ts";
import { readArgs } from "../args.ts";
import { clean } from "../clean.ts";
import { connectionOf } from "../client.ts";
import { START } from "../how-to-run.ts";
import { CliError, type Command, type Io } from "../io.ts";
import { FIRST_SCRIPT, LANGUAGES, type Language } from "./first-script.ts";

const USAGE = "init [--ts | --js]";
const SDK = "@holdpoint/sdk";
const REACH_MS = 2_000;

export const init: Command = {
  usage: USAGE,
  summary: "Write a first script into this folder and run it, with a server if none is running",
  async run(args, io) {
    const { values } = readArgs(args, { ts: { type: "boolean" }, js: { type: "boolean" } }, USAGE);
    if (values.ts === true && values.js === true) throw new CliError(`choose one\nusage: holdpoint ${USAGE}`);
    const file = writeScript(languageOf(values, io), io);
    await installSdk(io);
    const stop = await serveIfNobodyDoes(io);
    try {
      io.out(`Running node ${file}\n\n`);
      return await runNode([...process.execArgv, file], io);
    } finally {
      await stop();
      io.out(
        `\nNext: \`${START}\` in one terminal, \`node ${file}\` in another. Change ${file} as you like.\n`,
      );
    }
  },
};

function languageOf({ ts, js }: { readonly ts?: boolean; readonly js?: boolean }, { folder }: Io): Language {
  const isTypeScript = ts ?? (js !== true && existsSync(join(folder, "tsconfig.json")));
  if (!isTypeScript) return "js";
  return isCommonJs(folder) ? "mts" : "ts";
}

/** Whether the nearest `package.json` says that its files are CommonJS modules. */
function isCommonJs(folder: string): boolean {
  const manifest = join(folder, "package.json");
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, "utf8")).type === "commonjs";
  return folder !== dirname(folder) && isCommonJs(dirname(folder));
}

function writeScript(language: Language, { folder, out }: Io): string {
  const file = LANGUAGES[language];
  const isThere = existsSync(join(folder, file));
  if (!isThere) writeFileSync(join(folder, file), FIRST_SCRIPT);
  out(isThere ? `${file} is here already and stays as it is\n` : `Wrote ${file}\n`);
  return file;
}

async function installSdk(io: Io): Promise<void> {
  if (hasSdk(io.folder)) return;
  const manifest = join(io.folder, "package.json");
  // Without one, npm would install into whichever folder above has one.
  if (!existsSync(manifest)) writeFileSync(manifest, '{\n  "private": true,\n  "type": "module"\n}\n');
  io.out(`Installing ${SDK}\n`);
  const code = await runCommand("npm", ["install", "--no-audit", "--no-fund", `${SDK}@${VERSION}`], io);
  if (code !== 0)
    throw new CliError(`npm could not install ${SDK}. Install it, then run \`holdpoint init\` again`);
}

function hasSdk(folder: string): boolean {
  try {
    createRequire(join(folder, "script.js")).resolve(SDK);
    return true;
  } catch {
    return false;
  }
}

/** Returns a function that stops what was started. */
async function serveIfNobodyDoes(io: Io): Promise<() => Promise<void>> {
  if (await isServed(io)) return async () => undefined;
  const config = readConfig(io.env, io.folder);
  const serving = await serve(config, io.env, (entry) => io.err(`${entry.place}: ${clean(entry.message)}\n`));
  const url = config.port === 0 ? serving.address : config.publicUrl;
  await localCredentials(serving.server, config.home, url);
  io.out(`Started a server at ${url}; it stops with the script\n`);
  return () => serving.close();
}

async function isServed(io: Io): Promise<boolean> {
  try {
    const { url } = connectionOf(io);
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(REACH_MS) })).ok;
  } catch {
    return false;
  }
}

function runNode(args: readonly string[], io: Io): Promise<number> {
  return runCommand(process.execPath, args, io);
}

/** Ctrl-C goes to the child too; when it has ended, we clean up. */
async function runCommand(command: string, args: readonly string[], io: Io): Promise<number> {
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: io.folder,
        env: { ...process.env, ...io.env },
        stdio: ["ignore", "pipe", "pipe"],
        shell: process.platform === "win32" && command === "npm",
      });
      child.stdout.on("data", (chunk: Buffer) => io.out(chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => io.err(chunk.toString()));
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 130));
    });
  } finally {
    process.off("SIGINT", ignore);
  }
}
