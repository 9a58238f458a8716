import type { Method } from "@holdpoint/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ProxySettings } from "../packages/server/src/agui/proxy/settings.ts";
import { type TestServer, testServer } from "../packages/server/src/testing/test-server.ts";
import { assail, census } from "./hostile/check.ts";
import { type Subjects, subjectsFor } from "./hostile/subjects.ts";

/** Known before a server runs, so that every operation of every face has a test of its own. */
const sets = await (async () => {
  await using test = await testServer();
  return test.server.operationSets;
})();

/** Behind the proxy, so that what is sent to it gets as far as it can. */
const AGENT: ProxySettings = {
  ask: async () => ({ kind: "ended", event: { type: "RUN_FINISHED" } }),
  ...{ autoResume: true, idempotent: false, ladder: [] },
  links: "server",
};

/** There are 26 bent values for a place, so that the next place gets other ones. */
const EVERY_NTH = inject("isFull") ? 1 : 5;

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

describe.each(sets)("hostile input to the $name face", { timeout: 120_000 }, (set) => {
  let test: TestServer;
  let subjects: Subjects;

  beforeAll(async () => {
    test = await testServer({ agUi: { proxies: { support: AGENT } } });
    subjects = await subjectsFor(test);
    // These libraries are loaded with the first call that needs them, which would look like a request that waits.
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    await test.call("POST", "/mcp", { key: test.keys.agent, body: ping });
    const response = { attestationObject: "AA", clientDataJSON: "AA" };
    const credential = { id: "AA", rawId: "AA", type: "public-key", clientExtensionResults: {}, response };
    await test.call("POST", "/v1/passkeys", { key: test.keys.dev, body: { id: "none", credential } });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it.each(set.operations)(
    "G11 $id refuses every hostile request in its own format, and writes nothing",
    async (operation) => {
      expect(await assail(test, set, operation, subjects(operation), EVERY_NTH)).toEqual([]);
      expect(test.log).toEqual([]);
      expect(await test.call("GET", "/healthz")).toMatchObject({ status: 200 });
      expect(await test.call("GET", "/readyz")).toMatchObject({ status: 200 });
    },
  );

  it.each([...new Set(set.operations.map(({ path }) => path))])(
    "G11 %s refuses other methods",
    async (path) => {
      const taken = set.operations.filter((each) => each.path === path).map(({ method }) => method);
      const before = await census(test.store);
      for (const method of METHODS.filter((each) => !taken.includes(each))) {
        const reply = await test.call(method, path.replaceAll(/\{\w+\}/g, "x"), { key: test.keys.dev });
        expect({ method, status: reply.status }).toEqual({ method, status: 405 });
        expect(reply.headers.get("content-type")).toContain(set.errors.media);
        expect(set.errors.body.safeParse(reply.body)).toMatchObject({ success: true });
        const allowed = reply.headers.get("allow")?.split(", ") ?? [];
        expect(allowed).toEqual(expect.arrayContaining(taken));
      }
      expect(await census(test.store)).toBe(before);
    },
  );
});
