/** The gateway (C1–C3, U1–U3) between real clients of both SDK versions and a real MCP server. */

import { describe, expect, test } from "vitest";
import { CLIENT_KINDS, type ToolResult } from "../clients.fixture.ts";
import type { GatewayOptions } from "./gateway.ts";
import { gatewayStage, type Stage } from "./stage.fixture.ts";

const publish = ({ holdpoint: { call, keys } }: Stage, ...rules: object[]) =>
  call("PUT", "/v1/rules", { key: keys.admin, body: { rules } });
const words = ({ content }: ToolResult) => content.map(({ text }) => text).join("\n");
const wire = { amount: 80 };
const LEASE_MS = 5 * 60_000;

describe.each(CLIENT_KINDS)("the gateway with an MCP client %s", (kind) => {
  test("passes lists, prompts, resources and allowed calls as the server itself answers them", async () => {
    await using stage = await gatewayStage();
    await publish(stage, { tools: ["*"], verdict: "allow" });
    await using direct = await stage.direct(kind);
    await using client = await stage.client(kind);
    for (const [method, params] of [
      ["listTools"],
      ["listPrompts"],
      ["listResources"],
      ["getPrompt", { name: "greet" }],
      ["readResource", { uri: "note://one" }],
      ["callTool", { name: "wire", arguments: wire }],
      ["callTool", { name: "pay", arguments: wire }],
      ["callTool", { name: "wire", arguments: { amount: "much" } }],
    ] as const)
      expect(await client.raw(method, params)).toEqual(await direct.raw(method, params));
  });

  test("does not forward what the rules deny, and says why", async () => {
    await using stage = await gatewayStage();
    await publish(stage, { tools: ["wire"], verdict: "deny", reason: "No transfers" });
    await using client = await stage.client(kind);
    const result = await client.call("wire", wire);
    expect(result.isError).toBe(true);
    expect(words(result)).toBe("Not executed: No transfers");
    expect(stage.ran).toEqual([]);
  });

  test("forwards a call once when a person approves it in time, and records the result on the claim", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client(kind);
    const calling = client.call("wire", wire);
    const id = await stage.answer("approve");
    expect(words(await calling)).toBe("sent 80");
    expect(stage.ran).toEqual([wire]);
    const { body } = await stage.holdpoint.call("GET", `/v1/holds/${id}`, {
      key: stage.holdpoint.keys.agent,
    });
    expect(body.claim).toMatchObject({
      state: "done",
      detail: { result: { content: [{ text: "sent 80" }] } },
    });
  });

  test("says after 50 seconds that the call is pending; the repeat continues it and runs it once", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client(kind);
    const pending = await stage.afterTheWait(client.call("wire", wire));
    expect(words(pending)).toMatch(/^Pending: .*identical arguments/);
    expect(pending.isError).toBeUndefined();
    expect(stage.ran).toEqual([]);
    await stage.answer("approve");
    expect(words(await client.call("wire", wire))).toBe("sent 80");
    expect(stage.ran).toEqual([wire]);
  });
});

describe("a call through the gateway that waits for a person", () => {
  test("O2 somebody is told when it ran and the server cannot be told so, and the client gets its result", async () => {
    await using stage = await gatewayStage();
    const { server } = stage.holdpoint;
    const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
    const client = server.client({ workspace: "default", principal });
    client.finishClaim = () => Promise.reject(new Error("the line is dead"));
    const told: string[] = [];
    const onOutstanding: GatewayOptions["onOutstanding"] = ({ error }) => told.push(String(error));
    await using caller = await stage.client("1.x", { client, onOutstanding });
    const calling = caller.call("wire", wire);
    await stage.answer("approve");
    expect(words(await calling)).toBe("sent 80");
    expect(told).toEqual(["Error: the line is dead"]);
  });

  test("is an error while it is pending if the tool has an output schema, which clients enforce", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client("2.x, older revision");
    await client.tools();
    expect(await stage.afterTheWait(client.call("pay", wire))).toMatchObject({ isError: true });
    await stage.answer("approve");
    expect((await client.call("pay", wire)).structuredContent).toEqual({ paid: 80 });
  });

  test("is not executed when the person rejects it, and the reason reaches the model", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client();
    const calling = client.call("wire", wire);
    await stage.answer("reject", { reason: "Wrong account" });
    expect(words(await calling)).toContain("Wrong account");
    expect(words(await client.call("wire", wire))).toContain("Wrong account");
    expect(stage.ran).toEqual([]);
  });

  test("is not executed when nobody answers in time, and the reply names no person (G5)", async () => {
    await using stage = await gatewayStage();
    await publish(stage, { tools: ["wire"], verdict: "ask", timeout: "30s" });
    await using client = await stage.client();
    const result = await stage.afterTheWait(client.call("wire", wire));
    expect(words(result)).toContain("Nobody decided");
    expect(stage.ran).toEqual([]);
  });

  test("runs with the arguments that the person approved instead, and the model is told so", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client();
    const calling = client.call("wire", wire);
    expect((await stage.openHold()).response_schema).toMatchObject({
      properties: { amount: { type: "number" } },
    });
    await stage.answer("approve", { edited_args: { amount: 50 } });
    const result = await calling;
    expect(stage.ran).toEqual([{ amount: 50 }]);
    expect(words(result)).toMatch(/A person changed the arguments.*"amount":50.*Do not repeat/);
    expect(words(result)).toContain("sent 50");
  });

  test("is another question when the arguments change", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client();
    await stage.afterTheWait(client.call("wire", wire));
    const first = await stage.answer("approve");
    const other = await stage.afterTheWait(client.call("wire", { amount: 8_000 }));
    expect(words(other)).toContain("Pending");
    expect((await stage.openHold()).id).not.toBe(first);
    expect(stage.ran).toEqual([]);
  });

  test("runs once when two clients make the same call", async () => {
    await using stage = await gatewayStage();
    await using one = await stage.client("1.x");
    await using two = await stage.client("2.x, older revision");
    const calls = [one.call("wire", wire), two.call("wire", wire)];
    await stage.answer("approve");
    const results = await Promise.all(calls);
    expect(stage.ran).toEqual([wire]);
    expect(results.filter((result) => words(result) === "sent 80").length).toBeGreaterThanOrEqual(1);
  });

  test("is forgotten by the gateway when the client gives up; the question stays open and nothing runs (G8)", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client("2.x, older revision");
    const abort = new AbortController();
    const calling = client.call("wire", wire, { signal: abort.signal });
    const { id } = await stage.openHold();
    abort.abort();
    await expect(calling).rejects.toThrow();
    expect((await stage.openHold()).id).toBe(id);
    await stage.answer("approve");
    await stage.holdpoint.clock.advance(60_000);
    expect(stage.ran).toEqual([]);
    expect(words(await client.call("wire", wire))).toBe("sent 80");
  });
});

