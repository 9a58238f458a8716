/** `holdpoint backup` */

import { resolve } from "node:path";
import { readArgs } from "./args.ts";
import { copyTo } from "./database.ts";
import { CliError, type Command } from "./io.ts";
import { progressBar } from "./progress.ts";

export const backup: Command = {
  usage: "backup <file>",
  summary: "A consistent copy of the database, also while the server runs",
  async run(args, io) {
    const [file] = readArgs(args, {}, "backup <file>", 1).positionals;
    if (file === undefined) throw new CliError("usage: holdpoint backup <file>");
    const to = resolve(io.folder, file);
    const bar = progressBar("copying", io);
    await copyTo(io, to, (share) => bar.at(share));
    bar.end();
    io.out(`${to}\n`);
    return 0;
  },
};
