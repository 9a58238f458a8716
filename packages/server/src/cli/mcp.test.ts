/** `holdpoint mcp` and `holdpoint mcp-gateway` as real processes, with real clients over standard input and output. */

import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { httpHoldClient } from "@holdpoint/protocol/http";
import type { Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldStdio } from "mcp-sdk-1/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localCredentials } from "../local-credentials.ts";
import { CLIENT_KINDS, type ClientKind, connected, type ToolResult } from "../mcp/clients.fixture.ts";
import { type Serving, serve } from "../serve.ts";
import { readConfig } from "../system/config.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const UPSTREAM = fileURLToPath(new URL("../mcp/gateway/upstream.child.ts", import.meta.url));
const NODE = ["--conditions=@holdpoint/source"];
/** The MCP clients pass few variables on; without this one every process compiles its sources again. */
const COMPILE_CACHE = process.env["NODE_COMPILE_CACHE"];
const CACHED = COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: COMPILE_CACHE };
const OPERATOR = "operator-key-of-these-tests";
const AGENT = "agent-key-of-these-tests";

let home: string;
let serving: Serving;
let url: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-mcp-"));
  const keys = `${OPERATOR}=operator:ada,${AGENT}=agent:coder`;
  const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0", HOLDPOINT_API_KEYS: keys };
  serving = await serve(readConfig(env, home), env, () => undefined);
  ({ url } = await localCredentials(serving.server, home, serving.address));
});

afterAll(async () => {
  await serving.close();
  rmSync(home, { recursive: true, force: true });
});

function child(kind: ClientKind, args: readonly string[], env: Record<string, string> = {}) {
  const given = {
    command: process.execPath,
    args: [...NODE, MAIN, ...args],
    env: { ...CACHED, HOLDPOINT_URL: url, HOLDPOINT_API_KEY: AGENT, HOLDPOINT_HOME: home, ...env },
    stderr: "ignore" as const,
  };
  const transport = kind === "1.x" ? new OldStdio(given) : new StdioClientTransport(given);
  return { transport, client: connected(kind, transport as Transport) };
}

/** What is read, as soon as there is something: it is read again whenever `onChange` says that it may have changed. */
async function found<Read>(
  read: () => Read | undefined | Promise<Read | undefined>,
  onChange: (changed: () => void) => () => void,
): Promise<Read> {
  for (;;) {
    const { promise: isChanged, resolve } = Promise.withResolvers<void>();
    const stop = onChange(resolve);
    try {
      const what = await read();
      if (what !== undefined) return what;
      await isChanged;
    } finally {
      stop();
    }
  }
}

const onCommit = (changed: () => void) => serving.server.engine.onCommit(changed);

const onFile = (changed: () => void) => {
  const watcher = watch(home, changed);
  return () => watcher.close();
};

async function answer(action: string): Promise<string> {
  const person = httpHoldClient({ url, apiKey: OPERATOR });
  const { id } = await found(async () => (await person.list({ status: "open" })).holds[0], onCommit);
  return (await person.answer(id, { action })).id;
}

const words = ({ content }: ToolResult) => content.map(({ text }) => text).join("\n");

function ranFile(): { readonly path: string; readonly lines: () => readonly string[] } {
  const path = join(home, `${crypto.randomUUID()}.ran`);
  return { path, lines: () => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []) };
}

const GATED = ["--", process.execPath, ...NODE, UPSTREAM];

test.each(CLIENT_KINDS)("holdpoint mcp asks a person for an MCP client %s over stdio", async (kind) => {
  await using client = await child(kind, ["mcp"]).client;
  const asking = client.call("ask_human", { question: `Deploy for ${kind}?` });
  await answer("approve");
  expect((await asking).structuredContent).toMatchObject({ status: "answered", answered_by: "ada" });
  const listed = await client.call("list_my_questions", { all: true });
  expect(JSON.stringify(listed)).toContain(`Deploy for ${kind}?`);
});

test.each(CLIENT_KINDS)("holdpoint mcp-gateway gates a child process for an MCP client %s", async (kind) => {
  const ran = ranFile();
  await using client = await child(kind, ["mcp-gateway", "--name", "bank", ...GATED], { RAN: ran.path })
    .client;
  const calling = client.call("wire", { amount: CLIENT_KINDS.indexOf(kind) });
  const id = await answer("approve");
  expect(words(await calling)).toMatch(/^sent \d$/);
  // The server behind the gateway does not get the agent's key.
  expect(ran.lines()).toEqual([JSON.stringify({ amount: CLIENT_KINDS.indexOf(kind) })]);
  const hold = await httpHoldClient({ url, apiKey: AGENT }).get(id);
  expect(hold.context).toMatchObject({ tool: "bank__wire" });
});

