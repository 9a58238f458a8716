/** `holdpoint backup` */

import { resolve } from "node:path";
import { filesFolderOf } from "../store/sqlite/folder-files.ts";
import { readArgs } from "./args.ts";
import { copyFilesTo, copyTo } from "./database.ts";
import { CliError, type Command } from "./io.ts";
import { progressBar } from "./progress.ts";

export const backup: Command = {
  usage: "backup <file>",
  summary: "Write a consistent copy of the database and its files; the server can keep running",
  async run(args, io) {
    const [file] = readArgs(args, {}, "backup <file>", 1).positionals;
    if (file === undefined) throw new CliError("usage: holdpoint backup <file>");
    const to = resolve(io.folder, file);
    const bar = progressBar("copying", io);
    await copyTo(io, to, (share) => bar.at(share));
    const files = await copyFilesTo(io, to);
    bar.end();
    io.out(files === 0 ? `${to}\n` : `${to}\n${filesFolderOf(to)} (${files} files)\n`);
    return 0;
  },
};
