/** `holdpoint verify`: recomputes the whole log offline, from a copy, and reports whether it is intact. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Verification } from "../engine/verify.ts";
import { openSqliteCopy } from "../store/sqlite/open.ts";
import { anchorFile } from "../system/anchor-file.ts";
import { readConfig } from "../system/config.ts";
import { verifyLog } from "../verify-log.ts";
import { readArgs } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { withCopy } from "./database.ts";
import { CliError, type Command, type Io } from "./io.ts";
import { progressBar } from "./progress.ts";
import { painter } from "./show.ts";

const USAGE = "verify [--backup file] [--anchor hash]… [--json]";

const OPTIONS = {
  backup: { type: "string" },
  anchor: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

export const verify: Command = {
  usage: "verify [--backup <file>]",
  summary: "Recompute every hash and signature of the log; exit code 1 if it is broken",
  async run(args, io) {
    const { values } = readArgs(args, OPTIONS, USAGE);
    const copying = progressBar("copying  ", io);
    // Read before the copy is made: a running server signs the next one meanwhile, which the copy lacks.
    const own = values.backup === undefined ? ownAnchor(io) : [];
    const found =
      values.backup === undefined
        ? await withCopy(
            io,
            (share) => copying.at(share),
            (path) => verifyFile(path, [...(values.anchor ?? []), ...own], io),
          )
        : await verifyFile(resolve(io.folder, values.backup), values.anchor, io);
    io.out(values.json === true ? `${jsonText(found)}\n` : report(found, io));
    return found.breaks.length === 0 ? 0 : 1;
  },
};

/** The checkpoint that this machine's server signed last. A backup may be older, so it is not held against one. */
function ownAnchor(io: Io): readonly string[] {
  const signed = anchorFile(readConfig(io.env, io.folder).anchorFile).read();
  return signed === undefined ? [] : [signed.hash];
}

async function verifyFile(path: string, anchors: readonly string[] = [], io: Io): Promise<Verification> {
  if (!existsSync(path)) throw new CliError(`there is no file ${path}`);
  const store = openSqliteCopy(path);
  const bar = progressBar("verifying", io);
  try {
    return await verifyLog(store, { onProgress: (share) => bar.at(share), anchors });
  } finally {
    bar.end();
    await store.close();
  }
}

function report(found: Verification, io: Io): string {
  const paint = painter(io);
  const { events, streams, checkpoints, unsigned, erased, breaks } = found;
  const counts = `${events} events in ${streams} streams, ${checkpoints} signed checkpoints (${unsigned} events after the last), ${erased} holds erased on purpose`;
  const [first] = breaks;
  const anchor =
    found.anchor === null ? "" : `        anchor ${found.anchor} (keep it elsewhere; --anchor checks it)\n`;
  if (first === undefined) return `${paint("green", "whole")}  ${counts}\n${anchor}`;
  const rest =
    breaks.length === 1
      ? ""
      : `\n${breaks
          .slice(1)
          .map((each) => `        event ${each.position} of ${clean(each.stream)}: ${clean(each.what)}`)
          .join("\n")}`;
  return `${paint("red", "broken")}  first at event ${first.position}, number ${first.seq} of ${clean(first.stream)}: ${clean(first.what)}${rest}\n        ${counts}\n`;
}
