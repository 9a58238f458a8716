/** The agent behind a proxy is asked within limits, and whether it can have taken the request is never guessed. */

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
  const came = await upstreamAt(
    { url, headers: {}, limits },
    clock,
  )({
    body: { threadId: "t1" },
    signal: new AbortController().signal,
    onEvent: async (event) => void events.push(event),
  });
  return { came, events };
}

describe("what an agent sends", () => {
  it("is read frame by frame, however it is cut, with comments and either kind of line end", async () => {
    const text = `: hello\n\ndata: {"type":"CUSTOM",\r\ndata: "name":"ä"}\r\n\r\n${frame(FINISHED)}`;
    const url = await agent(async (response) => {
      for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
      response.end();
    });
    const { came, events } = await asked(url);
    expect(events).toEqual([{ type: "CUSTOM", name: "ä" }]);
    expect(came).toEqual({ kind: "ended", event: FINISHED });
  });

  it("is over with its end, though the agent goes on talking", async () => {
    const url = await agent((response) => void response.write(frame(FINISHED) + frame({ type: "CUSTOM" })));
    const { came, events } = await asked(url);
    expect([came.kind, events]).toEqual(["ended", []]);
  });

  it.each([
    ["is cut off", "truncated", frame({ type: "CUSTOM" })],
    ["is cut off within a frame", "truncated", 'data: {"type":"RUN_FIN'],
    ["is empty", "truncated", ""],
    ["is no JSON", "not_agui", "data: <html>\n\n"],
    ["has no type", "not_agui", "data: {}\n\n"],
    ["is one frame too long", "too_long", `data: "${"x".repeat(3_000)}`],
    ["is too long in all", "too_long", frame({ type: "CUSTOM", value: "x".repeat(900) }).repeat(20)],
  ])("may have an effect, though it %s: %s", async (_what, error, text) => {
    const url = await agent((response) => void response.end(text));
    const { came } = await asked(url, { frameBytes: 2_000, totalBytes: 10_000 });
    expect(came).toEqual({ kind: "broken", error });
  });

  it.each([
    [302, "refused"],
    [401, "refused"],
    [404, "refused"],
    [429, "refused"],
    [202, "broken"],
    [500, "broken"],
    [503, "broken"],
  ])("with status %i is %s", async (status, kind) => {
    const url = await agent((response) => void response.writeHead(status, { location: "/" }).end());
    expect((await asked(url)).came).toEqual({ kind, error: `status_${status}` });
  });
});

describe("an agent that does not answer", () => {
  it("was surely not asked where no connection stood", async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const refused = { kind: "refused", error: "unreachable" };
    expect((await asked(`http://127.0.0.1:${port}/`)).came).toEqual(refused);
  });

  it("was surely not asked where its certificate is not trusted", async () => {
    let requests = 0;
    const server = createTlsServer(selfSigned(["localhost"]), (_request, response) => {
      requests += 1;
      response.end();
    });
    const port = await listening(server);
    const { came } = await asked(`https://localhost:${port}/`);
    expect([came, requests]).toEqual([{ kind: "refused", error: "unreachable" }, 0]);
  });

  it("may have been asked where the line is cut", async () => {
    const url = await agent((response) => void response.destroy());
    expect((await asked(url)).came).toEqual({ kind: "broken", error: "broken_off" });
  });

  it("is given up when it is silent for too long, before it answers or in the middle", async () => {
    const timeout = { kind: "broken", error: "timeout" };
    const mute = await agent(() => undefined);
    expect((await asked(mute, { silenceMs: 20 })).came).toEqual(timeout);
    const halfway = await agent((response) => void response.write(frame({ type: "CUSTOM" })));
    expect((await asked(halfway, { silenceMs: 20 })).came).toEqual(timeout);
  });

  it("is given up when all of it takes too long, though it talks", async () => {
    const clock = new ManualClock();
    const url = await agent((response) => void response.write(frame({ type: "CUSTOM" })));
    const events: StreamedEvent[] = [];
    const came = await upstreamAt(
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
    expect([came, events.length]).toEqual([{ kind: "broken", error: "timeout" }, 1]);
  });

  it("is not asked for somebody who has left", async () => {
    let requests = 0;
    const url = await agent(() => {
      requests += 1;
    });
    const ask = upstreamAt({ url, headers: {} }, new ManualClock());
    const came = await ask({ body: {}, signal: AbortSignal.abort(), onEvent: async () => undefined });
    expect([came, requests]).toEqual([{ kind: "refused", error: "aborted" }, 0]);
  });
});
