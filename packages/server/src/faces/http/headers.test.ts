import type { Operation } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

/** Every operation, called by nobody in particular; streams are let go at once. */
async function everyReply({ server }: TestServer): Promise<readonly (readonly [Operation, Headers])[]> {
  const operations = server.operationSets.flatMap((set) => set.operations);
  return Promise.all(
    operations.map(async (operation) => {
      const path = operation.path.replaceAll(/\{\w+\}/g, "none");
      const reply = await server.app.request(path, { method: operation.method });
      await reply.body?.cancel();
      return [operation, reply.headers] as const;
    }),
  );
}

describe("headers of every reply", () => {
  test("attack 12: a reply has nosniff, and no-store unless its operation allows caching", async () => {
    await using server = await testServer();
    const replies = await everyReply(server);
    expect(replies.length).toBeGreaterThan(150);
    for (const [{ id }, headers] of replies) {
      expect(headers.get("x-content-type-options"), id).toBe("nosniff");
      const isPublic = id === "hitlDiscovery" || id === "jwks";
      expect(headers.get("cache-control"), id).toMatch(isPublic ? /^public, max-age=/ : /^no-store$/);
      expect(headers.get("strict-transport-security"), id).toBeNull();
    }
  });

  test("attack 12: a server that is reached by https sends Strict-Transport-Security", async () => {
    await using server = await testServer({ publicUrl: "https://holdpoint.example" });
    for (const [{ id }, headers] of await everyReply(server))
      expect(headers.get("strict-transport-security"), id).toBe("max-age=31536000");
    for (const path of ["/console", "/review/none", "/docs", "/assets/plain.css", "/nothing"]) {
      const { headers } = await server.server.app.request(path);
      expect(headers.get("strict-transport-security"), path).toBe("max-age=31536000");
    }
  });

  test("attack 12: unknown addresses, streams and hold reads have the same security headers", async () => {
    await using server = await testServer();
    const { agent } = server.keys;
    const authorization = `Bearer ${agent}`;
    const stream = await server.server.app.request("/v1/events", { headers: { authorization } });
    expect(stream.headers.get("x-content-type-options")).toBe("nosniff");
    expect(stream.headers.get("cache-control")).toBe("no-cache, no-transform");
    await stream.body?.cancel();
    const placed = await server.call("POST", "/v1/holds", {
      key: agent,
      body: { type: "approval", prompt: "Refund?" },
    });
    const read = await server.call("GET", `/v1/holds/${placed.body.id}`, { key: agent });
    for (const { headers } of [
      placed,
      read,
      await server.call("GET", "/nothing"),
      await server.call("PUT", "/v1/holds"),
    ]) {
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});
