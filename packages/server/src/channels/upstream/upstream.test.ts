/** Requests to the agent behind a proxy have limits, and their result says reliably whether the agent may have got them. */

import { createServer, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { selfSigned } from "../../testing/self-signed.ts";
import type { StreamedEvent } from "./frames.ts";
import { type UpstreamTarget, upstreamAt } from "./upstream.ts";

const FINISHED = { type: "RUN_FINISHED", threadId: "t1", runId: "r1" };
const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

async function listening(server: Server & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function agent(reply: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => reply(response));
  });
  return `http://127.0.0.1:${await listening(server)}/run`;
}

async function asked(url: string, limits: UpstreamTarget["limits"] = {}, clock = new ManualClock()) {
  const events: StreamedEvent[] = [];
  const result = await upstreamAt(
    { url, headers: {}, limits },
    clock,
  )({
    body: { threadId: "t1" },
    signal: new AbortController().signal,
    onEvent: async (event) => void events.push(event),
  });
  return { result, events };
}

describe("responses of an upstream agent", () => {
  it("an agent's stream is parsed frame by frame, whatever the chunks, comments and line endings", async () => {
    const text = `: hello\n\ndata: {"type":"CUSTOM",\r\ndata: "name":"ä"}\r\n\r\n${frame(FINISHED)}`;
    const url = await agent(async (response) => {
      for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
      response.end();
    });
    const { result, events } = await asked(url);
    expect(events).toEqual([{ type: "CUSTOM", name: "ä" }]);
    expect(result).toEqual({ kind: "ended", event: FINISHED });
  });

  it("an agent's stream ends with RUN_FINISHED, even if the agent sends more", async () => {
    const url = await agent((response) => void response.write(frame(FINISHED) + frame({ type: "CUSTOM" })));
    const { result, events } = await asked(url);
    expect([result.kind, events]).toEqual(["ended", []]);
  });

  it.each([
    ["is cut off", "truncated", frame({ type: "CUSTOM" })],
    ["is cut off within a frame", "truncated", 'data: {"type":"RUN_FIN'],
    ["is empty", "truncated", ""],
    ["is not JSON", "not_agui", "data: <html>\n\n"],
    ["has no type", "not_agui", "data: {}\n\n"],
    ["has a frame that is too long", "too_long", `data: "${"x".repeat(3_000)}`],
    ["is too long in total", "too_long", frame({ type: "CUSTOM", value: "x".repeat(900) }).repeat(20)],
  ])("an agent's response that %s counts as possibly received: %s", async (_what, error, text) => {
    const url = await agent((response) => void response.end(text));
    const { result } = await asked(url, { frameBytes: 2_000, totalBytes: 10_000 });
    expect(result).toEqual({ kind: "broken", error });
  });

  it.each([
    [302, "refused"],
    [401, "refused"],
    [404, "refused"],
    [429, "refused"],
    [202, "broken"],
    [500, "broken"],
    [503, "broken"],
  ])("an agent's response with status %i counts as %s", async (status, kind) => {
    const url = await agent((response) => void response.writeHead(status, { location: "/" }).end());
    expect((await asked(url)).result).toEqual({ kind, error: `status_${status}` });
  });
});

describe("upstream agents that do not answer", () => {
  it("a request without a connection is known not to have arrived", async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const refused = { kind: "refused", error: "unreachable" };
    expect((await asked(`http://127.0.0.1:${port}/`)).result).toEqual(refused);
  });

  it("a request to an agent with an untrusted certificate is known not to have arrived", async () => {
    let requests = 0;
    const server = createTlsServer(selfSigned(["localhost"]), (_request, response) => {
      requests += 1;
      response.end();
    });
    const port = await listening(server);
    const { result } = await asked(`https://localhost:${port}/`);
    expect([result, requests]).toEqual([{ kind: "refused", error: "unreachable" }, 0]);
  });

  it("a request whose connection is lost may have arrived", async () => {
    const url = await agent((response) => void response.destroy());
    expect((await asked(url)).result).toEqual({ kind: "broken", error: "broken_off" });
  });

  it("a request is aborted when the agent is silent for too long, before or during its response", async () => {
    const timeout = { kind: "broken", error: "timeout" };
    const mute = await agent(() => undefined);
    const halfway = await agent((response) => void response.write(frame({ type: "CUSTOM" })));
    const both = await Promise.all([mute, halfway].map((url) => asked(url, { silenceMs: 20 })));
    expect(both.map(({ result }) => result)).toEqual([timeout, timeout]);
  });

  it("a request is aborted when the whole response takes too long", async () => {
    const clock = new ManualClock();
    const url = await agent((response) => void response.write(frame({ type: "CUSTOM" })));
    const events: StreamedEvent[] = [];
    const result = await upstreamAt(
      { url, headers: {}, limits: { totalMs: 60_000 } },
      clock,
    )({
      body: {},
      signal: new AbortController().signal,
      onEvent: async (event) => {
        events.push(event);
        await clock.advance(60_000);
      },
    });
    expect([result, events.length]).toEqual([{ kind: "broken", error: "timeout" }, 1]);
  });

  it("an already aborted request is not sent", async () => {
    let requests = 0;
    const url = await agent(() => {
      requests += 1;
    });
    const ask = upstreamAt({ url, headers: {} }, new ManualClock());
    const result = await ask({ body: {}, signal: AbortSignal.abort(), onEvent: async () => undefined });
    expect([result, requests]).toEqual([{ kind: "refused", error: "aborted" }, 0]);
  });
});
