/**
 * `holdpoint demo`: agents of four protocols, and plain ones, wait in one inbox. People answer in the browser or in this
 * terminal. Each agent continues by itself, and at the end the log is verified.
 */

import { createInterface } from "node:readline/promises";
import type { SignInOut } from "@holdpoint/protocol";
import { type Hold, isTerminalError } from "@holdpoint/protocol/client";
import { renderUnicodeCompact } from "uqr";
import { answerInteractively } from "../answer-interactively.ts";
import { readArgs } from "../args.ts";
import { clean } from "../clean.ts";
import { callServer, connectionOf, holdClientOf, reach } from "../client.ts";
import type { Command, Io } from "../io.ts";
import { painter } from "../show.ts";
import { verify } from "../verify.ts";
import type { Asked, DemoAgent, DemoKit } from "./agent.ts";
import { assistant } from "./assistant.ts";
import { compliance } from "./compliance.ts";
import { contract } from "./contract.ts";
import { plainAgents } from "./holds.ts";
import { refund } from "./refund.ts";

export const DEMO_AGENTS: readonly DemoAgent[] = [refund, compliance, assistant, contract, ...plainAgents];

interface Waiting extends Asked {
  readonly agent: DemoAgent;
}

export const demo: Command = {
  summary: "Seven agents of five protocols stop and ask; answer them and watch each continue",
  async run(args, io) {
    readArgs(args, {}, "demo");
    const { url, key } = connectionOf(io);
    const kit: DemoKit = { hp: holdClientOf(io), url, key, run: io.now().toString(36), now: () => io.now() };
    const paint = painter(io);
    const { url: inbox } = await reach(url, () => callServer<SignInOut>(io, "POST", "/v1/sign-ins", {}));
    io.out(
      `\n  ${paint("bold", "Seven agents stop and ask.")} Whatever protocol they speak, they wait in one inbox:\n`,
    );
    io.out(`  ${paint("underline", inbox)}\n`);
    const waiting: Waiting[] = [];
    for (const agent of DEMO_AGENTS) {
      const asked = await agent.ask(kit);
      io.out(await card(waiting.push({ ...asked, agent }), agent, asked.hold, kit, io));
    }
    io.out(
      `\n  ${paint("dim", "Answer in the inbox, by a link, or here by its number. Ctrl-C stops; the holds stay.")}\n\n`,
    );
    const here = answerHere(waiting, kit, io);
    await Promise.all(waiting.map((each) => goOn(each, io)));
    here.stop();
    io.out(`\n  ${paint("bold", "All answered.")} Every step is in the log. Verifying the log:\n\n`);
    return verify.run([], io);
  },
};

async function goOn({ agent, goOn: work }: Waiting, io: Io): Promise<void> {
  const done = await work();
  io.out(`  ${painter(io)("cyan", agent.name.padEnd(20))}${clean(done)}\n`);
}

/** Makes a review link for the person at the terminal. Agents of other protocols do not get one. */
async function card(n: number, agent: DemoAgent, hold: Hold, kit: DemoKit, io: Io): Promise<string> {
  const paint = painter(io);
  const link = hold.reviewUrl ?? (await linkTo(hold, kit));
  const code =
    io.isTerminal && n === 1 && link !== "" ? `\n${indent(renderUnicodeCompact(link, { border: 1 }))}` : "";
  const title = `${paint("bold", String(n))}  ${paint("cyan", agent.name.padEnd(20))}${clean(hold.prompt)}`;
  const details = `${paint("dim", `${agent.speaks.padEnd(20)}`)}${paint("underline", link)}`;
  return `\n  ${title}\n     ${details}${code}\n`;
}

/** Returns no link if the hold was answered in the meantime. */
async function linkTo({ id }: Hold, { hp }: DemoKit): Promise<string> {
  try {
    return (await hp.makeLink(id)).url ?? "";
  } catch (error) {
    if (isTerminalError(error)) return "";
    throw error;
  }
}

function indent(block: string): string {
  return block
    .split("\n")
    .map((line) => `${" ".repeat(25)}${line}`)
    .join("\n");
}

/** A number typed into the terminal opens that hold, as in `holdpoint inbox`. */
function answerHere(waiting: readonly Waiting[], { hp }: DemoKit, io: Io): { stop(): void } {
  if (!io.isTerminal || process.stdin.isTTY !== true) return { stop: () => undefined };
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const stopped = new AbortController();
  lines.once("close", () => stopped.abort());
  void (async () => {
    while (!stopped.signal.aborted) {
      const line = await lines.question("", { signal: stopped.signal });
      const chosen = waiting[Number(line.trim()) - 1];
      if (chosen !== undefined) await answerInteractively(hp, await hp.get(chosen.hold.id), lines, io);
    }
  })().catch(() => undefined);
  return {
    stop() {
      stopped.abort();
      lines.close();
    },
  };
}
