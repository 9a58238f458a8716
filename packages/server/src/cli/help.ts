/** `holdpoint help` */

import type { Command } from "./io.ts";

export function help(commands: () => Readonly<Record<string, () => Promise<Command>>>): Command {
  return {
    summary: "Show this list",
    async run(args, io) {
      const [unknown] = args;
      if (unknown !== undefined && !unknown.startsWith("-"))
        io.err(`holdpoint: there is no command "${unknown}"\n\n`);
      const all = await Promise.all(
        Object.entries(commands()).map(async ([name, load]) => [name, await load()] as const),
      );
      const width = Math.max(...all.map(([name, { usage }]) => (usage ?? name).length)) + 2;
      io.out("holdpoint <command>\n\n");
      for (const [name, { summary, usage }] of all) io.out(`  ${(usage ?? name).padEnd(width)}${summary}\n`);
      return unknown === undefined || unknown.startsWith("-") ? 0 : 2;
    },
  };
}
