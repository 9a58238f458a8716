/** One seed: faults on, then everything healed and every hold must settle, then the checkers. */

import { placeInChat, pressInChat, pressLeftovers, replyInChat } from "./chats.ts";
import { rowsIn } from "./checkers/evidence.ts";
import { checkAll } from "./checkers/index.ts";
import * as faces from "./faces.ts";
import { HUNG } from "./far-end.ts";
import * as gate from "./gate.ts";
import * as hitl from "./hitl.ts";
import { askWrongly, waitElsewhere } from "./hostile.ts";
import { addVoters, agree, comeAndGo, placeRuled, vote, withdraw } from "./people.ts";
import { SABOTAGES } from "./sabotage.ts";
import { ADMIN, OPERATOR, Simulation, type World } from "./simulation.ts";
import { takeOver } from "./take-over.ts";
import { cutOff, setClock } from "./weather.ts";
import * as deeds from "./workload.ts";

export interface Verdict {
  readonly seed: number;
  readonly holds: number;
  readonly events: number;
  readonly crashes: number;
  readonly servers: number;
  readonly complaints: readonly string[];
}

const STEPS = 250;

export interface Story extends World {
  readonly steps?: number;
}

export async function runSeed(seed: number, { steps = STEPS, ...world }: Story = {}): Promise<Verdict> {
  const { sabotage } = world;
  const sim = new Simulation(seed, world);
  await using _backing = sim.backing;
  await sim.boot();
  while (!sim.isWhole) await sim.boot();
  for (const url of ["https://ops.example/hook", HUNG])
    await sim.call("POST", "/v1/webhooks", ADMIN, {
      ...{ url, events: ["hold.decided", "hold.expired", "hold.cancelled"] },
    });
  // A server that lost somebody it had acknowledged cannot make the team of them: it is found out before the story begins.
  const lost = await addVoters(sim).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const { crashes, servers } = sim;
  if (lost !== undefined)
    return { seed, servers, holds: 0, events: 0, crashes, complaints: [`acknowledged: ${lost}`] };
  const weights = weighted(sim, sabotage === undefined ? "" : SABOTAGES[sabotage].checker);
  for (let step = 0; step < steps; step += 1) {
    const deed = draw(weights, sim.random.next());
    await deed(sim);
    if (!sim.isUp) await deeds.crash(sim);
  }
  await heal(sim);
  const { complaints, events } = await checkAll(sim);
  return {
    seed,
    servers,
    holds: sim.ledger.placed.size,
    events,
    crashes: sim.crashes,
    complaints,
  };
}

/** What a bug of one kind shows in. A story with such a bug has much of it, so that a short one is enough. */
const SHOWN_BY: Readonly<Record<string, readonly deeds.Deed[]>> = {
  acknowledged: [deeds.place],
  chats: [placeInChat, pressInChat, replyInChat],
  proxied: [faces.runProxied],
  votes: [placeRuled, vote],
  timers: [takeOver],
  given: [faces.commentAndExtend],
  cases: [hitl.openCase, hitl.answerCase, hitl.pollCase],
  gated: [gate.publishRules, gate.performCall],
  prompt: [deeds.place, deeds.answer],
  refused: [askWrongly, waitElsewhere],
};
const OFTEN = 12;

/** Swarm: each seed likes some deeds and shuns others, so that rare mixtures come up. */
function weighted(sim: Simulation, checker: string): readonly (readonly [deeds.Deed, number])[] {
  const all: readonly (readonly [deeds.Deed, number])[] = [
    [deeds.place, 8],
    [deeds.answer, 4],
    [deeds.answerByLink, 3],
    [deeds.guess, 0.3],
    [deeds.answerOneself, 0.3],
    [deeds.cancel, 1],
    [deeds.look, 2],
    [deeds.list, 0.5],
    [deeds.claim, 1.5],
    [deeds.pass, 4],
    [deeds.crash, 0.6],
    [deeds.supervise, 1],
    [takeOver, 0.4],
    [placeRuled, 2],
    [vote, 3],
    [withdraw, 0.5],
    [comeAndGo, 0.7],
    [placeInChat, 3],
    [pressInChat, 5],
    [replyInChat, 2],
    [hitl.openCase, 2],
    [hitl.answerCase, 2],
    [hitl.pollCase, 1],
    [faces.suspendIntent, 1.5],
    [gate.publishRules, 0.3],
    [gate.performCall, 4],
    [askWrongly, 0.5],
    [waitElsewhere, 1],
    [faces.runDemo, 1],
    [faces.runProxied, 2],
    [faces.commentAndExtend, 1],
    [setClock, 0.3],
    [cutOff, 0.4],
  ];
  return all.map(([deed, weight]) => {
    const often = SHOWN_BY[checker]?.includes(deed) === true ? OFTEN : 1;
    return [deed, weight * often * sim.random.pick([0.2, 1, 1, 3])] as const;
  });
}

function draw(weights: readonly (readonly [deeds.Deed, number])[], chance: number): deeds.Deed {
  let left = chance * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [deed, weight] of weights) {
    left -= weight;
    if (left < 0) return deed;
  }
  return deeds.pass;
}

/** Everybody does their part now: what has a deadline meets it, what has none is answered, what is to be sent is sent. */
async function heal(sim: Simulation): Promise<void> {
  await sim.heal();
  for (let i = 0; i < 6; i += 1) await sim.clock.advance(3 * 3_600_000);
  await seeOverdue(sim);
  await answerEverything(sim);
  // The longest retry schedule there is.
  for (let i = 0; i < 5; i += 1) await sim.clock.advance(24 * 3_600_000);
  await pressLeftovers(sim);
  await sim.clock.advance(3_600_000);
}

/** Whoever reads a hold ends it if its time has come, so the rows themselves are looked at. The server's time is never behind the clock. */
async function seeOverdue(sim: Simulation): Promise<void> {
  for (const [id, { status, expiresAt = Number.POSITIVE_INFINITY }] of await rowsIn(sim.stored, "hold"))
    if (status === "open" && expiresAt < sim.clock.now()) sim.ledger.overdue.add(id);
}

const LAST_ANSWERS: Readonly<Record<string, object>> = {
  input: { action: "submit", data: { pin: "CANARY-last" } },
  confirmation: { action: "confirm" },
};

/** Everybody answers in the first one, unless the server forgets what it was told. */
const ROUNDS_MAX = 5;

/** People find holds in their inbox, also those whose agent never learned that they were placed. */
async function answerEverything(sim: Simulation): Promise<void> {
  for (let round = 0; ; round += 1) {
    const inbox = await sim.call("GET", "/v1/holds?status=open&limit=200", OPERATOR);
    const open = (inbox?.body.holds ?? []) as { id: string; type: string }[];
    if (open.length === 0) return;
    if (round === ROUNDS_MAX) {
      sim.ledger.surprises.push(`${open.length} holds stay open, whatever people answer`);
      return;
    }
    for (const { id, type } of open) {
      const given = LAST_ANSWERS[type] ?? { action: "approve" };
      const reply = await sim.call("POST", `/v1/holds/${id}/answer`, OPERATOR, given);
      sim.ledger.sawOutcome(id, reply?.body.outcome);
      if (reply?.status === 403) await agree(sim, id);
    }
  }
}
