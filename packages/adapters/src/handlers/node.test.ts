/** `toNode` under `node:http`, where a rejected promise would end the process. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { type FetchHandler, toNode } from "./index.ts";

type Next = (error: unknown) => void;

async function serving(
  handler: FetchHandler,
  { onError, next, parsed }: { onError?: (error: unknown) => void; next?: Next; parsed?: unknown } = {},
) {
  const rejected: unknown[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const handle = toNode(handler, onError === undefined ? {} : { onError });
  const server = createServer((request: IncomingMessage & { body?: unknown }, reply: ServerResponse) => {
    if (parsed !== undefined) request.body = parsed;
    const passing: Next | undefined =
      next &&
      ((error) => {
        next(error);
        reply.writeHead(503).end("next");
      });
    void handle(request, reply, passing)
      .catch((error: unknown) => rejected.push(error))
      .finally(end);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async (method: string, path: string) => {
    const outgoing = send({ host: "127.0.0.1", port, method, path }).end();
    const [reply] = (await once(outgoing, "response")) as [IncomingMessage];
    return { status: reply.statusCode, body: await text(reply) };
  };
  return {
    ...{ port, rejected, ended, ask },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const fine: FetchHandler = async () => new Response("fine");

it.each([
  ["GET", "http://["],
  ["TRACE", "/holdpoint"],
])(
  "toNode replies 400 to %s %s, which is no request that a handler can be given, and does not reject",
  async (method, path) => {
    const errors: unknown[] = [];
    await using here = await serving(fine, { onError: (error) => errors.push(error) });
    expect(await here.ask(method, path)).toMatchObject({ status: 400 });
    expect(await here.ask("GET", "/")).toEqual({ status: 200, body: "fine" });
    expect([here.rejected, errors]).toEqual([[], []]);
  },
);

it("toNode gives a handler an address with two slashes at the start as a path of this server", async () => {
  await using here = await serving(async ({ url }) => new Response(url));
  expect(await here.ask("GET", "//")).toEqual({ status: 200, body: "http://localhost//" });
  expect((await here.ask("GET", "//evil.example/x")).body).toBe("http://localhost//evil.example/x");
});

it("toNode does not reject when the caller goes away in the middle of its body", async () => {
  await using here = await serving(fine);
  const socket = connect(here.port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf", () =>
    socket.resetAndDestroy(),
  );
  socket.on("error", () => undefined);
  await here.ended;
  expect(here.rejected).toEqual([]);
});

it.each([
  ["throws", undefined, /broken/],
  ["is given a parsed body", { a: 1 }, /express\.raw/],
] as const)("toNode replies 500 and calls onError when the handler %s", async (_name, parsed, words) => {
  const errors: unknown[] = [];
  const broken: FetchHandler = async () => {
    throw new Error("broken: secret");
  };
  await using here = await serving(broken, {
    onError: (error) => errors.push(error),
    ...(parsed === undefined ? {} : { parsed }),
  });
  const { status, body } = await here.ask("POST", "/");
  expect(status).toBe(500);
  expect(body).not.toContain("secret");
  expect(errors.map(String)).toEqual([expect.stringMatching(words)]);
  expect(here.rejected).toEqual([]);
});

it("toNode does not reject when onError itself throws", async () => {
  const broken: FetchHandler = () => Promise.reject(new Error("broken"));
  const onError = () => {
    throw new Error("the log is full");
  };
  await using here = await serving(broken, { onError });
  expect((await here.ask("POST", "/")).status).toBe(500);
  await here.ended;
  expect(here.rejected).toEqual([]);
});

it("toNode hands the error of a handler to next, as Express gives it, and does not reply itself", async () => {
  const errors: unknown[] = [];
  const broken: FetchHandler = () => Promise.reject(new Error("broken"));
  await using here = await serving(broken, { next: (error) => errors.push(error) });
  expect(await here.ask("POST", "/")).toEqual({ status: 503, body: "next" });
  expect([errors.map(String), here.rejected]).toEqual([["Error: broken"], []]);
});
