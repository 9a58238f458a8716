import { defineOperation, type OperationSet } from "@holdpoint/protocol";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { testServer } from "../../testing/test-server.ts";
import { type Face, mountFaces } from "./face.ts";
import { type MountExtras, mount } from "./mount.ts";
import { type Dialect, HttpTrouble, problemDetails } from "./respond.ts";

const shout: Dialect = ({ code, allow }) => ({
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

async function otherApp(extras?: MountExtras) {
  const test = await testServer();
  const app = new Hono();
  const native: Face = { set, dialect: problemDetails, paths: ["/v1"], mount: () => undefined };
  const other: Face = {
    set,
    dialect: shout,
    paths: ["/other"],
    mount: (on, options) =>
      mount(on, poke, ({ by, body, query }) => ({ status: 200, body: { by, body, query } }), options, extras),
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

describe("a face", () => {
  it("refuses in its own words what it does not serve", async () => {
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

  it("opens links itself, and may take a parameter more than once", async () => {
    await using other = await otherApp();
    const { body } = await other.send("POST", "/other/x/poke?often=1&often=2", { hard: true });
    expect(body).toMatchObject({
      body: { hard: true },
      query: { often: ["1", "2"] },
      by: { role: "system" },
    });
  });

  it("may say who is calling in its own way, and what is gone before what is malformed", async () => {
    const principal = { role: "reviewer", via: "link", id: "link_1", name: "" } as const;
    await using other = await otherApp({
      authenticate: async () => ({ workspace: "default", principal }),
      before: async ({ by }) => {
        throw new HttpTrouble({ code: by.role === "reviewer" ? "hold_expired" : "internal" });
      },
    });
    expect(await other.send("POST", "/other/x/poke", { hard: "very" })).toMatchObject({
      body: { oops: "hold_expired" },
    });
  });
});

describe("the native face", () => {
  it("says of what is asked for rightly and is not there that it is not there", async () => {
    await using test = await testServer();
    const statusOf = async (method: string) =>
      (await test.server.app.request("/assets/web/none.js", { method })).status;
    expect(await statusOf("GET")).toBe(404);
    expect(await statusOf("HEAD")).toBe(404);
    expect(await statusOf("POST")).toBe(405);
  });

  it("names the methods an address takes", async () => {
    await using test = await testServer();
    const reply = await test.call("PUT", "/v1/holds", { key: test.keys.agent });
    expect(reply).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(reply.headers.get("allow")).toBe("GET, HEAD, POST");
    expect(await test.call("DELETE", "/healthz")).toMatchObject({ status: 405 });
  });

  it("answers in JSON where there is nothing", async () => {
    await using test = await testServer();
    const reply = await test.call("GET", "/v1/nothing");
    expect(reply).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
  });
});
