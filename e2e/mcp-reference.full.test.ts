/** Reference MCP servers behind the gateway give the same answers as without it. Installs them from the registry. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "./support/server-process.ts";

const INTEROP = fileURLToPath(new URL("../interop/", import.meta.url));
const MAIN = fileURLToPath(new URL("../packages/server/src/cli/main.ts", import.meta.url));
const MINUTES = 60_000;

let folder: string;
let data: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-interop-")));
  cpSync(join(INTEROP, "package.json"), join(folder, "package.json"));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"], {
    cwd: folder,
    stdio: "ignore",
  });
  data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(join(data, "a.txt"), "one\ntwo\n");
  server = await serverProcess();
}, 5 * MINUTES);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(body: object): Promise<void> {
  const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
  const reply = await fetch(`${server.url}/v1/rules`, { method: "PUT", headers, body: JSON.stringify(body) });
  expect(reply.ok).toBe(true);
}

function upstream(name: string, args: readonly string[]): readonly string[] {
  return [
    process.execPath,
    join(folder, "node_modules/@modelcontextprotocol", name, "dist/index.js"),
    ...args,
  ];
}

async function connected([command = "", ...args]: readonly string[]) {
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.key };
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

const gateway = (command: readonly string[]) =>
  connected([process.execPath, "--conditions=@holdpoint/source", MAIN, "mcp-gateway", "--", ...command]);

describe("reference MCP servers behind the gateway", { timeout: 2 * MINUTES }, () => {
  test("server-filesystem lists, reads, writes and refuses as it does directly", async () => {
    await publish({ rules: [], default: "allow" });
    const command = upstream("server-filesystem", [data]);
    await using direct = await connected(command);
    await using gated = await gateway(command);
    expect(await gated.listTools()).toEqual(await direct.listTools());
    for (const [name, args] of [
      ["list_allowed_directories", {}],
      ["read_text_file", { path: join(data, "a.txt") }],
      ["write_file", { path: join(data, "b.txt"), content: "new" }],
      ["edit_file", { path: join(data, "a.txt"), edits: [{ oldText: "one", newText: "1" }], dryRun: true }],
      ["read_text_file", { path: "/etc/passwd" }],
      ["no_such_tool", {}],
    ] as const) {
      const call = (client: Client) =>
        client.callTool({ name, arguments: args }).catch((error: Error) => ({ thrown: error.message }));
      expect(await call(gated)).toEqual(await call(direct));
    }
  });

  test("server-everything gives the same tools, prompts, resources, progress and results as directly", async () => {
    await publish({ rules: [], default: "allow" });
    const command = upstream("server-everything", []);
    await using direct = await connected(command);
    await using gated = await gateway(command);
    for (const list of ["listTools", "listPrompts", "listResources", "listResourceTemplates"] as const)
      expect(await gated[list]()).toEqual(await direct[list]());
    const progress = async (client: Client) => {
      const seen: unknown[] = [];
      const onprogress = (at: unknown) => seen.push(at);
      const long = { name: "trigger-long-running-operation", arguments: { duration: 1, steps: 4 } };
      const result = await client.callTool(long, { onprogress });
      // The client drops a report that it has not handled when the result comes, which may be the last one.
      return { result, seen: seen.slice(0, 3) };
    };
    expect(await progress(gated)).toEqual(await progress(direct));
    for (const [name, args] of [
      ["echo", { message: "hello" }],
      ["get-sum", { a: 2, b: 3 }],
      ["get-structured-content", { location: "New York" }],
      ["get-tiny-image", {}],
    ] as const) {
      const call = (client: Client) => client.callTool({ name, arguments: args });
      expect(await call(gated)).toEqual(await call(direct));
    }
  });

  test("server-filesystem writes nothing that the rules deny", async () => {
    await publish({ rules: [{ tools: ["write_*", "edit_*"], verdict: "deny" }], default: "allow" });
    await using gated = await gateway(upstream("server-filesystem", [data]));
    const path = join(data, "denied.txt");
    expect(await gated.callTool({ name: "write_file", arguments: { path, content: "x" } })).toMatchObject({
      isError: true,
    });
    const listed = await gated.callTool({ name: "list_directory", arguments: { path: data } });
    expect(JSON.stringify(listed)).not.toContain("denied.txt");
  });
});
