/** Every checker, apart from the workload: they see what was told and what is stored, and nothing else. */

import type { Simulation } from "../simulation.ts";
import { acknowledged } from "./acknowledged.ts";
import { cases } from "./cases.ts";
import { chains } from "./chains.ts";
import { chats } from "./chats.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { gated } from "./gated.ts";
import { given } from "./given.ts";
import { messages } from "./messages.ts";
import { once } from "./once.ts";
import { prompt } from "./prompt.ts";
import { proxied } from "./proxied.ts";
import { refused } from "./refused.ts";
import { secrets } from "./secrets.ts";
import { timers } from "./timers.ts";
import { votes } from "./votes.ts";

export type Checker = (evidence: Evidence) => readonly string[] | Promise<readonly string[]>;

const CHECKERS: Readonly<Record<string, Checker>> = {
  acknowledged,
  once,
  given,
  timers,
  messages,
  chains,
  secrets,
  votes,
  proxied,
  chats,
  cases,
  gated,
  refused,
  prompt,
};

export async function checkAll(
  sim: Simulation,
): Promise<{ readonly complaints: readonly string[]; readonly events: number }> {
  await sim.shutDown();
  const evidence = await evidenceOf(sim, await sim.backing.open(sim.clock));
  const complaints: string[] = [];
  for (const [name, check] of Object.entries(CHECKERS)) {
    for (const complaint of await check(evidence)) complaints.push(`${name}: ${complaint}`);
  }
  return { complaints, events: evidence.events.length };
}
