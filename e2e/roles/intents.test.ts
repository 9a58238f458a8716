import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../packages/server/src/testing/test-server.ts";
import { IntentScene, intentRequest, MARKER } from "./openintent.ts";

const operations = await (async () => {
  await using test = await testServer();
  return test.server.operationSets.find(({ name }) => name === "openintent")?.operations ?? [];
})();

const STRANGERS = ["otherAgent", "app"] as const;

/** What the owner sees of the intent, its log included. */
async function seen(scene: IntentScene): Promise<unknown> {
  const id = await scene.id();
  const parts = ["", "/events?limit=1000", "/acl", "/leases", "/tasks", "/plans", "/portfolios"];
  return Promise.all(parts.map((part) => scene.own("GET", `intents/${id}${part}`)));
}

async function textOf(reply: Response): Promise<string> {
  if (reply.headers.get("content-type")?.startsWith("text/event-stream") !== true) return reply.text();
  await reply.body?.cancel();
  return "";
}

describe("an intent belongs to its creator (attack 6)", () => {
  it.each(operations)("$id shows a stranger nothing of the intent and changes nothing", async (operation) => {
    for (const as of STRANGERS) {
      await using test: TestServer = await testServer();
      const scene = new IntentScene(test);
      const { path, body, headers } = await intentRequest(test, operation, test.keys[as], scene);
      const before = await seen(scene);
      const reply = await test.server.app.request(path, {
        method: operation.method,
        headers: {
          authorization: `Bearer ${test.keys[as]}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      expect(await textOf(reply), as).not.toContain(MARKER);
      expect(await seen(scene), as).toEqual(before);
      await test.clock.advance(10_000);
      expect((await scene.own("GET", `intents/${await scene.id()}`)).status).not.toBe("abandoned");
    }
  });
});
