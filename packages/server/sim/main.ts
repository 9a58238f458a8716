/** `npm run sim -- [--seeds 10000] [--from 1] [--seed N] [--store memory|sqlite|postgres] [--servers N] [--workers N]` */

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { DATABASE } from "../src/testing/fresh-database-url.ts";
import { setup } from "../src/testing/postgres/global-setup.ts";
import { testDatabase } from "../src/testing/postgres/test-database.ts";
import { STORES } from "./backing.ts";
import { runSeed, type Verdict } from "./run.ts";
import { inWorkers } from "./workers.ts";

const { values } = parseArgs({
  options: {
    ...{ seeds: { type: "string" }, from: { type: "string" }, seed: { type: "string" } },
    ...{ store: { type: "string", default: "memory" }, servers: { type: "string" } },
    workers: { type: "string" },
  },
});
const store = STORES.find((each) => each === values.store);
if (store === undefined) throw new Error(`--store is one of ${STORES.join(", ")}`);
const endPostgres = store === "postgres" ? setup() : undefined;
const database = store === "postgres" ? await testDatabase() : undefined;
if (database !== undefined) process.env[DATABASE] = database.url;
const from = Number(values.seed ?? values.from ?? 1);
const count = values.seed === undefined ? Number(values.seeds ?? 100) : 1;
const servers = values.servers === undefined ? undefined : Number(values.servers);
const world = { store, ...(servers === undefined ? {} : { servers }) };
// A database under test is slower than one process that asks it.
const workers = Number(values.workers ?? (store === "postgres" ? 1 : availableParallelism()));

let [done, bad, allEvents] = [0, 0, 0];
const begun = performance.now();

/** One line that is written over in a terminal, and one line every hundred seeds elsewhere. */
function progress(): void {
  if (count === 1 || (process.stderr.isTTY !== true && done % 100 !== 0 && done !== count)) return;
  const perSeedMs = (performance.now() - begun) / done;
  const left = Math.round((perSeedMs * (count - done)) / 1_000);
  const pace = (1_000 / perSeedMs).toFixed(1);
  const text = `${done} of ${count} seeds, ${allEvents} events, ${bad} bad, ${pace} seeds/s, ${left} s left`;
  process.stderr.write(
    process.stderr.isTTY === true ? `\r${text}\u001b[K${done === count ? "\n" : ""}` : `${text}\n`,
  );
}

function report({ seed, holds, events, crashes, servers, complaints }: Verdict): void {
  done += 1;
  allEvents += events;
  if (complaints.length > 0) {
    bad += 1;
    const flags = [`--seed ${seed}`, store === "memory" ? "" : `--store ${store}`];
    if (values.servers !== undefined) flags.push(`--servers ${values.servers}`);
    const again = `npm run sim -- ${flags.filter(Boolean).join(" ")}`;
    console.log(`seed ${seed}: ${complaints.length} complaints, replay with: ${again}`);
    for (const complaint of complaints.slice(0, 10)) console.log(`  ${complaint}`);
  } else if (values.seed !== undefined) {
    console.log(
      `seed ${seed}: ${servers} servers, ${holds} holds, ${events} events, ${crashes} crashes, all promises kept`,
    );
  }
  progress();
}

if (workers > 1 && count > 1) {
  await inWorkers(Math.min(workers, count), { from, count, world }, report);
} else {
  // What a process does for the first time takes other turns of the event loop. A seed must be the same story alone and after others.
  await runSeed(0, { steps: 60 });
  for (let seed = from; seed < from + count; seed += 1) report(await runSeed(seed, world));
}
console.log(`${count - bad} of ${count} seeds kept every promise`);
await database?.[Symbol.asyncDispose]();
await endPostgres?.();
process.exitCode = bad === 0 ? 0 : 1;
