/** Two servers over one database before one agent. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Command } from "../../domains.ts";
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
  "interrupts placed on one server are answered on the other, and released once (auto_resume: %s)",
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

describe("a server that dies in a first run, while it asks", () => {
  const LEASE_MS = 30_000;
  const settings = { autoResume: true, idempotent: false, ladder: [], links: "server" } as const;

  /** Nothing is written by this server any more, from `before` this command or after it. */
  function dies(on: TestServer, at: Command["kind"], when: "before" | "after"): void {
    const { engine } = on.server;
    const go = engine.run.bind(engine);
    let isDead = false;
    vi.spyOn(engine, "run").mockImplementation((async (command: Command) => {
      const isLast = command.kind === at;
      if (isLast && when === "before") isDead = true;
      if (isDead) throw new Error("the server is dead");
      isDead = isLast;
      return go(command as never);
    }) as never);
  }

  async function died(at: Command["kind"], when: "before" | "after") {
    const agent = payer();
    const proxies = { payer: { ...settings, ask: agent.ask } };
    const servers = await testServers(database, 2, "", { agUi: { proxies } });
    const [a, b] = servers.all as [TestServer, TestServer];
    dies(a, at, when);
    expect(await run(a, {})).toMatchObject({ type: "RUN_ERROR" });
    // Its connections and timers end with it; whatever it would write on the way is refused.
    await a.server.stop();
    const holds = async (): Promise<readonly Seen[]> =>
      (await b.call("GET", "/v1/holds", { key: b.keys.operator })).body.holds;
    return { servers, b, holds, resumes: agent.resumes };
  }

  it("its questions stay, and their answers go to the agent once, with no further run of a client", async () => {
    const { servers, b, holds, resumes } = await died("place_released_group", "after");
    await using _servers = servers;
    expect((await holds()).map(({ status }) => status)).toEqual(["open", "open"]);
    for (const { id } of await holds()) {
      const answer = { key: b.keys.operator, body: { action: "approve" } };
      expect((await b.call("POST", `/v1/holds/${id}/answer`, answer)).status).toBe(200);
    }
    await eventually(async () => {
      await servers.clock.advance(LEASE_MS);
      expect(await run(b, { runId: "r4" }, "/connect")).toMatchObject({ result: { paid: 2 } });
    });
    expect(resumes).toHaveLength(1);
    expect(resumes[0]).toMatchObject([{ payload: { approved: true } }, { payload: { approved: true } }]);
  });

  it("the next run, and a client that connects, are shown the same questions, and can answer them", async () => {
    const { servers, b, holds, resumes } = await died("place_released_group", "after");
    await using _servers = servers;
    const ids = (await holds()).map(({ id }) => id).toSorted();
    const shown = (end: Seen) => end.outcome.interrupts.map(({ id }: Seen) => id).toSorted();
    expect(shown(await run(b, { runId: "r2" }, "/connect"))).toEqual(ids);
    expect(await run(b, { runId: "r2" })).toMatchObject({ code: "THREAD_BUSY" });
    await servers.clock.advance(LEASE_MS + 1);
    expect(shown(await run(b, { runId: "r3" }))).toEqual(ids);
    const resume = ids.map((interruptId) => ({
      ...{ interruptId, status: "resolved", payload: { approved: true } },
    }));
    expect(await run(b, { runId: "r4", resume })).toMatchObject({ result: { paid: 2 } });
    expect(resumes).toHaveLength(1);
    expect((await holds()).map(({ status }) => status)).toEqual(["decided", "decided"]);
  });

  it("if it had not asked yet, the next run begins from the start and asks once", async () => {
    const { servers, b, holds } = await died("place_released_group", "before");
    await using _servers = servers;
    expect(await holds()).toEqual([]);
    await servers.clock.advance(LEASE_MS + 1);
    expect((await run(b, { runId: "r2" })).outcome.interrupts).toHaveLength(2);
    expect(await holds()).toHaveLength(2);
  });
});
