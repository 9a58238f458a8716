/** `npm run attack -- [postgres] [--minutes 5]`: attacks a server and prints a table; exits with 1 if one succeeded. */

import { parseArgs } from "node:util";
import { DATABASE } from "../../packages/server/src/testing/fresh-database-url.ts";
import { setup } from "../../packages/server/src/testing/postgres/global-setup.ts";
import { testDatabase } from "../../packages/server/src/testing/postgres/test-database.ts";
import { ATTACKS } from "./attacks.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "5" } },
});
const isPostgres = positionals.includes("postgres");
const endPostgres = isPostgres ? setup() : undefined;
const database = isPostgres ? await testDatabase() : undefined;
if (database !== undefined) process.env[DATABASE] = database.url;
const deadline = performance.now() + Number(values.minutes) * 60_000;

console.log(
  `Attacking a server over ${isPostgres ? "PostgreSQL" : "memory and SQLite"}, for at most ${values.minutes} minutes.\n`,
);
console.log("| what | who | tried | worst pause | result |\n|---|---|---|---|---|");
let failed = 0;
const details: string[] = [];
for (const { what, who, run } of ATTACKS) {
  const { tried, wrong, pauseMs } = await run(deadline).catch((fault: unknown) => ({
    ...{ tried: 0, wrong: [String((fault as Error).stack ?? fault)], pauseMs: undefined },
  }));
  if (wrong.length > 0) failed += 1;
  details.push(...wrong.map((each) => `${what}, ${who}: ${each}`));
  const pause = pauseMs === undefined ? "–" : `${Math.round(pauseMs)} ms`;
  console.log(
    `| ${what} | ${who} | ${tried} | ${pause} | ${wrong.length === 0 ? "held" : `${wrong.length} BROKEN`} |`,
  );
}
for (const each of details.slice(0, 50)) console.log(`- ${each}`);
await database?.[Symbol.asyncDispose]();
await endPostgres?.();
process.exit(failed === 0 ? 0 : 1);
