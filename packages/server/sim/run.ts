/** One seed: faults on, then everything healed and every hold must settle, then the checkers. */

import { checkAll } from "./checkers/index.ts";
import { addVoters, agree, comeAndGo, placeRuled, vote, withdraw } from "./people.ts";
import type { Sabotage } from "./sabotage.ts";
import { ADMIN, OPERATOR, Simulation } from "./simulation.ts";
import * as deeds from "./workload.ts";

export interface Verdict {
  readonly seed: number;
  readonly holds: number;
  readonly events: number;
  readonly crashes: number;
  readonly complaints: readonly string[];
}

const STEPS = 250;

export async function runSeed(seed: number, sabotage?: Sabotage, steps = STEPS): Promise<Verdict> {
  const sim = new Simulation(seed, sabotage);
  await sim.boot();
  while (!sim.isUp) await sim.boot();
  await sim.call("POST", "/v1/webhooks", ADMIN, {
    url: "https://ops.example/hook",
    events: ["hold.decided", "hold.expired", "hold.cancelled"],
  });
  await addVoters(sim);
  const weights = weighted(sim);
  for (let step = 0; step < steps; step += 1) {
    const deed = draw(weights, sim.random.next());
    await deed(sim);
    if (!sim.isUp) await deeds.crash(sim);
  }
  await heal(sim);
  const complaints = await checkAll(sim);
  return {
    seed,
    holds: sim.ledger.placed.size,
    events: sim.data.events.length,
    crashes: sim.crashes,
    complaints,
  };
}

/** Swarm: each seed likes some deeds and shuns others, so that rare mixtures come up. */
function weighted(sim: Simulation): readonly (readonly [deeds.Deed, number])[] {
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
    [placeRuled, 2],
    [vote, 3],
    [withdraw, 0.5],
    [comeAndGo, 0.7],
  ];
  return all.map(([deed, weight]) => [deed, weight * sim.random.pick([0.2, 1, 1, 3])] as const);
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
  await answerEverything(sim);
  // The longest retry schedule there is.
  for (let i = 0; i < 5; i += 1) await sim.clock.advance(24 * 3_600_000);
}

/** What is still open then never ends, and the checkers say so. */
const ROUNDS_MAX = 20;

/** People find holds in their inbox, also those whose agent never learned that they were placed. */
async function answerEverything(sim: Simulation): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const inbox = await sim.call("GET", "/v1/holds?status=open&limit=200", OPERATOR);
    const open = (inbox?.body.holds ?? []) as { id: string; type: string }[];
    if (open.length === 0) return;
    for (const { id, type } of open) {
      const given =
        type === "input" ? { action: "submit", data: { pin: "CANARY-last" } } : { action: "approve" };
      const reply = await sim.call("POST", `/v1/holds/${id}/answer`, OPERATOR, given);
      sim.ledger.sawOutcome(id, reply?.body.outcome);
      if (reply?.status === 403) await agree(sim, id);
    }
  }
}
