import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCluster } from "../src/testing/postgres/cluster.ts";
import { startChild } from "./child.ts";
const folder = mkdtempSync(join(tmpdir(), "hpdue-"));
await using cluster = await createCluster({ folder, isDurable: true });
await cluster.createDatabase("bench");
process.env["HOLDPOINT_DATABASE_URL"] = cluster.url("bench");
const n = Number(process.argv[2] ?? 1), count = 10_000;
const servers = [];
for (let i = 0; i < n; i++) servers.push(await startChild("holdpoint"));
await servers[0]!.order({ kind: "timers", count, spreadMs: 0 });
let late: number[] = [];
for (let w = 0; w < 120 && late.length < count; w++) {
  await new Promise((r) => setTimeout(r, 250));
  const told = await Promise.all(servers.map((s) => s.order({ kind: "lateness" })));
  late = told.flatMap((e) => e.late ?? []);
  if (late.length >= count) console.log(told.map((e) => e.late?.length));
}
console.log(n, late.length, Math.max(...late));
for (const s of servers) await s.stop();
await cluster.stop(); rmSync(folder, { recursive: true, force: true });
process.exit(0);
