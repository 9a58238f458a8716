/** Callbacks of a real server move runs on, in Express, Hono and a plain route handler as Next.js has them. */

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { advanceRun, doorbell, type FetchHandler, toNode } from "@holdpoint/adapters/handlers";
import { Holdpoint } from "@holdpoint/sdk";
import { readWebhook } from "@holdpoint/sdk/webhooks";
import express from "express";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agentOf, START } from "../../packages/adapters/src/ai-sdk/driver.fixture.ts";
import { memoryStore } from "../../packages/adapters/src/workflow/index.ts";
import { signedHeaders } from "../../packages/server/src/channels/webhook/signature.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

let server: ServerProcess;
beforeAll(async () => {
  server = await serverProcess();
});
afterAll(async () => server?.[Symbol.asyncDispose]());

const SHAPES: Readonly<Record<string, (handler: FetchHandler) => RequestListener>> = {
  Express: (handler) => express().post("/holdpoint", toNode(handler)),
  Hono: (handler) => {
    const app = new Hono().post("/holdpoint", (context) => handler(context.req.raw));
    return toNode(async (request) => app.fetch(request));
  },
  "a route handler of Next.js": (POST) => toNode(POST),
};

async function listening(listener: RequestListener) {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/holdpoint`;
  const close = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  return { url, [Symbol.asyncDispose]: close };
}

/** An agent that pays Ada, an app that hears of its holds, and a person. */
async function app(shape: string) {
  const hp = new Holdpoint({ url: server.url, apiKey: server.key });
  const paid: string[] = [];
  const key = crypto.randomUUID();
  const store = memoryStore();
  const stage = {
    ...{ holdpoint: hp.client, key, store, ask: () => ({}) },
    script: [[{ id: "call_ada", args: { to: "ada", amount: 80 } }]],
    pay: ({ to }: { readonly to: string }) => {
      paid.push(to);
      return "paid";
    },
  };
  const run = () => {
    const { people, generate } = agentOf(stage);
    return people.run({ key, store, messages: START, generate });
  };
  let secret = "";
  const errors: unknown[] = [];
  const handler = doorbell({
    holdpoint: hp,
    read: (request) => readWebhook(request, { secret }),
    run: (asked) => (asked === key ? run() : null),
    onError: (error) => errors.push(error),
  });
  const http = await listening((SHAPES[shape] ?? SHAPES["Express"])?.(handler) as RequestListener);
  const call = async (method: string, path: string, body?: object) =>
    fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const made = await (await call("POST", "/v1/webhooks", { url: http.url, events: ["hold.decided"] })).json();
  secret = made.secret;
  const waiting = await advanceRun(run(), { holdpoint: hp });
  if (waiting.kind !== "waiting") throw new Error(waiting.kind);
  return {
    ...{ hp, paid, http, secret, errors, run, holdId: waiting.holdIds[0] ?? "" },
    async [Symbol.asyncDispose]() {
      await call("DELETE", `/v1/webhooks/${made.id}`);
      await http[Symbol.asyncDispose]();
    },
  };
}

const signed = (secret: string, holdId: string, id: string) => {
  const hold = { id: holdId, status: "decided", outcome: { kind: "decided", action: "approve" } };
  const body = JSON.stringify({ type: "hold.decided", timestamp: new Date().toISOString(), data: { hold } });
  const headers = signedHeaders({ id, sentAt: Date.now(), body }, [{ kind: "standard", secrets: [secret] }]);
  return { method: "POST", headers: { ...headers }, body };
};

describe.each(Object.keys(SHAPES))("a doorbell in %s", (shape) => {
  test("a person's answer continues the run once, however often the message comes", async () => {
    await using here = await app(shape);
    await here.hp.answer(here.holdId, { action: "approve" });
    await vi.waitFor(() => expect(here.paid).toEqual(["ada"]), { timeout: 20_000 });
    const again = signed(here.secret, here.holdId, "msg_again");
    await vi.waitFor(async () => expect((await fetch(here.http.url, again)).status).toBe(204), {
      timeout: 20_000,
    });
    expect(await advanceRun(here.run(), { holdpoint: here.hp })).toMatchObject({ kind: "done" });
    expect(here.paid).toEqual(["ada"]);
  });

  test("a message's content is not trusted, and one without a valid signature is refused", async () => {
    await using here = await app(shape);
    const { method, headers, body } = signed(here.secret, here.holdId, "msg_lie");
    expect((await fetch(here.http.url, { method, headers, body })).status).toBe(204);
    expect((await fetch(here.http.url, { method, body })).status).toBe(401);
    expect(
      (await fetch(here.http.url, { method, headers, body: body.replace("decided", "expired") })).status,
    ).toBe(401);
    expect(here.paid).toEqual([]);
    await here.hp.cancel(here.holdId);
  });
});

test("a request whose body a parser has already read is refused", async () => {
  const handler = vi.fn(async () => new Response());
  const parsed = express()
    .use(express.json())
    .post("/holdpoint", toNode(handler))
    .use(((error, _request, reply, _next) => {
      reply.status(500).send(String(error));
    }) as express.ErrorRequestHandler);
  await using http = await listening(parsed);
  const reply = await fetch(http.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(reply.status).toBe(500);
  expect(await reply.text()).toContain("express.raw");
  expect(handler).not.toHaveBeenCalled();
});
