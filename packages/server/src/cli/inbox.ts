/** `holdpoint inbox`: lists open holds live and answers them line by line, so that it works in any terminal. */

import { createInterface } from "node:readline/promises";
import type { Hold, HoldClient } from "@holdpoint/protocol/client";
import { answerInteractively } from "./answer-interactively.ts";
import { readArgs } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { connectionOf, holdClientOf, reach } from "./client.ts";
import { followChanges } from "./follow-changes.ts";
import type { Command, Io } from "./io.ts";
import { holdLine, painter } from "./show.ts";

export const inbox: Command = {
  usage: "inbox [--json]",
  summary: "List the open holds and answer them here",
  async run(args, io) {
    const { values } = readArgs(args, { json: { type: "boolean" } }, "inbox [--json]");
    const hp = holdClientOf(io);
    const { url } = connectionOf(io);
    const open = await reach(url, () => allOpen(hp));
    if (values.json === true) io.out(`${jsonText({ holds: open })}\n`);
    else if (!io.isTerminal || process.stdin.isTTY !== true)
      for (const hold of open) io.out(`${holdLine(hold, io, io.now())}\n`);
    else await converse(hp, open, io);
    return 0;
  },
};

async function allOpen(hp: HoldClient): Promise<readonly Hold[]> {
  const holds: Hold[] = [];
  let cursor: string | undefined;
  do {
    const page = await hp.list({ status: "open", limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    holds.push(...page.holds);
    cursor = page.nextCursor;
  } while (cursor !== undefined && holds.length < 1_000);
  return holds.toSorted(byUrgency);
}

/** The soonest to expire first. Holds without an expiry come last, oldest first. */
function byUrgency(a: Hold, b: Hold): number {
  const end = (hold: Hold) =>
    hold.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(hold.expiresAt);
  return end(a) === end(b) ? a.createdAt.localeCompare(b.createdAt) : end(a) - end(b);
}

async function converse(hp: HoldClient, first: readonly Hold[], io: Io): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const stop = new AbortController();
  lines.once("close", () => stop.abort());
  let holds = first;
  const show = () => io.out(listText(holds, io));
  void followChanges(hp, {
    signal: stop.signal,
    async changed() {
      holds = await allOpen(hp);
      show();
    },
    lost: (why) =>
      io.err(`\nholdpoint: ${clean(why)}. Changes are no longer shown; press Enter to refresh\n`),
  });
  show();
  try {
    while (!stop.signal.aborted) {
      const line = (await lines.question("> ", { signal: stop.signal })).trim();
      if (line === "q" || line === "quit") break;
      const hold = holds[Number(line) - 1];
      if (hold !== undefined) await answerInteractively(hp, hold, lines, io);
      holds = await allOpen(hp);
      show();
    }
  } catch (fault) {
    if ((fault as Error).name !== "AbortError") throw fault;
  } finally {
    stop.abort();
    lines.close();
  }
}

function listText(holds: readonly Hold[], io: Io): string {
  const paint = painter(io);
  if (holds.length === 0)
    return `\n  ${paint("dim", "Nothing is waiting. New questions appear here; q quits.")}\n`;
  const rows = holds.map(
    (hold, i) => `  ${paint("bold", String(i + 1).padStart(3))}  ${holdLine(hold, io, io.now())}`,
  );
  return `\n${rows.join("\n")}\n  ${paint("dim", "A number opens one, Enter refreshes, q quits.")}\n`;
}
