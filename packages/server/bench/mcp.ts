/**
 * What the gateway costs: one MCP server, called directly and through the gateway with rules that allow the call. Every call through it
 * is recorded by the server, with its arguments.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { discard, startChild } from "./child.ts";
import { drive, median, type Sample, wireTo } from "./load.ts";
import type { Result } from "./result.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const NODE = ["--conditions=@holdpoint/source"];
const UPSTREAM = [...NODE, path("../src/mcp/gateway/upstream.child.ts")];
const GATEWAY = [...NODE, path("../src/cli/main.ts"), "mcp-gateway", "--", process.execPath, ...UPSTREAM];
const MANY = 16;
const ADDED_MAX_MS = 2;
const RATE_MIN = 0.5;

async function connected(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], env }));
  return client;
}

export async function measureMcp(quick: boolean): Promise<readonly Result[]> {
  const child = await startChild("holdpoint");
  const wire = wireTo(child);
  await wire.call("PUT", "/v1/rules", { rules: [], default: "allow" });
  wire.close();
  const ran = join(child.folder, "ran");
  const env = { HOLDPOINT_URL: child.url, HOLDPOINT_API_KEY: child.key, RAN: ran };
  const [direct, gated] = [await connected(UPSTREAM, env), await connected(GATEWAY, env)];
  try {
    return await measure(direct, gated, quick);
  } finally {
    await direct.close();
    await gated.close();
    await child.stop();
    discard(child.folder);
  }
}

/** Every call has arguments of its own. Rounds of both sides take turns, so that the machine's noise hits both alike. */
async function measure(direct: Client, gated: Client, quick: boolean): Promise<readonly Result[]> {
  let n = 0;
  const call = (client: Client) => () => {
    n += 1;
    return client.callTool({ name: "count", arguments: { path: `/data/reports/${n}.txt`, line: n } });
  };
  const [rounds, ms] = quick ? [3, 700] : [7, 2_000];
  for (const client of [direct, gated]) await drive(MANY, ms, call(client));
  const compare = async (concurrency: number) => {
    const samples: { readonly direct: Sample; readonly gated: Sample }[] = [];
    for (let round = 0; round < rounds; round += 1)
      samples.push({
        direct: await drive(concurrency, ms, call(direct)),
        gated: await drive(concurrency, ms, call(gated)),
      });
    return samples;
  };
  const [one, many] = [await compare(1), await compare(MANY)];
  const added = median(one.map((each) => each.gated.p50 - each.direct.p50));
  const ratio = median(many.map((each) => each.gated.perSecond / each.direct.perSecond));
  const of = (side: "direct" | "gated", part: keyof Sample, samples: typeof one) =>
    median(samples.map((each) => each[side][part]));
  return [
    {
      ...{ name: "mcp gateway, added by one call", value: added, unit: "ms" },
      ...{ p50: of("gated", "p50", one), p99: of("gated", "p99", one), floor: of("direct", "p50", one) },
      ...{ ratio: of("gated", "p50", one) / of("direct", "p50", one) },
      ...{ aim: `< ${ADDED_MAX_MS} ms`, met: added < ADDED_MAX_MS },
    },
    {
      ...{ name: `mcp gateway, ${MANY} at a time`, value: of("gated", "perSecond", many), unit: "calls/s" },
      ...{ p50: of("gated", "p50", many), p99: of("gated", "p99", many) },
      ...{ floor: of("direct", "perSecond", many), ratio },
      ...{ aim: `> ${RATE_MIN} x direct`, met: ratio > RATE_MIN },
    },
  ];
}
