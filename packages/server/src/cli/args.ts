/** Arguments, read by declaration; what is wrong is said with the command's usage. */

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { CliError } from "./io.ts";

export function readArgs<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
  /** How many words the command takes; one more is a mistake, and never left out in silence. */
  wordsMax = 0,
) {
  const read = parsed(args, options, usage);
  const extra = read.positionals[wordsMax];
  if (extra === undefined) return read;
  throw new CliError(
    `what is "${extra}"? Put words that belong together in quotes\nusage: holdpoint ${usage}`,
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
  throw new CliError(`--${name} wants a JSON object`);
}
