/** What happens to the machine: somebody sets its clock back or forth, its disk is full, its database cannot be reached. */

import type { Deed } from "./workload.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;

/** Time itself goes on: what was due stays due, and nobody gains a second chance. */
export const setClock: Deed = async (sim) => {
  const by = sim.random.pick([400, 5 * SECOND, HOUR, 24 * HOUR]);
  sim.hasJumped = true;
  if (sim.random.chance(0.7)) await sim.clock.set(sim.clock.now() - by);
  else await sim.clock.jump(Math.min(by, HOUR));
};

/** For a while one server, or all of them, can read and write nothing. They live on, and so does what people ask of them. */
export const cutOff: Deed = async (sim) => {
  sim.cutOff(sim.random.pick([2 * SECOND, 30 * SECOND, 10 * 60 * SECOND]), sim.random.chance(0.5));
};
