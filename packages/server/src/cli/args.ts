/** Parses arguments by declaration. An error ends with the command's usage. */

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { CliError } from "./io.ts";

export function readArgs<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
  /** The number of positional arguments the command takes. One more is an error. */
  wordsMax = 0,
) {
  const read = parsed(args, options, usage);
  const extra = read.positionals[wordsMax];
  if (extra === undefined) return read;
  throw new CliError(
    `unexpected argument "${extra}". Put an argument with spaces in quotes\nusage: holdpoint ${usage}`,
  );
}

function parsed<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (fault) {
    throw new CliError(`${(fault as Error).message}\nusage: holdpoint ${usage}`);
  }
}

export function readJsonArg(text: string | undefined, name: string): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {}
  throw new CliError(`--${name} must be a JSON object`);
}
