/** `holdpoint help` */

import type { Command } from "./io.ts";

export function help(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    summary: "Show this",
    async run(args, io) {
      const [unknown] = args;
      if (unknown !== undefined && !unknown.startsWith("-"))
        io.err(`holdpoint: there is no command "${unknown}"\n\n`);
      const all = Object.entries(commands());
      const width = Math.max(...all.map(([name, { usage }]) => (usage ?? name).length)) + 2;
      io.out("holdpoint <command>\n\n");
      for (const [name, { summary, usage }] of all) io.out(`  ${(usage ?? name).padEnd(width)}${summary}\n`);
      return unknown === undefined || unknown.startsWith("-") ? 0 : 2;
    },
  };
}
