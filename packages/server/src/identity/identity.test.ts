import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test[Symbol.asyncDispose]());

describe("a key for any agent", () => {
  const place = (agentId: string) =>
    test.call("POST", "/v1/holds", {
      key: test.keys.anyAgent,
      headers: { "x-agent-id": agentId },
      body: { type: "approval", prompt: "Go?" },
    });

  it("names an agent that others can name too", async () => {
    expect((await place("refunder")).body.created_by).toBe("refunder");
    expect((await place("x".repeat(200))).status).toBe(201);
    expect(await place("")).toMatchObject({ status: 403, body: { code: "agent_mismatch" } });
    expect(await place("x".repeat(201))).toMatchObject({ status: 403, body: { code: "agent_mismatch" } });
  });
});

describe("guessing links", () => {
  const guess = (holdId: string, ip: string) => test.server.identity.byLink("wrong", holdId, ip);
  const isStopped = async (holdId: string, ip: string) => "retryAfterMs" in (await guess(holdId, ip));

  it("is stopped per address, whatever the hold", async () => {
    for (let i = 0; i < 30; i += 1) expect(await isStopped(`hold_${i}`, "10.0.0.1")).toBe(false);
    expect(await isStopped("hold_another", "10.0.0.1")).toBe(true);
  });

  it("is stopped per hold, whatever the address, and names of any length count as one", async () => {
    const long = `hold_${"x".repeat(10_000)}`;
    for (let i = 0; i < 30; i += 1) expect(await isStopped(`${long}${i}`, `10.0.1.${i}`)).toBe(false);
    expect(await isStopped(long, "10.0.2.1")).toBe(true);
  });

  it("by who is stopped already is not counted on: no stranger locks others out", async () => {
    for (let i = 0; i < 100; i += 1) await guess(i < 30 ? `hold_${i}` : "hold_victim", "10.0.3.1");
    expect(await isStopped("hold_victim", "10.0.3.2")).toBe(false);
  });
});
