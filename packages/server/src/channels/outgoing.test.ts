import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { Receiver } from "../testing/receiver.ts";
import { selfSigned } from "../testing/self-signed.ts";
import { ALLOW_NOTHING, readAllowList } from "./allow-list.ts";
import { createOutgoing, type Outgoing, type OutgoingOptions } from "./outgoing.ts";
import type { OutgoingPolicy } from "./target.ts";

const LOCAL: OutgoingPolicy = { allow: ALLOW_NOTHING, loopback: true };

function allowing(text: string): OutgoingPolicy {
  const read = readAllowList(text);
  if (read.kind === "refused") throw new Error(`bad allow list entry ${read.entry}`);
  return { allow: read.list, loopback: false };
}

function outgoing(options: Partial<OutgoingOptions> = {}): Outgoing {
  return createOutgoing({ policy: LOCAL, clock: new ManualClock(), ...options });
}

async function receiver(...options: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const started = await Receiver.start(...options);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

function post(client: Outgoing, url: string, signal?: AbortSignal) {
  const headers = { "content-type": "application/json", "x-extra": "1" };
  return client.post({ url, headers, body: '{"a":"ä"}', ...(signal ? { signal } : {}) });
}

/** Resolves when the HTTP client next publishes the diagnostics event. */
function once(event: string): Promise<void> {
  return new Promise((resolve) => {
    const seen = () => {
      unsubscribe(event, seen);
      resolve();
    };
    subscribe(event, seen);
  });
}

describe("successful posts", () => {
  it("a post sends method, path, headers and body, and returns status and text", async () => {
    const there = await receiver();
    there.answer = () => ({ status: 202, headers: { "retry-after": "7" }, body: "thanks" });
    const reply = await post(outgoing(), there.url("/hook?x=1"));
    expect(reply).toEqual({ kind: "answered", status: 202, retryAfter: "7", text: "thanks" });
    expect(there.requests).toMatchObject([
      {
        method: "POST",
        path: "/hook?x=1",
        body: '{"a":"ä"}',
        headers: {
          host: `127.0.0.1:${there.port}`,
          "x-extra": "1",
          "user-agent": "Holdpoint",
          "content-length": "10",
        },
      },
    ]);
  });

  it("a post does not follow a redirect", async () => {
    const there = await receiver();
    there.answer = () => ({ status: 307, headers: { location: there.url("/elsewhere") } });
    expect(await post(outgoing(), there.url("/hook"))).toMatchObject({ kind: "answered", status: 307 });
    expect(there.requests).toHaveLength(1);
  });

  it("a post ignores proxies named in the environment", async () => {
    const there = await receiver();
    const proxy = await receiver();
    for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "NODE_USE_ENV_PROXY"]) {
      const before = process.env[name];
      process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : proxy.url();
      onTestFinished(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
    }
    await post(outgoing(), there.url());
    expect([there.requests.length, proxy.requests.length]).toEqual([1, 0]);
  });

  it("a post keeps only the first 64 KiB of a long response", async () => {
    const there = await receiver();
    there.answer = () => ({ status: 200, body: "x".repeat(1_000_000) });
    const reply = await post(outgoing(), there.url());
    expect(reply.kind === "answered" && reply.text.length).toBe(65_536);
  });

  it("a post does not wait for the end of an endless response", async () => {
    const clock = new ManualClock();
    const there = await receiver();
    there.answer = () => "flood";
    expect(await post(outgoing({ clock }), there.url())).toMatchObject({ kind: "answered", status: 200 });
    expect(clock.pending).toBe(0);
  });
});

describe("time limits of posts", () => {
  it("a post without a response times out after ten seconds", async () => {
    const clock = new ManualClock();
    const there = await receiver();
    there.answer = () => "hang";
    const reply = post(outgoing({ clock }), there.url());
    await there.received(1);
    await clock.advance(9_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await reply).toEqual({ kind: "failed", error: "timed_out" });
    expect(clock.pending).toBe(0);
  });

  it("a post whose response body stalls keeps the status", async () => {
    const clock = new ManualClock();
    const there = await receiver();
    there.answer = () => "stall";
    const half = once("undici:request:bodyChunkReceived");
    const reply = post(outgoing({ clock }), there.url());
    await half;
    await clock.advance(10_000);
    expect(await reply).toMatchObject({ kind: "answered", status: 200, text: "half" });
  });

  it("the time limit of a post covers a name server that never answers", async () => {
    const clock = new ManualClock();
    const reply = post(outgoing({ clock, resolve: () => new Promise(() => {}) }), "https://slow.example/");
    await clock.advance(10_000);
    expect(await reply).toEqual({ kind: "failed", error: "timed_out" });
  });

  it("connecting has its own time limit, which includes the TLS handshake", async () => {
    const silent: Server = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(0, "127.0.0.1", resolve);
    });
    const sockets = new Set<{ destroy(): void }>();
    silent.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as { port: number };
    const reply = await post(outgoing({ limits: { connectMs: 50 } }), `https://127.0.0.1:${port}/`);
    expect(reply).toEqual({ kind: "failed", error: "connect_timed_out" });
  });

  it("a post ends at once when its caller aborts it, also before it began", async () => {
    const there = await receiver();
    there.answer = () => "hang";
    const stop = new AbortController();
    const reply = post(outgoing(), there.url(), stop.signal);
    await there.received(1);
    stop.abort();
    expect(await reply).toEqual({ kind: "failed", error: "stopped" });
    expect(await post(outgoing(), there.url(), stop.signal)).toEqual({ kind: "failed", error: "stopped" });
    expect(there.requests).toHaveLength(1);
  });
});

