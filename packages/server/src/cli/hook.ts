/** `holdpoint hook`: answers coding agents before they run a tool, and writes itself into their settings. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { isObject, type Json, type JsonObject, parseDuration } from "@holdpoint/protocol/rules";
import { placeFinder } from "@holdpoint/protocol/toolcalls";
import { type AgentName, isAgentName } from "../hooks/dialect.ts";
import { runHook } from "../hooks/run-hook.ts";
import { deadlineMs, install, isInstalled, SETTINGS_FILES, uninstall } from "../hooks/settings.ts";
import { readArgs } from "./args.ts";
import { clean } from "./clean.ts";
import { type Connection, connectionAt, connectionOf, connectionTo } from "./client.ts";
import { commandLine } from "./hook-command.ts";
import { CliError, type Command, type Io } from "./io.ts";

const USAGE =
  "hook <claude|codex|cursor> [--unattended] [--wait 50s] [--home DIR | --url ADDRESS]\n       holdpoint hook install|uninstall|status <claude|codex|cursor> [--project] [--unattended] [--wait 50s] [--home DIR | --url ADDRESS] [--yes]";

const OPTIONS = {
  unattended: { type: "boolean" },
  wait: { type: "string" },
  home: { type: "string" },
  url: { type: "string" },
  project: { type: "boolean" },
  yes: { type: "boolean" },
  installed: { type: "boolean" },
} as const;

const WAIT = "50s";
type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

export const hook: Command = {
  usage: "hook install <agent>",
  summary: "Ask the rules, and people, before Claude Code, Codex or Cursor run a tool",
  async run(args, io) {
    if (isAgentName(args[0])) return answer(args[0], args.slice(1), io);
    const { values, positionals } = readArgs(args, OPTIONS, USAGE, 2);
    const [what, agent] = positionals;
    if (!isAgentName(agent)) throw new CliError(`usage: holdpoint ${USAGE}`);
    if (what === "install") return change(agent, values, io, true);
    if (what === "uninstall") return change(agent, values, io, false);
    if (what === "status") return status(agent, values, io);
    throw new CliError(`usage: holdpoint ${USAGE}`);
  },
};

/** Exit code 1 would let the call pass in some agents, so every failure here ends with 2. */
async function answer(agent: AgentName, args: readonly string[], io: Io): Promise<number> {
  try {
    const { values } = readArgs(args, OPTIONS, USAGE);
    const waitMs = waitMsOf(values);
    const deadline = AbortSignal.timeout(deadlineMs(waitMs));
    const placeOf = await placeFinder();
    const reply = await runHook(agent, await text(process.stdin), {
      client: () => clientOf(values, io),
      ...{ waitMs, deadline },
      isUnattended: values.unattended === true,
      ...(placeOf === undefined ? {} : { placeOf }),
    });
    io.out(reply.out);
    io.err(clean(reply.err));
    return reply.code;
  } catch (fault) {
    io.err(`holdpoint: ${clean((fault as Error).message)}\n`);
    return 2;
  }
}

/**
 * What `--home` or `--url` name wins over the environment and over files in the agent's folder: both may come with a repository, which
 * would then choose who judges its calls.
 */
function placeOfServer({ home, url }: Values, io: Io): Connection {
  if (home !== undefined) return connectionAt(resolve(io.folder, home));
  return url === undefined ? connectionOf(io) : connectionTo(url, io);
}

/** A hook is one short process: it gives up on a server that is away long before its agent gives up on it. */
function clientOf(values: Values, io: Io) {
  const { url, key: apiKey } = placeOfServer(values, io);
  const retry = { attemptsMax: 3, capMs: 1_000 };
  return httpHoldClient({ url, apiKey, streaming: false, retry, replyTimeoutMs: 8_000 });
}

function waitMsOf({ wait = WAIT }: Values): number {
  const ms = parseDuration(wait);
  if (ms === null) throw new CliError("--wait must be a duration such as 50s or 5m");
  return ms;
}

function fileOf(agent: AgentName, { project }: Values, io: Io): string {
  const root = project === true ? io.folder : (io.env["HOME"] ?? homedir());
  return join(root, ...SETTINGS_FILES[agent]);
}

function readSettings(path: string): JsonObject {
  if (!existsSync(path)) return {};
  let content: Json;
  try {
    content = JSON.parse(readFileSync(path, "utf8")) as Json;
  } catch (fault) {
    throw new CliError(`${path} is not JSON (${(fault as Error).message}); nothing was changed`);
  }
  if (isObject(content)) return content;
  throw new CliError(`${path} is not a JSON object; nothing was changed`);
}

async function change(agent: AgentName, values: Values, io: Io, isInstall: boolean): Promise<number> {
  const path = fileOf(agent, values, io);
  const before = readSettings(path);
  const after = isInstall
    ? install(agent, before, installationOf(agent, values, io))
    : uninstall(agent, before);
  if (JSON.stringify(before) === JSON.stringify(after)) {
    io.out(`${path} is already so; nothing was changed.\n`);
    return 0;
  }
  io.out(`${path} becomes:\n${JSON.stringify(after["hooks"] ?? {}, null, 2)}\n`);
  if (values.yes !== true && !(await agreed(io))) {
    io.out("Nothing was changed.\n");
    return 1;
  }
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) copyFileSync(path, `${path}.before-holdpoint`);
  writeFileSync(path, `${JSON.stringify(after, null, 2)}\n`);
  io.out(isInstall ? `Installed. Undo it with: holdpoint hook uninstall ${agent}\n` : "Removed.\n");
  if (isInstall && agent === "codex") io.out(TRUST);
  return 0;
}

const TRUST =
  "Codex runs a hook only after you have trusted it: start Codex, type /hooks and trust this one. Until then nothing is asked.\n";

function installationOf(agent: AgentName, values: Values, io: Io) {
  const waitMs = waitMsOf(values);
  const { url, home } = placeOfServer(values, io);
  const command = commandLine([
    ...["hook", agent, "--wait", values.wait ?? WAIT],
    ...(values.unattended === true ? ["--unattended"] : []),
    ...(home === undefined ? ["--url", url] : ["--home", home]),
  ]);
  return { command, waitMs };
}

async function agreed(io: Io): Promise<boolean> {
  if (!io.isTerminal) throw new CliError("there is no terminal to ask at; pass --yes to agree");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const said = await lines.question("Write this? [y/N] ");
  lines.close();
  return /^y(es)?$/i.test(said.trim());
}

function status(agent: AgentName, values: Values, io: Io): number {
  const path = fileOf(agent, values, io);
  const isThere = isInstalled(agent, readSettings(path));
  io.out(isThere ? `installed in ${path}\n` : `not installed in ${path}\n`);
  return isThere ? 0 : 1;
}
