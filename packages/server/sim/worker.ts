/** A process that plays the seeds that `workers.ts` gives it. */

import { runSeed } from "./run.ts";
import type { Task } from "./workers.ts";

// As in `main.ts`: a seed must be the same story whichever process plays it.
await runSeed(0, { steps: 60 });
process.on("message", async ({ seed, world }: Task) => {
  process.send?.(await runSeed(seed, world));
});
process.send?.("ready");
