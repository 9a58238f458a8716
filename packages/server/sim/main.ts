/** `npm run sim -- [--seeds 1000] [--from 1] [--seed N]` */

import { parseArgs } from "node:util";
import { runSeed } from "./run.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string" }, from: { type: "string" }, seed: { type: "string" } },
});
const from = Number(values.seed ?? values.from ?? 1);
const count = values.seed === undefined ? Number(values.seeds ?? 100) : 1;

let bad = 0;
for (let seed = from; seed < from + count; seed += 1) {
  const { holds, events, crashes, complaints } = await runSeed(seed);
  if (complaints.length > 0) {
    bad += 1;
    console.log(`seed ${seed}: ${complaints.length} complaints, replay with: npm run sim -- --seed ${seed}`);
    for (const complaint of complaints.slice(0, 10)) console.log(`  ${complaint}`);
  } else if (values.seed !== undefined || seed % 50 === 0) {
    console.log(`seed ${seed}: ${holds} holds, ${events} events, ${crashes} crashes, all promises kept`);
  }
}
console.log(`${count - bad} of ${count} seeds kept every promise`);
process.exitCode = bad === 0 ? 0 : 1;
