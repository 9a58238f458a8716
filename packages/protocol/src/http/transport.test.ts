import { describe, expect, it } from "vitest";
import { isRefusal, isRetryableError, isTerminalError, RetryableError } from "../client/index.ts";
import { httpHoldClient } from "./connect.ts";
import { errorOut } from "./testing/fake-replies.ts";
import { FakeServer } from "./testing/fake-server.ts";
import { failure, setup } from "./testing/setup.ts";
import { QUICK_RETRY, until } from "./testing/test-runtime.ts";

const ask = { type: "approval", prompt: "Go?" } as const;

describe("placing a hold", () => {
  it("sends the key in the header and the ask in snake_case", async () => {
    await using kit = await setup({ agent: "refunds" });
    const hold = await kit.hp.place({
      ...ask,
      key: "k1",
      onTimeout: "reject",
      timeout: "2h",
      context: { someName: 1 },
    });
    const [seen] = kit.server.seen;
    expect(seen?.headers).toMatchObject({ authorization: "Bearer hp_test", "x-agent-id": "refunds" });
    expect(seen?.body).toEqual({
      ...ask,
      key: "k1",
      on_timeout: "reject",
      timeout: "2h",
      context: { someName: 1 },
    });
    expect(hold).toMatchObject({ id: "hold_1", createdBy: "agent", context: { someName: 1 } });
  });

  it.each(["drop", "lose"] as const)(
    "is repeated under one key when a reply is missing (%s)",
    async (mishap) => {
      await using kit = await setup();
      kit.server.plan("POST /v1/holds", mishap, 2);
      const hold = await kit.hp.place(ask);
      const keys = kit.server.seen.map(({ headers }) => headers["idempotency-key"]);
      expect(keys).toEqual(["auto-key-1", "auto-key-1", "auto-key-1"]);
      expect([...kit.server.holds.keys()]).toEqual([hold.id]);
    },
  );

  it("makes another key for another call", async () => {
    await using kit = await setup();
    await kit.hp.place(ask);
    await kit.hp.place(ask);
    expect(kit.server.holds.size).toBe(2);
  });

  it.each([500, 502, 503, 504, 408])("is repeated after %i", async (status) => {
    await using kit = await setup();
    kit.server.plan("POST /v1/holds", { status, body: "<html>" }, 2);
    expect((await kit.hp.place(ask)).id).toBe("hold_1");
    expect(kit.server.seen).toHaveLength(3);
  });

  it("gives up after the configured number of tries, with an error that says it can be retried", async () => {
    await using kit = await setup();
    kit.server.plan("POST /v1/holds", { status: 503 }, 9);
    const error = await failure(kit.hp.place(ask));
    expect(error).toBeInstanceOf(RetryableError);
    expect(kit.server.seen).toHaveLength(QUICK_RETRY.attemptsMax);
  });

  it("waits for as long as Retry-After says", async () => {
    await using kit = await setup();
    kit.server.plan("POST /v1/holds", {
      status: 429,
      headers: { "retry-after": "7" },
      body: errorOut(429, "rate_limited"),
    });
    const placing = kit.hp.place(ask);
    await until(() => kit.runtime.asked.includes(7_000));
    expect(kit.server.seen).toHaveLength(1);
    await kit.runtime.advance(7_000);
    expect((await placing).id).toBe("hold_1");
  });

  it("does not wait inside a call when Retry-After is very long", async () => {
    await using kit = await setup();
    kit.server.plan("POST /v1/holds", {
      status: 429,
      headers: { "retry-after": "3600" },
      body: errorOut(429, "rate_limited"),
    });
    expect(await failure(kit.hp.place(ask))).toMatchObject({
      name: "RetryableError",
      code: "rate_limited",
      retryAfterMs: 3_600_000,
    });
  });

  it("is not repeated when refused", async () => {
    await using kit = await setup();
    const fields = [{ key: "/prompt", rule: "required", message: "must be given" }];
    kit.server.plan("POST /v1/holds", {
      status: 422,
      body: errorOut(422, "invalid_ask", { detail: "no sense", fields }),
    });
    const error = await failure(kit.hp.place(ask));
    expect(isRefusal(error, "invalid_ask")).toBe(true);
    expect(error).toMatchObject({ status: 422, fields, message: "no sense (invalid_ask)" });
    expect(kit.server.seen).toHaveLength(1);
  });

  it("gives up a server that does not answer, and asks again", async () => {
    await using kit = await setup({ replyTimeoutMs: 5_000 });
    let asked = 0;
    const slow = kit.another({
      replyTimeoutMs: 5_000,
      runtime: {
        after: (ms, wake) => kit.runtime.after(ms, wake),
        fetch: (input, init) => {
          asked += 1;
          return asked === 1 ? hanging(init.signal) : globalThis.fetch(input, init);
        },
      },
    });
    const placing = slow.place(ask);
    await until(() => asked === 1);
    await kit.runtime.advance(5_000);
    expect((await placing).id).toBe("hold_1");
    expect(kit.runtime.waiting).toBe(0);
  });
});

