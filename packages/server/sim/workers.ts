/** Seeds are stories of their own, so several processes can play them at once. Each takes the next seed when it is done with one. */

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Verdict } from "./run.ts";
import type { World } from "./simulation.ts";

export interface Seeds {
  readonly from: number;
  readonly count: number;
  readonly world: World;
}

/** What a worker is told to play; it answers with the verdict. */
export interface Task {
  readonly seed: number;
  readonly world: World;
}

export async function inWorkers(
  workers: number,
  { from, count, world }: Seeds,
  report: (verdict: Verdict) => void,
): Promise<void> {
  let next = from;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = fork(fileURLToPath(new URL("./worker.ts", import.meta.url)));
      const give = () => {
        if (next >= from + count) return void worker.disconnect();
        const task: Task = { seed: next, world };
        next += 1;
        worker.send(task);
      };
      worker.on("message", (verdict: Verdict | "ready") => {
        if (verdict !== "ready") report(verdict);
        give();
      });
      worker.on("error", reject);
      worker.on("exit", (code) =>
        code === 0
          ? resolve()
          : reject(new Error(`a worker ended with ${code}; its seed is not known to hold`)),
      );
    });
  await Promise.all(Array.from({ length: workers }, work));
}
