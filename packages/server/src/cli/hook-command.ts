/** The command line by which an agent starts this program again, whatever its own search path is. */

import { MARK } from "../hooks/settings.ts";

export function commandLine(args: readonly string[]): string {
  const [program = ""] = process.argv.slice(1);
  return [process.execPath, ...process.execArgv, program, ...args, MARK].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