describe("a call to the server", () => {
  it("ends at once with the caller's own reason when its signal aborts", async () => {
    await using kit = await setup();
    const stop = new AbortController();
    kit.server.plan("POST /v1/holds", {
      status: 503,
      headers: { "retry-after": "30" },
      body: errorOut(503, "unavailable"),
    });
    const placing = kit.hp.place(ask, { signal: stop.signal });
    await until(() => kit.runtime.asked.includes(30_000));
    stop.abort("changed my mind");
    expect(await failure(placing)).toBe("changed my mind");
    expect(kit.runtime.waiting).toBe(0);
  });

  it("that its caller aborts is not reported as a network error", async () => {
    await using kit = await setup();
    const stop = new AbortController();
    const { after } = kit.runtime;
    const hp = kit.another({
      runtime: { after: after.bind(kit.runtime), fetch: (_, { signal }) => hanging(signal) },
    });
    const linking = failure(hp.makeLink("hold_1", {}, { signal: stop.signal }));
    await until(() => kit.runtime.waiting === 1);
    stop.abort("changed my mind");
    expect(await linking).toBe("changed my mind");
  });

  it("does not begin when its signal has aborted", async () => {
    await using kit = await setup();
    expect(await failure(kit.hp.place(ask, { signal: AbortSignal.abort("no") }))).toBe("no");
    expect(kit.server.seen).toHaveLength(0);
  });

  it("says that the address is wrong when the reply is a page", async () => {
    await using kit = await setup();
    kit.server.plan("GET /v1/holds/h", { status: 200, body: "<!doctype html>" });
    expect(await failure(kit.hp.get("h"))).toMatchObject({ name: "TerminalError", code: "invalid_reply" });
  });

  it("says that the address is wrong when a server that is not Holdpoint refuses", async () => {
    await using kit = await setup();
    kit.server.plan("GET /v1/holds/h", { status: 404, body: "<!doctype html>" });
    const error = await failure(kit.hp.get("h"));
    expect(error).toMatchObject({ name: "TerminalError", code: "invalid_reply", status: 404 });
    expect(String(error)).toContain("Check the server's address: the variable HOLDPOINT_URL");
  });

  it("says where the key comes from when the server does not accept it", async () => {
    await using kit = await setup();
    kit.server.plan("GET /v1/holds/h", { status: 401, body: errorOut(401, "unauthenticated") });
    const error = await failure(kit.hp.get("h"));
    expect(isRefusal(error, "unauthenticated")).toBe(true);
    expect(String(error)).toContain("Check the key: the variable HOLDPOINT_API_KEY, or the option `apiKey`");
  });

  it("refuses an option that it does not know, and names those it knows", () => {
    const given = { url: "http://127.0.0.1:1", apikey: "k" };
    expect(() => httpHoldClient(given)).toThrow(/there is no option apikey\. Use one of: url, apiKey,/);
  });

  it("never follows a redirect with the key (G9)", async () => {
    await using kit = await setup();
    await using elsewhere = await FakeServer.start();
    kit.server.plan("GET /v1/holds/h", { status: 307, headers: { location: `${elsewhere.url}/v1/holds/h` } });
    expect(await failure(kit.hp.get("h"))).toMatchObject({ name: "TerminalError", code: "invalid_reply" });
    expect(elsewhere.seen).toHaveLength(0);
  });

  it("escapes ids in its path", async () => {
    await using kit = await setup();
    await failure(kit.hp.get("../keys?x=1"));
    expect(kit.server.seen[0]?.path).toBe("/v1/holds/..%2Fkeys%3Fx%3D1");
  });

  it("says that the server cannot be reached when nothing listens", async () => {
    const gone = await FakeServer.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    const hp = httpHoldClient({ url, apiKey: "k", retry: { attemptsMax: 1 } });
    const error = await failure(hp.get("h"));
    expect(isRetryableError(error) && error.message).toBe(
      `cannot reach ${url}: is the server running? Check the server's address: the variable HOLDPOINT_URL, or the option \`url\``,
    );
  });

  it("looks for credentials again after it found none", async () => {
    const hp = httpHoldClient({ url: "not an address", apiKey: "k" });
    expect(isTerminalError(await failure(hp.get("h")))).toBe(true);
    expect(await failure(hp.get("h"))).toMatchObject({ code: "misconfigured" });
  });
});

describe("a claim over HTTP", () => {
  it("whose reply was lost is still held by the caller when it asks again", async () => {
    await using kit = await setup();
    const { id, digest } = await kit.hp.place(ask);
    kit.server.plan(`POST /v1/holds/${id}/claim`, "lose");
    const claim = await kit.hp.claim(id, { digest });
    expect(claim).toMatchObject({ holdId: id, state: "claimed" });
    expect(isRefusal(await failure(kit.hp.claim(id, { digest })), "claim_taken")).toBe(true);
  });
});

function hanging(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    // As some engines do: an error of their own, not the reason.
    const abort = () => reject(new DOMException("aborted", "AbortError"));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
  });
}
