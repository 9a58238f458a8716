import { defineOperation, type OperationSet } from "@holdpoint/protocol";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { testServer } from "../../testing/test-server.ts";
import type { Authority } from "./authority.ts";
import { type Face, mountFaces } from "./face.ts";
import { fail } from "./failure.ts";
import { type Handlers, mountRoutes } from "./mount.ts";
import { type Dialect, problemDetails } from "./respond.ts";

const shout: Dialect = ({ failure: { code }, transport: { allow } }) => ({
  status: code === "method_not_allowed" ? 405 : 418,
  body: { oops: code },
  ...(allow === undefined ? {} : { headers: { allow } }),
});
const poke = defineOperation({
  id: "poke",
  method: "POST",
  path: "/other/{name}/poke",
  summary: "Poke",
  tag: "other",
  params: z.strictObject({ name: z.string() }),
  query: z.strictObject({ often: z.array(z.string()).exactOptional() }),
  body: z.strictObject({ hard: z.boolean() }),
  replies: { 200: z.unknown() },
  errors: [],
  security: "link",
});
const set: OperationSet = {
  name: "other",
  title: "Other",
  operations: [poke],
  components: {},
  errors: { table: {}, body: z.unknown(), media: "application/json" },
};

const REVIEWER: Authority = {
  kind: "principal",
  workspace: "default",
  by: { role: "reviewer", via: "link", id: "link_1", name: "" },
};

async function otherApp(poked: () => Authority = () => REVIEWER) {
  const test = await testServer();
  const app = new Hono();
  const native: Face = { set, dialect: problemDetails, paths: ["/v1"], mount: () => undefined };
  const operations = { poke };
  const doors = { poke: poked };
  const routes = {
    poke: ({ by, body, query, authority }) => ({
      status: 200,
      body: { by, body, query, kind: authority.kind },
    }),
  } satisfies Handlers<typeof operations, null, typeof doors>;
  const other: Face = {
    set,
    dialect: shout,
    paths: ["/other"],
    mount: (on, options) => mountRoutes(on, operations, routes, null, { ...options, doors }),
  };
  mountFaces(app, [native, other], { identity: test.server.identity });
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const reply = await app.request(path, { method, ...sent });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  };
  return { send, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

describe("faces", () => {
  it("a face refuses an unknown address in its own error format", async () => {
    await using other = await otherApp();
    expect(await other.send("GET", "/other/nothing")).toMatchObject({
      status: 418,
      body: { oops: "not_found" },
    });
    expect(await other.send("GET", "/others")).toMatchObject({ status: 404, body: { code: "not_found" } });
    const reply = await other.send("GET", "/other/x/poke");
    expect(reply).toMatchObject({ status: 405, body: { oops: "method_not_allowed" } });
    expect(reply.headers.get("allow")).toBe("POST");
  });

  it("a handler cannot change what later calls without a query get", async () => {
    const operations = { poke };
    const doors = { poke: () => REVIEWER };
    const seen: string[] = [];
    const routes = {
      poke: ({ query }) => {
        seen.push(JSON.stringify(query));
        Object.assign(query, { often: ["1"] });
        return { status: 200 };
      },
    } satisfies Handlers<typeof operations, null, typeof doors>;
    await using test = await testServer();
    const app = new Hono();
    const faults: unknown[] = [];
    const options = {
      identity: test.server.identity,
      onFault: (fault: unknown) => faults.push(fault),
      doors,
    };
    mountRoutes(app, operations, routes, null, options);
    const call = { method: "POST", body: JSON.stringify({ hard: true }) };
    const headers = { "content-type": "application/json" };
    for (let n = 0; n < 2; n += 1)
      expect((await app.request("/other/ada/poke", { ...call, headers })).status).toBe(500);
    expect(seen).toEqual(["{}", "{}"]);
    expect(faults).toHaveLength(2);
  });

  it("a face gives its handlers what its door found, and may accept a repeated query parameter", async () => {
    await using other = await otherApp();
    const { body } = await other.send("POST", "/other/x/poke?often=1&often=2", { hard: true });
    expect(body).toMatchObject({
      body: { hard: true },
      query: { often: ["1", "2"] },
      by: { role: "reviewer" },
      kind: "principal",
    });
  });

  it("a face checks the caller before it reads the request", async () => {
    await using other = await otherApp(() => {
      throw fail("hold_expired");
    });
    expect(await other.send("POST", "/other/x/poke", { hard: "very" })).toMatchObject({
      body: { oops: "hold_expired" },
    });
  });

  it("a face with an operation that takes a link and without a door for links cannot be mounted", async () => {
    await using test = await testServer();
    const { identity } = test.server;
    const routes = { poke: () => ({ status: 200 }) };
    expect(() => mountRoutes(new Hono(), { poke }, routes, null, { identity })).toThrow("poke takes a link");
  });
});

describe("handler tables", () => {
  const operations = { poke };
  type Routes = Handlers<typeof operations, null, { poke: () => typeof REVIEWER }>;
  const handle = () => ({ status: 200 });

  it("a handler table does not compile if an operation is missing, is surplus or has the wrong input", () => {
    const whole = { poke: handle } satisfies Routes;
    // @ts-expect-error: `poke` is missing.
    const missing = {} satisfies Routes;
    // @ts-expect-error: there is no operation `push`.
    const surplus = { poke: handle, push: handle } satisfies Routes;
    // @ts-expect-error: the body of `poke` has no member `soft`.
    const wrong = { poke: ({ body }) => ({ status: 200, body: body.soft }) } satisfies Routes;
    expect([whole, missing, surplus, wrong]).toHaveLength(4);
  });
});

describe("the native face's unknown addresses", () => {
  it("a well-formed id that does not exist gets not_found", async () => {
    await using test = await testServer();
    const statusOf = async (method: string) =>
      (await test.server.app.request("/assets/web/none.js", { method })).status;
    expect(await statusOf("GET")).toBe(404);
    expect(await statusOf("HEAD")).toBe(404);
    expect(await statusOf("POST")).toBe(405);
  });

  it("a wrong method gets the list of allowed methods", async () => {
    await using test = await testServer();
    const reply = await test.call("PUT", "/v1/holds", { key: test.keys.agent });
    expect(reply).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(reply.headers.get("allow")).toBe("GET, HEAD, POST");
    expect(await test.call("DELETE", "/healthz")).toMatchObject({ status: 405 });
  });

  it("an unknown address gets a reply in JSON", async () => {
    await using test = await testServer();
    const reply = await test.call("GET", "/v1/nothing");
    expect(reply).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
  });
});
