/** `holdpoint start`: serves until it gets a stop signal, and prints once where and how to sign in. */

import { flushCompileCache } from "node:module";
import { styleText } from "node:util";
import type { Credentials } from "@holdpoint/protocol/client";
import { newSignIn } from "../identity/sign-in.ts";
import { SYSTEM } from "../kernel/principal.ts";
import { credentialsPath, localCredentials } from "../local-credentials.ts";
import { type Serving, serve } from "../serve.ts";
import type { Server } from "../server.ts";
import { systemClock } from "../system/clock.ts";
import { readConfig } from "../system/config.ts";
import { keepCompiledCode } from "../system/keep-compiled-code.ts";
import { releaseStartMemory } from "../system/release-start-memory.ts";
import { readArgs } from "./args.ts";
import { clean } from "./clean.ts";
import { CONSOLE, DEMO, RECOVER } from "./how-to-run.ts";
import type { Command, Io } from "./io.ts";

/** What people try to give as options is read from the environment or a file, so that a restart finds it again. */
const USAGE =
  "start\nSettings come from the environment or the configuration file, as in: HOLDPOINT_PORT=4200 holdpoint start (HOLDPOINT_HOST, HOLDPOINT_HOME …)";

export const start: Command = {
  summary: "Serve holds, timers, pages and the API",
  async run(args, io) {
    readArgs(args, {}, USAGE);
    const config = readConfig(io.env, io.folder);
    const serving = await serve(config, io.env, (entry) => {
      io.err(`${new Date(io.now()).toISOString()} ${entry.level} ${entry.place}: ${clean(entry.message)}\n`);
    });
    try {
      io.out(await greeting(serving, io));
      // Where Node keeps compiled code (NODE_COMPILE_CACHE): after V8's flags were changed it would not be written.
      flushCompileCache();
      releaseStartMemory();
      keepCompiledCode();
    } catch (fault) {
      await serving.close();
      throw fault;
    }
    const signal = await stopSignal();
    io.err("holdpoint: stopping; finishing open requests\n");
    // On Ctrl-C there is no load balancer to drain, so the server stops at once.
    await serving.close(signal === "SIGTERM" ? after(config.drainMs) : undefined);
    return 0;
  },
};

/** What a start prints. */
export async function greeting({ server, config, address }: Serving, io: Io): Promise<string> {
  const url = config.port === 0 ? address : config.publicUrl;
  const credentials = config.allowDev ? await localCredentials(server, config.home, url) : undefined;
  // A link that signs in as an admin belongs on a screen that only its owner sees, never in a log.
  const signIn = config.isLocal && io.isTerminal ? await signInLink(server, url) : undefined;
  return welcome({ url, address, signIn, key: credentials && keyWords(credentials, config.home, io) }, io);
}

/** The key, too, never stands in a log. */
function keyWords({ apiKey }: Credentials, home: string, { isTerminal }: Io): string {
  return isTerminal ? apiKey : `in ${credentialsPath(home)}`;
}

/** A one-time link that signs in. */
async function signInLink({ engine, ids }: Server, url: string): Promise<string> {
  const made = await newSignIn(engine, ids, {
    workspace: "default",
    by: SYSTEM,
    name: "operator",
    role: "admin",
  });
  if (!made.ok) throw new Error(`cannot make a sign-in link: ${made.failure.message}`);
  return `${url}/signin?token=${made.token}`;
}

const SIGN_IN = `for a sign-in link run: ${CONSOLE}, or on the machine itself: ${RECOVER}`;

interface Welcome {
  readonly url: string;
  readonly address: string;
  readonly signIn: string | undefined;
  readonly key: string | undefined;
}

function welcome({ url, address, signIn, key }: Welcome, io: Io): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    io.isTerminal ? styleText(style, text) : text;
  const line = (name: string, value: string) => `  ${paint("dim", name.padEnd(9))}${value}\n`;
  return [
    `\n  ${paint("bold", "Holdpoint")} is holding.\n\n`,
    line("address", address === url ? url : `${url}  ${paint("dim", `(${address})`)}`),
    line("console", signIn === undefined ? `${url}/console  (${SIGN_IN})` : paint("cyan", signIn)),
    key === undefined ? "" : line("dev key", key),
    `\n  Next, in another terminal: ${paint("bold", DEMO)}\n\n`,
  ].join("");
}

function stopSignal(): Promise<"SIGINT" | "SIGTERM"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(signal));
  });
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.at(systemClock.now() + ms, resolve);
  });
}
