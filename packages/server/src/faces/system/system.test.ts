import { describe, expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { testServer } from "../../testing/test-server.ts";

describe("health checks and metrics", () => {
  it("/healthz replies 200 whatever the store does", async () => {
    await using test = await testServer();
    expect(await test.call("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it("/readyz says whether the server can take work", async () => {
    const store = new MemoryStore({ indexes: TABLE });
    await using test = await testServer({ store });
    expect(await test.call("GET", "/readyz")).toMatchObject({
      status: 200,
      body: { status: "ready", checks: { store: "ok" } },
    });
    store.lastPosition = () => Promise.reject(new Error("the disk is gone"));
    expect(await test.call("GET", "/readyz")).toMatchObject({
      status: 503,
      body: { status: "not_ready", checks: { store: "failing" } },
    });
    expect(await test.call("GET", "/healthz")).toMatchObject({ status: 200 });
  });

  it("/readyz replies 503 if the store does not answer in time or accepts no writes", async () => {
    const store = new MemoryStore({ indexes: TABLE });
    await using test = await testServer({ store });
    const failing = { status: 503, body: { checks: { store: "failing" } } };
    const last = store.lastPosition;
    const asked = Promise.withResolvers<void>();
    store.lastPosition = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const asking = test.call("GET", "/readyz");
    await asked.promise;
    await test.clock.advance(3_000);
    expect(await asking).toMatchObject(failing);
    store.lastPosition = last;
    expect(await test.call("GET", "/readyz")).toMatchObject({ status: 200 });
    Object.assign(store, { isWritable: async () => false });
    expect(await test.call("GET", "/readyz")).toMatchObject(failing);
  });

  it("a request that lost too many conflicts with other servers gets 503 and may be retried", async () => {
    const store = new MemoryStore({ indexes: TABLE });
    await using test = await testServer({ store });
    store.begin = () => Promise.reject(Object.assign(new Error("in the way"), { retryable: true }));
    const body = { type: "approval", prompt: "Go?" };
    const reply = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
    expect(reply).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });

  it("/metrics counts holds by state", async () => {
    await using test = await testServer();
    await test.call("POST", "/v1/holds", { key: test.keys.agent, body: { type: "approval", prompt: "Go?" } });
    const { headers, body } = await test.call("GET", "/metrics");
    expect(headers.get("content-type")).toContain("text/plain");
    expect(body).toMatch(/^# TYPE holdpoint_\w+ (gauge|counter|histogram)$/m);
    expect(body).toMatch(/^holdpoint_holds\{status="open"\} 1$/m);
    expect(body).not.toContain("Go?");
  });

  it("an internal error is written to the log, and the caller gets only its code", async () => {
    const store = new MemoryStore({ indexes: TABLE });
    await using test = await testServer({ store });
    store.query = () => Promise.reject(new Error("a secret detail"));
    const reply = await test.call("GET", "/v1/holds", { key: test.keys.agent });
    expect(reply).toMatchObject({ status: 500, body: { code: "internal" } });
    expect(JSON.stringify(reply.body)).not.toContain("secret detail");
    expect(test.log).toEqual([
      expect.objectContaining({ place: "listHolds", message: expect.stringContaining("a secret detail") }),
    ]);
  });

  it("a stopping server replies 503", async () => {
    const test = await testServer();
    await test.server.engine.stop();
    const reply = await test.call("POST", "/v1/holds", {
      key: test.keys.agent,
      body: { type: "approval", prompt: "Go?" },
    });
    expect(reply).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(reply.headers.get("retry-after")).toBe("1");
    await test.server.stop();
  });
});
