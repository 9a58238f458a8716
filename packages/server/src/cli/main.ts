#!/usr/bin/env node

/** `holdpoint <command>`: the operator's command line. Each command is one file; this one loads it and prints its errors. */

import { systemClock } from "../system/clock.ts";
import { clean } from "./clean.ts";
import { commands } from "./commands.ts";
import { requested } from "./help.ts";
import { CliError, type Io } from "./io.ts";

const io: Io = {
  env: process.env,
  folder: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  now: () => systemClock.now(),
};

/** Errors whose message is enough; a stack trace would not help at a terminal. */
const WITHOUT_STACK: ReadonlySet<string> = new Set([
  "ConfigError",
  "StoreError",
  "StoreUnavailable",
  "TerminalError",
  "RetryableError",
]);

/**
 * The reader of the output may be gone (`| head`), or its disk may be full. Neither stops a server or changes an exit code
 * that reports an answer. A lost write for any reason except a closed pipe turns exit code 0 into 1.
 */
process.stderr.on("error", () => undefined);
process.stdout.on("error", (fault: NodeJS.ErrnoException) => {
  if (fault.code === "EPIPE") return;
  process.once("exit", () => {
    process.exitCode ||= 1;
  });
});

const [name, args] = requested(process.argv.slice(2), commands);

try {
  const command = await commands[name]?.();
  process.exitCode = await command?.run(args, io);
} catch (fault) {
  if (!(fault instanceof Error)) throw fault;
  const known = fault instanceof CliError || WITHOUT_STACK.has(fault.name);
  // A server's words may repeat what an agent wrote.
  io.err(`holdpoint: ${clean(known ? fault.message : (fault.stack ?? fault.message))}\n`);
  process.exitCode = 1;
}
