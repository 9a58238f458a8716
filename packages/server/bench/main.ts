/**
 * `npm run bench`: Holdpoint beside its floors, interleaved in one run so that the machine's noise hits all alike. Judged by ratios.
 *
 *   npm run bench -- --against <another checkout> [postgres] [place | answer | cycle] [--quick]
 *   npm run bench -- [postgres | mcp | console | chat | peers] [measure …] [--quick] [--json file]
 *
 * Measures: place, answer, cycle, wake, memory, size, restart, timers, graph, checks, install; `--only place,checks` says the same.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureAgainst } from "./against.ts";
import { measureChat } from "./chat.ts";
import { measureChecks } from "./checks.ts";
import { measureConsole } from "./console.ts";
import { measureGraph } from "./graph.ts";
import { measureInstall } from "./install.ts";
import { measureMcp } from "./mcp.ts";
import { measurePeers } from "./peers.ts";
import { measurePostgres } from "./postgres.ts";
import { measureRates } from "./rates.ts";
import type { Result } from "./result.ts";
import { measureRestart, measureSize, measureTimers, measureWake } from "./scale.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean" },
    only: { type: "string" },
    json: { type: "string" },
    against: { type: "string" },
  },
});
const quick = values.quick === true;
const SETUPS = ["postgres", "mcp", "console", "chat", "peers"];
const PARTS = [
  ...[
    "place",
    "answer",
    "cycle",
    "wake",
    "memory",
    "size",
    "restart",
    "timers",
    "graph",
    "checks",
    "install",
  ],
];
const named = positionals.filter((name) => !SETUPS.includes(name));
const only = values.only?.split(",") ?? (named.length > 0 ? named : undefined);
const unknown = (only ?? []).find((name) => !PARTS.includes(name));
if (unknown !== undefined)
  throw new Error(`There is no measure "${unknown}". Measures: ${[...SETUPS, ...PARTS].join(", ")}.`);
const hasSetup = values.against !== undefined || positionals.some((name) => SETUPS.includes(name));
const wanted = (name: string) => !hasSetup && (only === undefined || only.includes(name));

const results: Result[] = [];
const rates = ["place", "answer", "cycle"].filter((name) => only === undefined || only.includes(name));
if (values.against !== undefined) {
  const isPostgres = positionals.includes("postgres");
  results.push(...(await measureAgainst({ checkout: values.against, names: rates, isPostgres, quick })));
} else if (positionals.includes("postgres")) results.push(...(await measurePostgres(quick)));
if (positionals.includes("mcp")) results.push(...(await measureMcp(quick)));
if (positionals.includes("chat")) results.push(...(await measureChat(quick)));
if (positionals.includes("console")) results.push(...(await measureConsole(quick)));
if (positionals.includes("peers")) results.push(...(await measurePeers(quick)));
if (rates.length > 0 && !hasSetup) results.push(...(await measureRates(rates, quick)));
if (wanted("wake")) results.push(await measureWake(quick));
if (wanted("size") || wanted("memory")) results.push(...(await measureSize(quick)));
if (wanted("restart")) results.push(await measureRestart(quick));
if (wanted("timers")) results.push(await measureTimers(quick));
if (wanted("graph")) results.push(...(await measureGraph(quick)));
if (wanted("checks")) results.push(...(await measureChecks(quick)));
if (wanted("install")) results.push(...(await measureInstall()));

print(results);
const path = resolve(values.json ?? "packages/server/bench/results/latest.json");
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify({ node: process.version, quick, results }, null, 2)}\n`);

function print(rows: readonly Result[]): void {
  const table = rows.map(({ name, value, unit, p50, p99, floor, ratio, spread, aim, met }) => ({
    measure: name,
    value: `${format(value)} ${unit}`,
    "p50 / p99 ms": p50 === undefined ? "" : `${format(p50)} / ${format(p99 ?? 0)}`,
    [values.against === undefined ? "floor" : "the other"]: floor === undefined ? "" : format(floor),
    ratio:
      ratio === undefined
        ? ""
        : `${ratio.toFixed(2)}${spread === undefined ? "" : ` (${spread.map((each) => each.toFixed(2)).join(" to ")})`}`,
    aim: aim ?? "",
    "": met === undefined ? "" : met ? "met" : "missed",
  }));
  console.table(table);
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
