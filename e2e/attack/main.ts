/**
 * `npm run attack -- [postgres] [--minutes 5]`: attacks a server and prints a table. It exits with 1 if an attack succeeded, and with 2
 * if there was no time to try all of them. On PostgreSQL every server makes a schema of its own, so it gets 20 minutes.
 */

import { parseArgs } from "node:util";
import { DATABASE } from "../../packages/server/src/testing/fresh-database-url.ts";
import { setup } from "../../packages/server/src/testing/postgres/global-setup.ts";
import { testDatabase } from "../../packages/server/src/testing/postgres/test-database.ts";
import type { Found } from "./attacked.ts";
import { ATTACKS, verdictOf } from "./attacks.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string" } },
});
const isPostgres = positionals.includes("postgres");
const minutes = values.minutes ?? (isPostgres ? "20" : "5");
const endPostgres = isPostgres ? setup() : undefined;
const database = isPostgres ? await testDatabase() : undefined;
if (database !== undefined) process.env[DATABASE] = database.url;
const deadline = performance.now() + Number(minutes) * 60_000;

console.log(
  `Attacking a server over ${isPostgres ? "PostgreSQL" : "SQLite"}, for at most ${minutes} minutes.\n`,
);
console.log("| what | who | tried | worst pause | result |\n|---|---|---|---|---|");
const verdicts: string[] = [];
const details: string[] = [];
for (const { what, who, run } of ATTACKS) {
  const found = await run(deadline).catch(
    (fault: Error): Found => ({ tried: 0, wrong: [fault.stack ?? fault.message] }),
  );
  const { tried, wrong, pauseMs } = found;
  const verdict = verdictOf(found);
  verdicts.push(verdict);
  details.push(...wrong.map((each) => `${what}, ${who}: ${each}`));
  const pause = pauseMs === undefined ? "–" : `${Math.round(pauseMs)} ms`;
  console.log(`| ${what} | ${who} | ${tried} | ${pause} | ${verdict} |`);
}
for (const each of details.slice(0, 50)) console.log(`- ${each}`);
await database?.[Symbol.asyncDispose]();
await endPostgres?.();
process.exit(
  verdicts.some((each) => each.endsWith("BROKEN")) ? 1 : verdicts.every((each) => each === "held") ? 0 : 2,
);
