/** Notifications of the MCP server reach the client through the gateway's own lines, as they were written and in their order. */

import { PassThrough } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { expect, test } from "vitest";
import * as z from "zod";
import { connected } from "../clients.fixture.ts";
import { countingServer } from "./counting-server.fixture.ts";
import { Gateway } from "./gateway.ts";
import { LineTransport } from "./line-transport.ts";
import { gatewayStage, type Stage } from "./stage.fixture.ts";

/** Two line transports that speak to each other, and every line that the second one wrote. */
function lines(keepsText: boolean) {
  const [there, back] = [new PassThrough(), new PassThrough()];
  let text = "";
  back.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return {
    near: new LineTransport({ input: back, output: there, keepsText }),
    far: new LineTransport({ input: there, output: back, keepsText: false }),
    written: () => text.split("\n").filter((line) => line !== ""),
  };
}

/** A client, the gateway and an MCP server, with lines between each two of them. */
async function overLines(stage: Stage) {
  const { call, keys } = stage.holdpoint;
  await call("PUT", "/v1/rules", { key: keys.admin, body: { rules: [{ tools: ["*"], verdict: "allow" }] } });
  const upstream = lines(true);
  let server: McpServer | undefined;
  const connect = () => {
    const begun = (made: McpServer) => {
      server = made;
    };
    serveStdio(() => countingServer(stage.ran, begun), { transport: upstream.far });
    return upstream.near;
  };
  const toClient = lines(false);
  const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
  const gateway = new Gateway({
    ...{ connect, clientSide: toClient.far, session: "s", whenUnreachable: "deny" },
    client: stage.holdpoint.server.client({ workspace: "default", principal }),
    clock: stage.holdpoint.clock,
    onTrouble: () => undefined,
  });
  void gateway.run();
  const client = await connected("2.x, older revision", toClient.near);
  return { client, upstream, toClient, server: () => server as McpServer };
}

const LIST_CHANGED = "notifications/tools/list_changed";

test("the client is told once that the tools have changed, and finds and calls the new one", async () => {
  await using stage = await gatewayStage();
  const { client: connectedClient, toClient, upstream, server } = await overLines(stage);
  await using client = connectedClient;
  await client.tools();
  const changes = () => toClient.written().filter((line) => line.includes(LIST_CHANGED));
  expect(changes()).toEqual([]);
  server().registerTool("refund", { inputSchema: z.object({}) }, () => {
    stage.ran.push("refund");
    return { content: [{ type: "text", text: "refunded" }] };
  });
  while (changes().length === 0) await new Promise(setImmediate);
  expect(changes()).toEqual(upstream.written().filter((line) => line.includes(LIST_CHANGED)));
  expect(changes()).toHaveLength(1);
  expect((await client.tools()).map(({ name }) => name)).toContain("refund");
  expect((await client.call("refund")).content).toEqual([{ type: "text", text: "refunded" }]);
  expect(stage.ran).toEqual(["refund"]);
});

test("the progress of a call comes before its result, byte for byte as the server wrote it", async () => {
  await using stage = await gatewayStage();
  const { client: connectedClient, toClient, upstream } = await overLines(stage);
  await using client = connectedClient;
  const given = { name: "count", arguments: {}, _meta: { progressToken: "p1" } };
  expect(await client.raw("callTool", given)).toMatchObject({ content: [{ text: "counted" }] });
  const isAboutTheCall = (line: string) =>
    line.includes("notifications/progress") || line.includes("counted");
  const [progress, result, ...more] = toClient.written().filter(isAboutTheCall);
  expect(JSON.parse(progress ?? "")).toMatchObject({
    method: "notifications/progress",
    params: { progressToken: "p1", progress: 1, total: 2 },
  });
  expect(JSON.parse(result ?? "")).toMatchObject({ result: { content: [{ text: "counted" }] } });
  expect(more).toEqual([]);
  expect(upstream.written()).toContain(progress);
});
