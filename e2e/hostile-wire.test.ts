/** What only a real socket can do to a server: bytes that no client library would send. */

import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testServer } from "../packages/server/src/testing/test-server.ts";
import { type ServerProcess, serverProcess } from "./support/server-process.ts";

let server: ServerProcess;
beforeAll(async () => {
  server = await serverProcess();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Every operation of every face that reads a body. */
const bodied = await (async () => {
  await using test = await testServer();
  return test.server.operationSets
    .flatMap(({ operations }) => operations)
    .filter(({ body, bytes }) => body !== undefined || bytes === true);
})();

interface Raw {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes, and reads until the server has answered or hung up. */
async function raw(...parts: readonly (string | Uint8Array)[]): Promise<Raw> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  // The other side may hang up while we still write.
  socket.on("error", () => undefined);
  let text = "";
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (isWhole(text)) resolve();
    });
    socket.on("close", () => resolve());
  });
  for (const part of parts) if (!socket.destroyed) socket.write(part);
  await answered;
  socket.destroy();
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1] ?? 0), head: head.toLowerCase(), body };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  if (text.endsWith("\r\n0\r\n\r\n")) return true;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}

const head = (first: string, ...more: readonly string[]) =>
  [first, "Host: localhost", `Authorization: Bearer ${server.key}`, ...more, "", ""].join("\r\n");

async function position(): Promise<number> {
  const headers = { authorization: `Bearer ${server.key}` };
  const { holds } = (await (await fetch(`${server.url}/v1/holds`, { headers })).json()) as {
    holds: unknown[];
  };
  return holds.length;
}

const JSON_TYPE = "Content-Type: application/json";
const MEGABYTE = "x".repeat(1024 * 1024);

describe("malformed bytes on the wire (G11)", () => {
  const requests: Readonly<Record<string, () => readonly (string | Uint8Array)[]>> = {
    "a body that says it is too large": () => [
      head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Content-Length: 1048577"),
      "{",
    ],
    "a chunked body that turns out too large": () => [
      head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Transfer-Encoding: chunked"),
      ...Array.from({ length: 3 }, () => `${MEGABYTE.length.toString(16)}\r\n${MEGABYTE}\r\n`),
      "0\r\n\r\n",
    ],
    "a body that is not UTF-8": () => [
      head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Content-Length: 4"),
      new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
    ],
    "a broken chunk": () => [
      head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Transfer-Encoding: chunked"),
      "zz\r\nhello\r\n",
    ],
    "two lengths": () => [
      head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Content-Length: 2", "Content-Length: 4"),
      "{}{}",
    ],
    "a length and chunks": () => [
      head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Content-Length: 2", "Transfer-Encoding: chunked"),
      "2\r\n{}\r\n0\r\n\r\n",
    ],
    "a length below nothing": () => [head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Content-Length: -1"), "{}"],
    "a giant header": () => [head("GET /v1/me HTTP/1.1", `X-Big: ${"x".repeat(100_000)}`)],
    "ten thousand headers": () => [
      head("GET /v1/me HTTP/1.1", ...Array.from({ length: 10_000 }, (_, i) => `X-${i}: y`)),
    ],
    "a giant address": () => [head(`GET /v1/holds/${"x".repeat(100_000)} HTTP/1.1`)],
    "an unknown method": () => [head("BREW /v1/holds HTTP/1.1")],
    "no HTTP at all": () => ["\u0016\u0003\u0001 hello\r\n\r\n"],
    "a newline in a header": () => [head("GET /v1/me HTTP/1.1", "X-Odd: a\nb: c\u0000d")],
    "broken percents": () => [head("GET /v1/holds/%E0%A4%A HTTP/1.1")],
    "a NUL in the address": () => [head("GET /v1/holds/%00 HTTP/1.1")],
    "dots in the address": () => [head("GET /v1/holds/../../etc/passwd HTTP/1.1")],
    "an absolute address": () => [head("GET http://evil.example/v1/nothing HTTP/1.1")],
    "no host": () => ["GET /v1/me HTTP/1.1\r\n\r\n"],
    "a key that is not text": () => [
      head("GET /v1/me HTTP/1.1").replace(/Bearer \S+/, "Bearer \u00ff\u00fe\u00fd"),
    ],
    trace: () => [head("TRACE /v1/me HTTP/1.1")],
    "options to everything": () => [head("OPTIONS * HTTP/1.1")],
  };

  it.each(Object.keys(requests))("the server refuses %s and keeps serving", async (what) => {
    const before = await position();
    const reply = await raw(...(requests[what]?.() ?? []));
    // What is not HTTP may be hung up on without a word.
    expect(reply.status === 0 || (reply.status >= 400 && reply.status < 500)).toBe(true);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await position()).toBe(before);
  });

  it("the server says why a body is too large, and closes the connection", async () => {
    const reply = await raw(head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Content-Length: 99999999"), "{");
    expect(reply).toMatchObject({ status: 413, body: expect.stringContaining('"too_large"') });
    expect(reply.head).toContain("connection: close");
    expect(reply.head).toContain("application/problem+json");
  });

  it("the server reads a body that is too large to its end, so that the sender can read the refusal", async () => {
    const body = "x".repeat(8 * MEGABYTE.length);
    const reply = await raw(
      head("POST /v1/holds HTTP/1.1", JSON_TYPE, `Content-Length: ${body.length}`),
      body,
    );
    expect(reply).toMatchObject({ status: 413, body: expect.stringContaining("at most 1048576 bytes") });
    expect(reply.head).not.toContain("connection: close");
  });

  it.each([
    "POST /signout",
    "POST /console/holds/x/answer",
    "POST /review/x/answer",
    "PUT /review/x/draft",
    ...bodied.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "x")}`),
  ])("G13: the server answers a stranger's %s before the body has arrived", async (request) => {
    const sent = head(`${request} HTTP/1.1`, JSON_TYPE, "Content-Length: 1000000");
    const reply = await raw(sent.replace(/Authorization: .*\r\n/, ""), "{");
    expect([401, 404]).toContain(reply.status);
  });

  it("the server survives a client that disconnects in the middle of its body", async () => {
    const { hostname, port } = new URL(server.url);
    for (let i = 0; i < 20; i += 1) {
      const socket = connect({ host: hostname, port: Number(port) });
      await once(socket, "connect");
      socket.write(`${head("POST /v1/holds HTTP/1.1", JSON_TYPE, "Content-Length: 100")}{"type":`);
      socket.destroy();
      await once(socket, "close");
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it("the server frees the waiter of a client that disconnects", async () => {
    const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
    const body = JSON.stringify({ type: "approval", prompt: "Go?" });
    const { id } = (await (
      await fetch(`${server.url}/v1/holds`, { method: "POST", headers, body })
    ).json()) as { id: string };
    const { hostname, port } = new URL(server.url);
    const waiters = async () =>
      Number(/^holdpoint_waiters (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(head(`GET /v1/holds/${id}?wait=60 HTTP/1.1`));
    while ((await waiters()) !== 1) await new Promise(setImmediate);
    socket.destroy();
    while ((await waiters()) !== 0) await new Promise(setImmediate);
    const hold = await (await fetch(`${server.url}/v1/holds/${id}`, { headers })).json();
    expect(hold).toMatchObject({ status: "open", version: 1 });
  });
});
