/** Several MCP servers behind one gateway. */

import { InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { expect, test } from "vitest";
import { CLIENT_KINDS, type ToolResult } from "../clients.fixture.ts";
import { countingServer } from "./counting-server.fixture.ts";
import { MergedTransport } from "./merged-transport.ts";
import { gatewayStage } from "./stage.fixture.ts";

const words = ({ content }: ToolResult) => content.map(({ text }) => text).join("\n");

function banks(...names: readonly string[]) {
  const ran: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
  const live: InMemoryTransport[] = [];
  const connect = () =>
    new MergedTransport(
      names.map((name) => {
        const [value, theirs] = InMemoryTransport.createLinkedPair();
        serveStdio(() => countingServer(ran[name] ?? []), { transport: theirs });
        live.push(value);
        return { name, value };
      }),
    );
  return { ran, connect, live };
}

test.each(CLIENT_KINDS)(
  "a client %s sees the tools of all servers under their names, and its calls reach the right one",
  async (kind) => {
    await using stage = await gatewayStage();
    const { call, keys } = stage.holdpoint;
    const rules = [
      { tools: ["north__*"], verdict: "allow" },
      { tools: ["south__wire"], verdict: "deny" },
    ];
    await call("PUT", "/v1/rules", { key: keys.admin, body: { rules } });
    const { ran, connect } = banks("north", "south");
    await using client = await stage.client(kind, { connect });
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["north__wire", "south__wire", "north__pay"]));
    expect(words(await client.call("north__wire", { amount: 1 }))).toBe("sent 1");
    expect(await client.call("south__wire", { amount: 2 })).toMatchObject({ isError: true });
    expect(ran).toEqual({ north: [{ amount: 1 }], south: [] });
    const prompt = await client.raw("getPrompt", { name: "south__greet" });
    expect(prompt).toMatchObject({ messages: [{ content: { text: "Hello" } }] });
    await client.raw("listResources");
    expect(await client.raw("readResource", { uri: "note://one" })).toMatchObject({
      contents: [{ text: "remember" }],
    });
    await expect(client.raw("getPrompt", { name: "greet" })).rejects.toThrow();
  },
);

test("a call of a server that is not there is an error, and a lost server is started again with the others", async () => {
  await using stage = await gatewayStage();
  const { call, keys } = stage.holdpoint;
  await call("PUT", "/v1/rules", { key: keys.admin, body: { rules: [], default: "allow" } });
  const { connect, live } = banks("north", "south");
  await using client = await stage.client("1.x", { connect });
  await expect(client.call("west__wire", { amount: 1 })).rejects.toThrow("no server");
  await live[1]?.close();
  expect(words(await client.call("south__wire", { amount: 3 }))).toBe("sent 3");
  expect(live).toHaveLength(4);
});
