/**
 * What the gateway costs: one MCP server, called directly and through the gateway with a rule that allows the call. Every call through it
 * is a check that the server writes to disk.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { localCredentials } from "../src/local-credentials.ts";
import { serve } from "../src/serve.ts";
import { readConfig } from "../src/system/config.ts";
import { drive } from "./load.ts";
import type { Result } from "./result.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const NODE = ["--conditions=@holdpoint/source"];
const UPSTREAM = [...NODE, path("../src/mcp/gateway/upstream.child.ts")];
const GATEWAY = [...NODE, path("../src/cli/main.ts"), "mcp-gateway", "--", process.execPath, ...UPSTREAM];
const MANY = 16;

async function connected(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], env }));
  return client;
}

export async function measureMcp(quick: boolean): Promise<readonly Result[]> {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-bench-mcp-"));
  const own = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0" };
  const serving = await serve(readConfig(own, home), own, () => undefined);
  const { url, apiKey } = await localCredentials(serving.server, home, serving.address);
  await fetch(`${url}/v1/rules`, {
    method: "PUT",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ rules: [], default: "allow" }),
  });
  const env = { HOLDPOINT_URL: url, HOLDPOINT_API_KEY: apiKey, RAN: join(home, "ran") };
  const [direct, gated] = [await connected(UPSTREAM, env), await connected(GATEWAY, env)];
  try {
    return await measure(direct, gated, quick ? 1_000 : 5_000);
  } finally {
    await direct.close();
    await gated.close();
    await serving.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(direct: Client, gated: Client, ms: number): Promise<readonly Result[]> {
  const call = (client: Client) => () => client.callTool({ name: "count", arguments: {} });
  for (const client of [direct, gated]) await drive(1, ms / 5, call(client));
  const one = { direct: await drive(1, ms, call(direct)), gated: await drive(1, ms, call(gated)) };
  const many = { direct: await drive(MANY, ms, call(direct)), gated: await drive(MANY, ms, call(gated)) };
  return [
    {
      ...{ name: "mcp gateway, added by one call", value: one.gated.p50 - one.direct.p50, unit: "ms" },
      ...{ p50: one.gated.p50, p99: one.gated.p99, floor: one.direct.p50 },
      ratio: one.gated.p50 / one.direct.p50,
    },
    {
      ...{ name: `mcp gateway, ${MANY} at a time`, value: many.gated.perSecond, unit: "calls/s" },
      ...{ p50: many.gated.p50, p99: many.gated.p99, floor: many.direct.perSecond },
      ratio: many.gated.perSecond / many.direct.perSecond,
    },
  ];
}
