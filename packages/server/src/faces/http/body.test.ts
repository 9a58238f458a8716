import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

/** Over a real socket: bodies are read from it directly, past the web stream that other tests go through. */
let server: TestServer;
let http: ReturnType<typeof createAdaptorServer>;
let url: string;

beforeAll(async () => {
  server = await testServer();
  http = createAdaptorServer({ fetch: server.server.app.fetch });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => http.close(resolve));
  await server[Symbol.asyncDispose]();
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const NOT_UTF8 = new Uint8Array([0x61, 0x3d, 0xff, 0xfe]);
const TOO_LONG = `a=${"x".repeat(1024 * 1024)}`;

async function post(path: string, headers: Record<string, string>, body: Uint8Array | string) {
  const reply = await fetch(url + path, { method: "POST", headers, body: body as BodyInit });
  await reply.arrayBuffer();
  return reply.status;
}

describe("request bodies from a socket (G11)", () => {
  it("a body that is not UTF-8 is refused, and the server keeps serving", async () => {
    const key = { authorization: `Bearer ${server.keys.agent}`, "content-type": "application/json" };
    expect(await post("/v1/holds", key, NOT_UTF8)).toBe(400);
  });

  it.each(["/signout", "/console/holds/any/answer", "/console/holds/any/dismiss"])(
    "a body that a caller without a credential posts to %s is refused before it is read",
    async (path) => {
      expect(await post(path, FORM, NOT_UTF8)).toBe(401);
      expect(await post(path, FORM, TOO_LONG)).toBe(401);
      expect(server.log).toEqual([]);
    },
  );

  it("a body that is not a form is refused on the review page", async () => {
    const { body: hold } = await server.call("POST", "/v1/holds", {
      key: server.keys.agent,
      body: { type: "approval", prompt: "Go?" },
    });
    const { pathname, search } = new URL(hold.review_url);
    const path = `${pathname}/answer${search}`;
    expect(await post(path, FORM, NOT_UTF8)).toBe(400);
    expect(await post(path, FORM, TOO_LONG)).toBe(413);
    expect(server.log).toEqual([]);
  });
});
