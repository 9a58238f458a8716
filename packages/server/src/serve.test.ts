import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "./serve.ts";
import { readConfig } from "./system/config.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-serve-"));
});
afterAll(() => rm(folder, { recursive: true }));

function start(port: string, more: Readonly<Record<string, string>> = {}) {
  const env = {
    ...{ HOLDPOINT_HOME: folder, HOLDPOINT_PORT: port, HOLDPOINT_API_KEYS: "secret=agent:refunder" },
    ...more,
  };
  return serve(readConfig(env, folder), env, () => undefined);
}

test("review links contain the port that the system chose", async () => {
  const serving = await start("0");
  try {
    const placed = await fetch(`${serving.address}/v1/holds`, {
      method: "POST",
      headers: { authorization: "Bearer secret", "content-type": "application/json" },
      body: JSON.stringify({ type: "approval", prompt: "Go?" }),
    });
    const { review_url } = (await placed.json()) as { readonly review_url: string };
    expect(new URL(review_url).port).toBe(new URL(serving.address).port);
    expect((await fetch(review_url)).status).toBe(200);
  } finally {
    await serving.close();
  }
});

test("a public server gives an agent a review link only with a HITL case", async () => {
  const serving = await start("0", { HOLDPOINT_PUBLIC_URL: "https://holds.example.com" });
  const ask = async (path: string) => {
    const reply = await fetch(`${serving.address}${path}`, {
      method: "POST",
      headers: { authorization: "Bearer secret", "content-type": "application/json" },
      body: JSON.stringify({ type: "approval", prompt: "Go?", links: "agent" }),
    });
    return (await reply.json()) as Record<string, unknown> & {
      readonly hitl: { readonly review_url: string };
    };
  };
  try {
    const hold = await ask("/v1/holds");
    expect(hold).toMatchObject({ status: "open", links: "server" });
    expect(hold).not.toHaveProperty("review_url");
    expect((await ask("/hitl/v1/cases")).hitl.review_url).toContain("?token=");
  } finally {
    await serving.close();
  }
});

test("a taken port is reported, and the home folder's lock is released", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, "127.0.0.1", resolve);
  });
  const { port } = other.address() as AddressInfo;
  await expect(start(String(port))).rejects.toMatchObject({
    name: "ConfigError",
    message: `127.0.0.1:${port} is taken by another program: stop it, or set HOLDPOINT_PORT to a free port`,
  });
  await new Promise((resolve) => other.close(resolve));
  await (await start("0")).close();
});

test("a server that is stopping still serves requests, reports not ready, and closes each connection", async () => {
  const serving = await start("0");
  const get = (path: string) => fetch(`${serving.address}${path}`);
  expect((await get("/readyz")).status).toBe(200);
  const gone = Promise.withResolvers<void>();
  const closed = serving.close(gone.promise);
  expect((await get("/readyz")).status).toBe(503);
  const placed = await fetch(`${serving.address}/v1/holds`, {
    method: "POST",
    headers: { authorization: "Bearer secret", "content-type": "application/json" },
    body: JSON.stringify({ type: "approval", prompt: "Go?" }),
  });
  expect(placed.status).toBe(201);
  expect(placed.headers.get("connection")).toBe("close");
  gone.resolve();
  await closed;
  await expect(get("/healthz")).rejects.toThrow();
});