describe("a call whose result never came back through the gateway", () => {
  async function repeatedAfterTheLease(stage: Stage, call: Promise<ToolResult>): Promise<ToolResult> {
    await call.catch(() => undefined);
    await stage.holdpoint.clock.advance(LEASE_MS + 1_000);
    await using again = await stage.client();
    return await again.call("hang");
  }

  test("is unknown after a crash of the MCP server, said so, and refused when it is repeated", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client();
    const calling = client.call("hang");
    const id = await stage.answer("approve");
    while (stage.ran.length === 0) await new Promise(setImmediate);
    await stage.crash();
    expect(words(await calling)).toContain("unknown");
    const repeated = await repeatedAfterTheLease(stage, calling);
    expect(words(repeated)).toContain("never reported");
    expect(stage.ran.filter((each) => each === "hang")).toHaveLength(1);
    const { body } = await stage.holdpoint.call("GET", `/v1/holds/${id}`, {
      key: stage.holdpoint.keys.agent,
    });
    expect(body.claim.state).toBe("unknown");
  });

  test("is refused when the gateway died between the claim and forwarding", async () => {
    await using stage = await gatewayStage();
    const { client: inProcess } = stage.holdpoint.server;
    const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
    const hp = inProcess({ workspace: "default", principal });
    const { hold } = await hp.check({ tool: "hang", args: {} });
    await stage.answer("approve");
    await hp.claim(hold?.id ?? "", { digest: hold?.digest ?? "" });
    await stage.holdpoint.clock.advance(LEASE_MS + 1_000);
    await using client = await stage.client();
    expect(await client.call("hang")).toMatchObject({ isError: true });
    expect(stage.ran).toEqual([]);
  });

  test("is refused, and nobody is asked again, while it still runs for a client that gave up", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client();
    const calling = client.call("hang");
    await stage.answer("approve");
    while (stage.ran.length === 0) await new Promise(setImmediate);
    await using again = await stage.client();
    const repeated = await again.call("hang");
    expect(repeated.isError).toBe(true);
    expect(words(repeated)).toContain("is being executed");
    const { call, keys } = stage.holdpoint;
    expect((await call("GET", "/v1/holds?status=open", { key: keys.operator })).body.holds).toEqual([]);
    expect(stage.ran).toEqual(["hang"]);
    void calling.catch(() => undefined);
  });

  test("is cancelled at the MCP server when the client cancels it after it was forwarded", async () => {
    await using stage = await gatewayStage();
    await using client = await stage.client("2.x, older revision");
    const abort = new AbortController();
    const calling = client.call("hang", {}, { signal: abort.signal });
    await stage.answer("approve");
    while (stage.ran.length === 0) await new Promise(setImmediate);
    abort.abort();
    await expect(calling).rejects.toThrow();
    while (stage.ran.length < 2) await new Promise(setImmediate);
    expect(stage.ran).toEqual(["hang", "cancelled"]);
  });
});

test("after a crash the next message starts the MCP server again, with the client's handshake (U1, U2)", async () => {
  await using stage = await gatewayStage();
  await publish(stage, { tools: ["*"], verdict: "allow" });
  for (const kind of CLIENT_KINDS) {
    await using client = await stage.client(kind);
    await client.call("wire", wire);
    await stage.crash();
    expect(words(await client.call("wire", wire))).toBe("sent 80");
  }
});

test("an approved call is reported as failed, and not as unknown, when the MCP server cannot be started", async () => {
  await using stage = await gatewayStage();
  let isBroken = false;
  const connect = () => {
    if (isBroken) throw new Error("no such program");
    return stage.connect();
  };
  await using client = await stage.client("1.x", { connect });
  await client.tools();
  const calling = client.call("wire", wire).catch((error: Error) => error.message);
  const { id } = await stage.openHold();
  isBroken = true;
  await stage.crash();
  await stage.answer("approve");
  expect(await calling).toContain("cannot be reached");
  const { call, keys } = stage.holdpoint;
  expect((await call("GET", `/v1/holds/${id}`, { key: keys.agent })).body.claim.state).toBe("failed");
  expect(stage.ran).toEqual([]);
});
