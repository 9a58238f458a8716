/** `holdpoint help`, and every other way in which people ask for it. */

import { VERSION } from "../version.ts";
import type { Command, Io } from "./io.ts";

type Commands = Readonly<Record<string, () => Promise<Command>>>;

const HELP = new Set(["--help", "-h"]);
const VERSIONS = new Set(["--version", "-v"]);

/**
 * Which command these words run, and with what. `holdpoint verify --help` is `holdpoint help verify`.
 *
 * The wish for help must be the only word after the command. Anywhere else it may be the value of a variable in somebody's script
 * (`holdpoint ask "Pay?" --key "$TICKET" && pay`), and exit code 0 would be taken for an approval: the command's own parser refuses it.
 */
export function requested(
  [name = "help", ...args]: readonly string[],
  commands: Commands,
): readonly [name: string, args: readonly string[]] {
  if (!Object.hasOwn(commands, name)) return ["help", [name]];
  const [word = ""] = args;
  return args.length === 1 && HELP.has(word) ? ["help", [name, word]] : [name, args];
}

export function help(commands: () => Commands): Command {
  return {
    summary: "Show this list, or how one command is used",
    usage: "help [command]",
    async run([about, asOption], io) {
      if (about !== undefined && VERSIONS.has(about)) {
        io.out(`${VERSION}\n`);
        return 0;
      }
      const all = commands();
      const load = about !== undefined && Object.hasOwn(all, about) ? all[about] : undefined;
      if (load !== undefined) {
        const { summary, usage = about, details, helpCode = 0 } = await load();
        io.out(`${summary}\n\nusage: holdpoint ${usage}\n`);
        if (details !== undefined) io.out(`\n${details}\n`);
        return asOption === undefined ? 0 : helpCode;
      }
      const isMistake = about !== undefined && !HELP.has(about);
      if (isMistake) io.err(`holdpoint: there is no command "${about}"\n\n`);
      await list(all, io);
      return isMistake ? 2 : 0;
    },
  };
}

async function list(commands: Commands, io: Io): Promise<void> {
  const all = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => [name, await load()] as const),
  );
  const width = Math.max(...all.map(([name, { usage }]) => (usage ?? name).length)) + 2;
  io.out("holdpoint <command>\n\n");
  for (const [name, { summary, usage }] of all) io.out(`  ${(usage ?? name).padEnd(width)}${summary}\n`);
}