describe("failed posts", () => {
  it("a failed post tells a refused connection from a dropped one", async () => {
    const gone = await Receiver.start();
    const url = gone.url();
    await gone[Symbol.asyncDispose]();
    expect(await post(outgoing(), url)).toEqual({ kind: "failed", error: "connection_refused" });

    const there = await receiver();
    there.answer = () => "reset";
    expect(await post(outgoing(), there.url())).toEqual({ kind: "failed", error: "connection_lost" });
  });

  it("a post to an unknown host fails with name_not_found", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("nope"), { code: "ENOTFOUND" }));
    expect(await post(outgoing({ resolve }), "https://nowhere.example/")).toEqual({
      kind: "failed",
      error: "name_not_found",
    });
  });

  it("a post to a server that does not speak HTTP fails with bad_response", async () => {
    const odd = createServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.end("SSH-2.0-nothing\r\n")),
    );
    await new Promise<void>((resolve) => {
      odd.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => {
      odd.close();
    });
    const { port } = odd.address() as { port: number };
    expect(await post(outgoing(), `http://127.0.0.1:${port}/`)).toEqual({
      kind: "failed",
      error: "bad_response",
    });
  });
});

describe("TLS of posts", () => {
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];

  it("a post accepts a certificate for the host name by a trusted issuer", async () => {
    const tls = selfSigned(["hooks.example"]);
    const there = await receiver({ tls });
    const reply = await post(outgoing({ resolve, ca: tls.cert }), there.url("/", "hooks.example"));
    expect(reply).toMatchObject({ kind: "answered", status: 204 });
    expect(there.requests[0]?.headers["host"]).toBe(`hooks.example:${there.port}`);
  });

  it("a post refuses a certificate by an unknown issuer or for another name", async () => {
    const tls = selfSigned(["hooks.example"]);
    const there = await receiver({ tls });
    const failed = { kind: "failed", error: "tls_failed" };
    expect(await post(outgoing({ resolve }), there.url("/", "hooks.example"))).toEqual(failed);
    expect(await post(outgoing({ resolve, ca: tls.cert }), there.url("/", "other.example"))).toEqual(failed);
    expect(there.requests).toHaveLength(0);
  });
});

describe("the address guard", () => {
  const refused = { kind: "refused", code: "callback_refused", reason: "address" };
  const strict: OutgoingPolicy = { allow: ALLOW_NOTHING, loopback: false };

  it("a post to a private literal address is refused before any lookup", async () => {
    const there = await receiver();
    expect(await post(outgoing({ policy: strict }), there.url())).toMatchObject(refused);
    expect(there.requests).toHaveLength(0);
  });

  it.each([
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "::1",
    "fe80::1%eth0",
    "::ffff:127.0.0.1",
    "not an address",
  ])("a post to a public name that resolves to %s is refused", async (address) => {
    const resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    expect(await post(outgoing({ policy: strict, resolve }), "https://innocent.example/")).toMatchObject(
      refused,
    );
  });

  it("a post to a name without addresses is refused", async () => {
    expect(await post(outgoing({ resolve: async () => [] }), "https://empty.example/")).toMatchObject(
      refused,
    );
  });

  it("a post connects only to the allowed addresses of a name", async () => {
    const tls = selfSigned(["mixed.example"]);
    const there = await receiver({ tls });
    const resolve = async () =>
      ["127.0.0.2", "10.255.255.1", "127.0.0.1"].map((address) => ({ address, family: 4 }));
    const policy = allowing("127.0.0.1/32");
    const attempted: unknown[] = [];
    const note = (message: unknown) => attempted.push((message as { socket: Socket }).socket.remoteAddress);
    subscribe("undici:client:connected", note);
    onTestFinished(() => {
      unsubscribe("undici:client:connected", note);
    });
    const reply = await post(outgoing({ policy, resolve, ca: tls.cert }), there.url("/", "mixed.example"));
    expect(reply).toMatchObject({ kind: "answered", status: 204 });
    expect(attempted).toEqual(["127.0.0.1"]);
  });

  it("each post resolves the name once and checks it, so DNS rebinding does not help", async () => {
    const tls = selfSigned(["rebind.example"]);
    // Listens on every loopback address: if the second post had connected, it would have been received.
    const there = await receiver({ host: "0.0.0.0", tls });
    const answers = ["127.0.0.1", "127.0.0.2"];
    let asked = 0;
    const resolve = async () => [{ address: answers[asked++] ?? "127.0.0.2", family: 4 }];
    const client = outgoing({ policy: allowing("127.0.0.1/32"), resolve, ca: tls.cert });
    const url = there.url("/", "rebind.example");
    expect(await post(client, url)).toMatchObject({ kind: "answered" });
    expect(asked).toBe(1);
    expect(await post(client, url)).toMatchObject(refused);
    expect([asked, there.requests.length]).toEqual([2, 1]);
  });

  it("a name on the allow-list may have any address and may use plain HTTP", async () => {
    const there = await receiver();
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const client = outgoing({ policy: allowing("internal.corp"), resolve });
    expect(await post(client, there.url("/", "internal.corp"))).toMatchObject({ kind: "answered" });
    expect(await post(client, there.url("/", "other.corp"))).toMatchObject({ reason: "https_required" });
  });
});
