/** `holdpoint migrate`: moves from one server with a file to several servers over PostgreSQL. */

import { statSync } from "node:fs";
import { dirname } from "node:path";
import { TABLE } from "../domains.ts";
import { transferFiles } from "../store/file-port.ts";
import { copyIn, finishCopy, type RowCounts } from "../store/postgres/copy-in.ts";
import { postgresFiles } from "../store/postgres/file-table.ts";
import { openPostgresStore } from "../store/postgres/open.ts";
import { filesFolderOf, folderFiles } from "../store/sqlite/folder-files.ts";
import { HomeLock } from "../store/sqlite/home-lock.ts";
import { systemClock } from "../system/clock.ts";
import { verifyLog } from "../verify-log.ts";
import { readArgs } from "./args.ts";
import { CliError, type Command, type Io } from "./io.ts";
import { progressBar } from "./progress.ts";

const USAGE = "migrate --from sqlite:<file> --to postgres://…";

export const migrate: Command = {
  usage: USAGE,
  summary: "Copy everything into PostgreSQL; an interrupted copy can be resumed",
  async run(args, io) {
    const { values } = readArgs(args, { from: { type: "string" }, to: { type: "string" } }, USAGE);
    const { from, to } = values;
    if (from?.startsWith("sqlite:") !== true || to === undefined || !/^postgres(ql)?:\/\//.test(to))
      throw new CliError(`usage: holdpoint ${USAGE}`);
    const path = from.slice("sqlite:".length);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new CliError(`there is no database at ${path}`);
    // A running server holds this lock, so nothing changes the file during the copy.
    const lock = HomeLock.take(dirname(path), {
      pid: process.pid,
      since: new Date(io.now()).toISOString(),
      url: null,
    });
    try {
      const moved = await move(path, to, io);
      io.out(
        `${Object.entries(moved)
          .map(([table, rows]) => `${rows} ${table} rows`)
          .join(", ")} moved\n`,
      );
      io.out(
        "Start servers with HOLDPOINT_DATABASE_URL set to the new address, and keep the file as a backup.\n",
      );
      return 0;
    } finally {
      lock.release();
    }
  },
};

async function move(path: string, to: string, io: Io): Promise<RowCounts> {
  const store = await openPostgresStore({ url: to, indexes: TABLE, clock: systemClock, isImporting: true });
  try {
    const copying = progressBar("copying  ", io);
    const moved = await copyIn({ path, url: to, indexes: TABLE, onProgress: (share) => copying.at(share) });
    copying.end();
    const verifying = progressBar("verifying", io);
    const found = await verifyLog(store, { onProgress: (share) => verifying.at(share) });
    verifying.end();
    const [first] = found.breaks;
    if (first !== undefined) {
      throw new CliError(`the log is broken at event ${first.position} of ${first.stream}: ${first.what}`);
    }
    const files = postgresFiles(to);
    const uploads = await transferFiles(folderFiles(filesFolderOf(path)), files).finally(() => files.close());
    await finishCopy(to);
    return { ...moved, file: uploads };
  } finally {
    await store.close();
  }
}
