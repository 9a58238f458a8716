/** `npm run sim -- [--seeds 1000] [--from 1] [--seed N] [--store memory|sqlite|postgres]` */

import { parseArgs } from "node:util";
import { DATABASE } from "../src/testing/fresh-database-url.ts";
import { setup } from "../src/testing/postgres/global-setup.ts";
import { testDatabase } from "../src/testing/postgres/test-database.ts";
import { STORES } from "./backing.ts";
import { runSeed } from "./run.ts";

const { values } = parseArgs({
  options: {
    ...{ seeds: { type: "string" }, from: { type: "string" }, seed: { type: "string" } },
    store: { type: "string", default: "memory" },
  },
});
const store = STORES.find((each) => each === values.store);
if (store === undefined) throw new Error(`--store is one of ${STORES.join(", ")}`);
const endPostgres = store === "postgres" ? setup() : undefined;
const database = store === "postgres" ? await testDatabase() : undefined;
if (database !== undefined) process.env[DATABASE] = database.url;
const from = Number(values.seed ?? values.from ?? 1);
const count = values.seed === undefined ? Number(values.seeds ?? 100) : 1;

// What a process does for the first time takes other turns of the event loop. A seed must be the same story alone and after others.
await runSeed(0, { steps: 60 });

let bad = 0;
let allEvents = 0;
const begun = performance.now();

/** One line that is written over in a terminal, and one line every hundred seeds elsewhere. */
function progress(done: number, events: number): void {
  allEvents += events;
  if (count === 1 || (process.stderr.isTTY !== true && done % 100 !== 0 && done !== count)) return;
  const perSeedMs = (performance.now() - begun) / done;
  const left = Math.round((perSeedMs * (count - done)) / 1_000);
  const text = `${done} of ${count} seeds, ${allEvents} events, ${bad} bad, ${left} s left`;
  process.stderr.write(
    process.stderr.isTTY === true ? `\r${text}\u001b[K${done === count ? "\n" : ""}` : `${text}\n`,
  );
}

for (let seed = from; seed < from + count; seed += 1) {
  const { holds, events, crashes, complaints } = await runSeed(seed, { store });
  if (complaints.length > 0) {
    bad += 1;
    console.log(`seed ${seed}: ${complaints.length} complaints, replay with: npm run sim -- --seed ${seed}`);
    for (const complaint of complaints.slice(0, 10)) console.log(`  ${complaint}`);
  } else if (values.seed !== undefined) {
    console.log(`seed ${seed}: ${holds} holds, ${events} events, ${crashes} crashes, all promises kept`);
  }
  progress(seed - from + 1, events);
}
console.log(`${count - bad} of ${count} seeds kept every promise`);
await database?.[Symbol.asyncDispose]();
await endPostgres?.();
process.exitCode = bad === 0 ? 0 : 1;
