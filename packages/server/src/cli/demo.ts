/** `holdpoint demo`: one hold of every type, waiting; the answers appear as they come. */

import type { Hold } from "@holdpoint/sdk";
import { renderUnicodeCompact } from "uqr";
import { connectionOf, holdpointOf, reach } from "./client.ts";
import { DEMO_HOLDS } from "./demo-holds.ts";
import type { Command, Io } from "./io.ts";
import { outcomeText, painter } from "./show.ts";

export const demo: Command = {
  summary: "Place a hold of every type and watch the answers come",
  async run(_args, io) {
    const hp = holdpointOf(io);
    const { url } = connectionOf(io);
    const paint = painter(io);
    const run = io.now().toString(36);
    io.out(
      `\n  ${paint("bold", "Six agents stop and ask.")} Open a link (or scan it) and answer; the waiting agent goes on at once.\n`,
    );
    const holds: Hold[] = [];
    for (const { name, place } of DEMO_HOLDS) {
      const hold = await reach(url, () => hp.place({ ...place, key: `demo:${run}:${name}` }));
      holds.push(hold);
      io.out(card(name, hold, io));
    }
    io.out(`\n  ${paint("dim", "Waiting for your answers. Ctrl-C stops watching; the holds stay.")}\n\n`);
    await Promise.all(holds.map((hold, i) => watch(hp, hold, DEMO_HOLDS[i]?.name ?? hold.type, io)));
    io.out(
      `\n  All answered. Every step is in the log: ${paint("bold", "npm run holdpoint -- verify")} re-computes it.\n\n`,
    );
    return 0;
  },
};

function card(name: string, hold: Hold, io: Io): string {
  const paint = painter(io);
  const url = hold.reviewUrl ?? "";
  const code = io.isTerminal ? `\n${indent(renderUnicodeCompact(url, { border: 1 }))}` : "";
  return `\n  ${paint("cyan", name.padEnd(13))}${hold.prompt}\n  ${" ".repeat(13)}${paint("underline", url)}${code}\n`;
}

function indent(block: string): string {
  return block
    .split("\n")
    .map((line) => `${" ".repeat(15)}${line}`)
    .join("\n");
}

async function watch(hp: ReturnType<typeof holdpointOf>, hold: Hold, name: string, io: Io): Promise<void> {
  const { outcome } = await hp.wait(hold.id);
  if (outcome !== undefined) io.out(`  ${painter(io)("cyan", name.padEnd(13))}${outcomeText(outcome, io)}\n`);
}
