#!/usr/bin/env node
/** `holdpoint <command>`: what an operator types. Each command is one file; this one only finds it and says what went wrong. */

import { systemClock } from "../system/clock.ts";
import { commands } from "./commands.ts";
import { CliError, type Io } from "./io.ts";

const io: Io = {
  env: process.env,
  folder: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  now: () => systemClock.now(),
};

/** What went wrong is in their message; where it was thrown helps nobody at a terminal. */
const SAID_PLAINLY: ReadonlySet<string> = new Set([
  "ConfigError",
  "StoreError",
  "StoreUnavailable",
  "TerminalError",
  "RetryableError",
]);

/**
 * Whoever read what is said here may be gone (`| head`), or the disk it goes to be full. That ends no server and turns no answer
 * into another; only that words were lost, and not because nobody wanted them, shows in the exit code.
 */
process.stderr.on("error", () => undefined);
process.stdout.on("error", (fault: NodeJS.ErrnoException) => {
  if (fault.code === "EPIPE") return;
  process.once("exit", () => {
    process.exitCode ||= 1;
  });
});

const [name = "help", ...args] = process.argv.slice(2);
const isCommand = Object.hasOwn(commands, name);
const load = commands[isCommand ? name : "help"];

try {
  const command = await load?.();
  process.exitCode = await command?.run(isCommand ? args : [name], io);
} catch (fault) {
  if (!(fault instanceof Error)) throw fault;
  const known = fault instanceof CliError || SAID_PLAINLY.has(fault.name);
  io.err(known ? `holdpoint: ${fault.message}\n` : `holdpoint: ${fault.stack ?? fault.message}\n`);
  process.exitCode = 1;
}
