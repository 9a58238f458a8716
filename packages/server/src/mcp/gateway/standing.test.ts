/** Calls that pass the gateway under a standing permission: recorded, bounded in time, closed when the server is away. */

import { RetryableError } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { CLIENT_KINDS, type ToolResult } from "../clients.fixture.ts";
import type { GatewayOptions } from "./gateway.ts";
import { gatewayStage, type Stage } from "./stage.fixture.ts";

const words = ({ content }: ToolResult) => content.map(({ text }) => text).join("\n");
const publish = ({ holdpoint: { call, keys } }: Stage, body: object) =>
  call("PUT", "/v1/rules", { key: keys.admin, body });
const ALL = { rules: [], default: "allow" };

/** Counts the checks that the gateway makes. */
function counting({ holdpoint: { server } }: Stage) {
  const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
  const client = server.client({ workspace: "default", principal });
  const made = { checks: 0, isAway: false };
  const reached = <Value>(call: () => Promise<Value>) =>
    made.isAway ? Promise.reject(new RetryableError({ message: "away" })) : call();
  const counted: GatewayOptions["client"] = {
    check: (...given) => {
      made.checks += 1;
      return reached(() => client.check(...given));
    },
    recordStandingCalls: (...given) => reached(() => client.recordStandingCalls(...given)),
    wait: (...given) => client.wait(...given),
    get: (...given) => client.get(...given),
    claim: (...given) => client.claim(...given),
    finishClaim: (...given) => client.finishClaim(...given),
  };
  return { client: counted, made };
}

async function coverageOf({ holdpoint: { call, keys } }: Stage, tool: string) {
  const { body } = await call("GET", "/v1/coverage", { key: keys.operator });
  return body.tools.find((seen: { tool: string }) => seen.tool === tool);
}

test.each(CLIENT_KINDS)(
  "an allowed tool is checked once and then runs without waiting; every call of a client %s is recorded",
  async (kind) => {
    await using stage = await gatewayStage();
    await publish(stage, ALL);
    const { client, made } = counting(stage);
    await using mcp = await stage.client(kind, { client });
    for (let amount = 1; amount <= 20; amount += 1)
      expect(words(await mcp.call("wire", { amount }))).toBe(`sent ${amount}`);
    expect(made.checks).toBe(1);
    while ((await coverageOf(stage, "wire"))?.calls !== 20) await stage.holdpoint.clock.advance(20);
    const { call, keys } = stage.holdpoint;
    const replayed = await call("POST", "/v1/rules/replay", {
      key: keys.operator,
      body: {
        rules: [{ tools: ["wire"], when: { "args.amount": { max: 15 } }, verdict: "allow" }],
        default: "deny",
      },
    });
    expect(replayed.body).toMatchObject({ checks: 20, erased: 0, moves: { allow_allow: 15, allow_deny: 5 } });
    expect((await call("POST", "/v1/log/verify", { key: keys.admin })).body).toMatchObject({ breaks: [] });
  },
);

test("rules that are published count for allowed tools within 250 ms, and at once when a reply shows them", async () => {
  await using stage = await gatewayStage();
  await publish(stage, ALL);
  const { client, made } = counting(stage);
  await using mcp = await stage.client("1.x", { client });
  await mcp.call("wire", { amount: 1 });
  await publish(stage, { rules: [{ tools: ["wire"], verdict: "deny" }] });
  await stage.holdpoint.clock.advance(250);
  expect(await mcp.call("wire", { amount: 2 })).toMatchObject({ isError: true });
  expect(made.checks).toBe(2);
  expect(stage.ran).toEqual([{ amount: 1 }]);
});

test("a tool whose arguments count is checked before every call", async () => {
  await using stage = await gatewayStage();
  await publish(stage, {
    rules: [{ tools: ["wire"], when: { "args.amount": { max: 5 } }, verdict: "allow" }],
  });
  const { client, made } = counting(stage);
  await using mcp = await stage.client("1.x", { client });
  for (const amount of [1, 2, 3]) await mcp.call("wire", { amount });
  expect(made.checks).toBe(3);
  expect(words(await stage.afterTheWait(mcp.call("wire", { amount: 6 })))).toContain("Pending");
});

test("no call of an allowed tool runs once the server is away for longer than the permission lasts", async () => {
  await using stage = await gatewayStage();
  await publish(stage, ALL);
  const { client, made } = counting(stage);
  await using mcp = await stage.client("1.x", { client });
  await mcp.call("wire", { amount: 1 });
  made.isAway = true;
  await stage.holdpoint.clock.advance(250);
  expect(words(await mcp.call("wire", { amount: 2 }))).toContain("cannot be reached");
  expect(stage.ran).toEqual([{ amount: 1 }]);
});

test("calls that ran in the last moments are recorded when the client leaves", async () => {
  await using stage = await gatewayStage();
  await publish(stage, ALL);
  const mcp = await stage.client("1.x");
  for (const amount of [1, 2, 3]) await mcp.call("wire", { amount });
  await mcp[Symbol.asyncDispose]();
  while ((await coverageOf(stage, "wire"))?.calls !== 3) await new Promise(setImmediate);
});
