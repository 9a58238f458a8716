/** Two servers over one database before one agent. */

import { afterAll, beforeAll, expect, it } from "vitest";
import { testServers } from "../../testing/postgres/servers.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { eventsIn, eventually, finished, interrupts, type Seen } from "../../testing/proxy-stage.ts";
import type { TestServer } from "../../testing/test-server.ts";
import type { ProxySettings } from "./settings.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Stops on two questions, and is done with their answers. */
function payer() {
  const resumes: Seen[] = [];
  const ask: ProxySettings["ask"] = async ({ body }) => {
    const input = body as Seen;
    if (input.resume === undefined) {
      return { kind: "ended", event: finished(input, { outcome: { type: "interrupt", interrupts } }) };
    }
    resumes.push(input.resume);
    return { kind: "ended", event: finished(input, { outcome: { type: "success" }, result: { paid: 2 } }) };
  };
  return { ask, resumes };
}

async function run(on: TestServer, body: object, path = ""): Promise<Seen> {
  const reply = await on.call("POST", `/agui/proxy/payer${path}`, {
    key: on.keys.app,
    body: { threadId: "t1", runId: "r1", protocolVersion: "1.0", messages: [], ...body },
  });
  return eventsIn(reply.body).at(-1);
}

it.each([true, false])(
  "interrupts placed on one are answered on the other, and released once (auto_resume: %s)",
  async (autoResume) => {
    const { ask, resumes } = payer();
    const settings = { ask, autoResume, idempotent: false, ladder: [], links: "server" } as const;
    await using servers = await testServers(database, 2, "", { agUi: { proxies: { payer: settings } } });
    const [a, b] = servers.all as [TestServer, TestServer];
    const asked = await run(a, {});
    for (const { id } of asked.outcome.interrupts) {
      const answer = { key: b.keys.operator, body: { action: "approve" } };
      expect((await b.call("POST", `/v1/holds/${id}/answer`, answer)).status).toBe(200);
    }
    const resume = asked.outcome.interrupts.map(({ id: interruptId }: Seen) => ({
      ...{ interruptId, status: "resolved", payload: { approved: true } },
    }));
    // Both clients come back at once, while the servers may be releasing by themselves.
    await Promise.all([run(a, { runId: "r2", resume }), run(b, { runId: "r3", resume })]);
    await eventually(async () => {
      await servers.clock.advance(0);
      for (const on of [a, b]) {
        const end = await run(on, { runId: "r4" }, "/connect");
        expect(end).toMatchObject({ outcome: { type: "success" }, result: { paid: 2 } });
      }
    });
    expect(resumes).toHaveLength(1);
    expect(resumes[0]).toHaveLength(2);
    const { body } = await b.call("GET", "/v1/releases", { key: b.keys.operator });
    expect(body.releases).toMatchObject([{ state: "released", attempt: 1 }]);
  },
);