test("a gateway that is killed while the tool runs leaves an unknown execution, which another gateway refuses to repeat", async () => {
  const ran = ranFile();
  const gated = ["mcp-gateway", "--lease", "1s", ...GATED];
  const first = child("2.x, older revision", gated, { RAN: ran.path });
  const calling = (await first.client).call("hang");
  const lost = expect(calling).rejects.toThrow();
  const id = await answer("approve");
  await found(() => ran.lines()[0], onFile);
  process.kill((first.transport as StdioClientTransport).pid ?? 0, "SIGKILL");
  await lost;
  const agent = httpHoldClient({ url, apiKey: AGENT });
  await using second = await child("2.x, older revision", gated, { RAN: ran.path }).client;
  await found(async () => (await agent.get(id)).claim?.state === "unknown" || undefined, onCommit);
  const refused = await second.call("hang");
  expect(refused.isError).toBe(true);
  expect(words(refused)).toContain("An operator must check");
  expect(ran.lines().filter((line) => line === '"hang"')).toHaveLength(1);
});

test("a local rules file decides alone while the server has no rules, and a down server lets nothing pass", async () => {
  const ran = ranFile();
  const rules = join(home, "rules.yaml");
  writeFileSync(rules, '- { tools: ["wire"], when: { "args.amount": { max: 50 } }, verdict: allow }\n');
  const args = ["mcp-gateway", "--rules", rules, ...GATED];
  const down = { RAN: ran.path, HOLDPOINT_URL: "http://127.0.0.1:9" };
  const trusting = ["mcp-gateway", "--when-unreachable", "local", "--rules", rules, ...GATED];
  const starting = [
    child("1.x", args, { RAN: ran.path }).client,
    child("1.x", args, down).client,
    child("1.x", trusting, down).client,
  ] as const;
  await using client = await starting[0];
  await using offline = await starting[1];
  await using local = await starting[2];
  const pay = async (by: typeof client, amount: number) => words(await by.call("wire", { amount }));
  expect(await pay(client, 5)).toBe("sent 5");
  const [denied, allowed, tooMuch] = await Promise.all([pay(offline, 6), pay(local, 7), pay(local, 70)]);
  expect([denied, tooMuch].every((said) => said.includes("cannot be reached"))).toBe(true);
  expect(allowed).toBe("sent 7");
  expect(ran.lines()).toEqual(['{"amount":5}', '{"amount":7}']);
});

test("a gateway in front of an MCP server over HTTP passes its tools and gates them", async () => {
  const args = ["mcp-gateway", "--url", `${url}/mcp`, "--header", `Authorization: Bearer ${AGENT}`];
  for (const kind of CLIENT_KINDS.slice(0, 2)) {
    await using client = await child(kind, args).client;
    expect((await client.tools()).map(({ name }) => name)).toContain("ask_human");
    const calling = client.call("list_my_questions", { all: CLIENT_KINDS.indexOf(kind) === 0 });
    await answer("approve");
    expect((await calling).structuredContent).toHaveProperty("questions");
  }
});

test("a gateway before several servers of a file prefixes their tools, and refuses a bad file before it starts", async () => {
  const ran = ranFile();
  const file = join(home, "servers.json");
  const server = { command: process.execPath, args: [...NODE, UPSTREAM], env: { ...CACHED, RAN: ran.path } };
  writeFileSync(file, JSON.stringify({ mcpServers: { north: server, south: server } }));
  const rules = join(home, "allow.yaml");
  writeFileSync(rules, '- { tools: ["south__wire"], verdict: allow }\n');
  await using client = await child("1.x", ["mcp-gateway", "--rules", rules, "--config", file]).client;
  expect(words(await client.call("south__wire", { amount: 9 }))).toBe("sent 9");
  expect(ran.lines()).toEqual(['{"amount":9}']);
  writeFileSync(file, JSON.stringify({ mcpServers: { a__b: server } }));
  await expect(child("1.x", ["mcp-gateway", "--config", file]).client).rejects.toThrow();
});
