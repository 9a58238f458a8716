import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { storeUnderTest } from "../testing/test-store.ts";
import type { Credentials } from "./identity.ts";

const FROM: Credentials = { sameOrigin: true, unsafe: false, ip: "10.0.0.1" };
const as = (test: TestServer, key: string, more: Partial<Credentials> = {}) =>
  test.server.identity.authenticate({ ...FROM, authorization: `Bearer ${key}`, ...more });

/**
 * A server whose store can be made to read keys at once and to return what it read later, as a database does whose reply takes
 * its time.
 */
async function withSlowReads(method: "find" | "query") {
  const clock = new ManualClock();
  const { store } = await storeUnderTest(clock);
  const opened = Promise.withResolvers<void>();
  const wasRead = Promise.withResolvers<void>();
  let isSlow = false;
  const slow = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== method) return member.bind(target);
      return async (...args: readonly unknown[]) => {
        const found: unknown = await member.apply(target, args);
        if (!isSlow || !JSON.stringify(args[0]).includes("api_key")) return found;
        isSlow = false;
        wasRead.resolve();
        await opened.promise;
        return found;
      };
    },
  });
  const test = await testServer({ clock, store: slow });
  return {
    test,
    /** What `reading` returns if `change` is made after it has read and before it hears of it. */
    async whileReading<T>(reading: () => T | Promise<T>, change: () => Promise<unknown>): Promise<T> {
      isSlow = true;
      const found = reading();
      await wasRead.promise;
      await change();
      opened.resolve();
      return found;
    },
  };
}

describe("identity", () => {
  it("I2 wrong keys are counted per IP address, and a valid key from the same address is still accepted", async () => {
    await using test = await testServer();
    for (let i = 0; i < 30; i += 1)
      expect(await as(test, `wrong${i}`)).toMatchObject({ why: "unauthenticated" });
    expect(await as(test, "wrong")).toMatchObject({ why: "rate_limited", retryAfterMs: 60_000 });
    expect(await as(test, test.keys.agent)).toMatchObject({ ok: true });
    expect(await as(test, "wrong", { ip: "10.0.0.2" })).toMatchObject({ why: "unauthenticated" });
    await test.clock.advance(60_000);
    expect(await as(test, "wrong")).toMatchObject({ why: "unauthenticated" });
  });

  it("a client that sends too many wrong keys gets 429 with Retry-After", async () => {
    await using test = await testServer();
    for (let i = 0; i < 30; i += 1) await test.call("GET", "/v1/me", { key: `wrong${i}` });
    const reply = await test.call("GET", "/v1/me", { key: "wrong" });
    expect(reply).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(reply.headers.get("retry-after")).toBe("60");
  });

  it("I3 a key that another server revoked is refused within seconds", async () => {
    await using test = await testServer();
    const { body } = await test.call("POST", "/v1/keys", {
      key: test.keys.admin,
      body: { name: "x", role: "agent" },
    });
    expect(await as(test, body.secret)).toMatchObject({ ok: true });
    // Written as another server would write it: without this server's engine.
    const batch = await test.store.begin();
    const [kept] = await batch.load([{ workspace: "default", kind: "api_key", id: body.id }]);
    if (kept === undefined) throw new Error("the new key is missing in the store");
    const { workspace, kind, id, version, seq, head } = kept;
    const put = {
      key: { workspace, kind, id },
      expected: version,
      version: version + 1,
      seq,
      head,
      body: { ...kept.body, revokedAt: 1 },
    };
    await batch.commit({ puts: [put], events: [], timers: [], outbox: [] });
    await test.clock.advance(5_000);
    expect(await as(test, body.secret)).toMatchObject({ ok: false });
  });

  it("I3 a key whose look-up is under way while it is revoked is refused from the next request on", async () => {
    const { test, whileReading } = await withSlowReads("find");
    await using _server = test;
    const { admin } = test.keys;
    const { body } = await test.call("POST", "/v1/keys", { key: admin, body: { name: "x", role: "agent" } });
    expect(await as(test, body.secret)).toMatchObject({ ok: true });
    await test.clock.advance(5_000);
    const underWay = await whileReading(
      () => as(test, body.secret),
      () => test.call("DELETE", `/v1/keys/${body.id}`, { key: admin }),
    );
    expect(underWay).toMatchObject({ ok: true });
    expect(await as(test, body.secret)).toMatchObject({ ok: false, why: "unauthenticated" });
  });

  it("I4 a name whose look-up is under way while an app gets it is refused to agents from the next request on", async () => {
    const { test, whileReading } = await withSlowReads("query");
    await using _server = test;
    const asMall = () => as(test, test.keys.anyAgent, { agentId: "mall" });
    const key = { key: test.keys.admin, body: { name: "mall", role: "app" } };
    const underWay = await whileReading(asMall, () => test.call("POST", "/v1/keys", key));
    expect(underWay).toMatchObject({ ok: true });
    expect(await asMall()).toMatchObject({ ok: false, why: "agent_mismatch" });
  });

  it.each(["", "Bearer", "Bearer ", "Basic abc", "bearer", "Token x"])(
    "the Authorization header %j contains no key",
    async (authorization) => {
      await using test = await testServer();
      const found = await test.server.identity.authenticate({ ...FROM, authorization });
      expect(found).toMatchObject({ ok: false, why: "unauthenticated" });
    },
  );

  it("the word Bearer is accepted in any case and with extra spaces", async () => {
    await using test = await testServer();
    const authorization = `bearer   ${test.keys.agent}`;
    expect(await test.server.identity.authenticate({ ...FROM, authorization })).toMatchObject({ ok: true });
  });

  it("a key is found by its id and accepted only with its complete secret", async () => {
    await using test = await testServer();
    const { body } = await test.call("POST", "/v1/keys", {
      key: test.keys.admin,
      body: { name: "x", role: "agent" },
    });
    const changed = `${body.secret.slice(0, -1)}${body.secret.endsWith("A") ? "B" : "A"}`;
    expect(await as(test, changed)).toMatchObject({ ok: false });
    expect(await as(test, body.secret.slice(0, -1))).toMatchObject({ ok: false });
  });

  it("each key from the environment has its own callback secret, even if keys share a name", async () => {
    const key = (secret: string, role: "agent" | "app", workspace: string) => ({
      secret,
      role,
      name: "shop",
      workspace,
    });
    const keys = [
      key("one", "agent", "default"),
      key("two", "app", "default"),
      key("three", "agent", "elsewhere"),
    ];
    await using test = await testServer({ keys });
    const ids = await Promise.all(
      keys.map(async ({ secret }) => {
        const found = await as(test, secret);
        return found.ok ? found.caller.principal.id : "";
      }),
    );
    const secrets = await Promise.all(ids.map((id) => test.server.identity.callbackSecret(id)));
    expect(new Set(secrets).size).toBe(3);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_/);
    expect(await test.server.identity.callbackSecret("key_gone")).toBeUndefined();
  });
});
