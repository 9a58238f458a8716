import { describe, expect, it } from "vitest";
import { openIntentServer, REC } from "../../testing/openintent.ts";

const SET = [{ op: "set", path: "/a", value: 1 }];

describe("access lists", () => {
  it("OI-020 an intent without an access list is open to the workspace if the operator says so, and one with a list grants access by level", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    expect((await oi.call("GET", `intents/${id}/acl`)).body).toEqual({
      intent_id: id,
      default_policy: "open",
      policy: "open",
      entries: [],
    });
    expect((await oi.patch(id, SET, { as: "otherAgent" })).status).toBe(200);
    const closed = await oi.call("PUT", `intents/${id}/acl`, {
      body: { default_policy: "closed", entries: [] },
    });
    expect(closed.body).toMatchObject({ default_policy: "closed", entries: [] });
    const tried = async () => [
      (await oi.call("GET", `intents/${id}`, { as: "otherAgent" })).status,
      (await oi.patch(id, SET, { as: "otherAgent" })).status,
      (await oi.status(id, "blocked", { as: "otherAgent" })).status,
    ];
    expect(await tried()).toEqual([403, 403, 403]);
    for (const [permission, statuses] of [
      ["read", [200, 403, 403]],
      ["write", [200, 200, 403]],
      ["admin", [200, 200, 200]],
    ] as const) {
      const entry = { principal_id: "other", principal_type: "agent", permission };
      const granted = await oi.call("POST", `intents/${id}/acl/entries`, { body: entry });
      expect(granted.body).toMatchObject({ ...entry, granted_by: "refunder", expires_at: null });
      expect(await tried()).toEqual(statuses);
      expect((await oi.call("DELETE", `intents/${id}/acl/entries/${granted.body.id}`)).status).toBe(204);
      expect(await tried()).toEqual([403, 403, 403]);
    }
    expect((await oi.call("GET", `intents/${id}`)).status).toBe(200);
    expect((await oi.call("GET", "intents", { as: "otherAgent" })).body.intents).toEqual([]);
    expect((await oi.call("DELETE", `intents/${id}/acl/entries/none`)).status).toBe(404);
  });

  it("OI-020 an entry for a person does not match an agent of the same name, and an entry for a group matches nobody", async () => {
    await using oi = await openIntentServer();
    const { body: key } = await oi.call("POST", "/v1/keys", {
      as: "admin",
      body: { name: "ada", role: "agent" },
    });
    for (const [type, statuses] of [
      ["agent", [200, 200]],
      ["user", [200, 403]],
      ["group", [200, 403]],
    ] as const) {
      const { id } = await oi.create();
      const entries = [{ principal_id: "ada", principal_type: type, permission: "read" }];
      await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed", entries } });
      const operator = await oi.call("GET", `intents/${id}`, { as: "operator" });
      const agent = await oi.call("GET", `intents/${id}`, {
        as: "nobody",
        headers: { "x-api-key": key.secret },
      });
      expect([operator.status, agent.status], type).toEqual(statuses);
    }
  });

  it("OI-020 the policy names of the specification are accepted and shown as closed (D-53)", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    for (const policy of ["restricted", "private"]) {
      const entries = [{ principal_id: "other", permission: "read", reason: "audit" }];
      const set = await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: policy, entries } });
      expect(set.body).toMatchObject({
        default_policy: "closed",
        policy,
        entries: [{ reason: "audit", principal_type: "agent" }],
      });
      expect((await oi.patch(id, SET, { as: "otherAgent" })).status).toBe(403);
    }
    expect((await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "half" } })).status).toBe(
      422,
    );
    expect((await oi.call("PUT", `intents/${id}/acl`, { as: "otherAgent", body: {} })).status).toBe(403);
    expect((await oi.call("PUT", `intents/${id}/acl`, { body: {} })).body).toMatchObject({
      default_policy: "open",
    });
  });

  it("OI-020 granting and revoking access is logged, and a grant expires at its time", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed" } });
    const body = { principal_id: "other", permission: "write", expires_at: "2026-01-01T00:00:10" };
    const { body: entry } = await oi.call("POST", `intents/${id}/acl/entries`, { body });
    expect(entry.expires_at).toBe("2026-01-01T00:00:10.000+00:00");
    expect((await oi.patch(id, SET, { as: "otherAgent" })).status).toBe(200);
    await oi.test.clock.advance(10_000);
    expect((await oi.patch(id, SET, { as: "otherAgent" })).status).toBe(403);
    expect(
      (await oi.events(id)).map(({ event_type }) => event_type).filter((type) => type.startsWith("access_")),
    ).toEqual(["access_granted", "access_granted", "access_expired"]);
    expect((await oi.call("GET", `intents/${id}/acl`)).body.entries).toEqual([]);
  });

  it("OI-020 an access list never locks out admins, operators and auditors", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed" } });
    expect((await oi.status(id, "blocked", { as: "admin" })).status).toBe(200);
    expect((await oi.call("GET", `intents/${id}`, { as: "operator" })).status).toBe(200);
    expect((await oi.patch(id, SET, { as: "operator" })).status).toBe(200);
    expect((await oi.status(id, "active", { as: "operator" })).status).toBe(403);
    expect((await oi.call("GET", `intents/${id}`, { as: "auditor" })).status).toBe(200);
    expect((await oi.patch(id, SET, { as: "auditor" })).status).toBe(403);
    expect((await oi.call("GET", `intents/${id}`, { as: "elsewhere" })).status).toBe(404);
  });

  it("OI-021 nobody answers a suspension without write access to its intent, and no list takes that from an operator", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const entries = [
      { principal_id: "ada", permission: "read" },
      { principal_id: "shop", permission: "read" },
      { principal_id: "other", permission: "admin" },
    ];
    await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed", entries } });
    await oi.suspend(id, REC);
    for (const as of ["auditor", "app", "agent", "otherAgent"] as const)
      expect((await oi.respond(id, "s1", "approve", { as })).status, as).toBe(403);
    expect((await oi.get(id)).status).toBe("suspended_awaiting_input");
    const [hold] = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "operator" })).body.holds;
    const link = await oi.call("POST", `/v1/holds/${hold.id}/links`, { as: "operator", body: {} });
    expect(link.status).toBe(201);
    expect((await oi.respond(id, "s1", "approve")).status).toBe(200);
  });

  it("attack 6: an intent from before keeps its access and says so", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { store } = oi.test;
    const want = { workspace: "default", kind: "intent", id } as const;
    const batch = await store.begin();
    const [row] = await batch.load([want]);
    const { access: _unknown, creatorKind: _too, ...body } = row?.body ?? {};
    const { version = 0, seq = 0, head = "" } = row ?? {};
    const put = { key: want, expected: version, version: version + 1, seq, head, body };
    await batch.commit({ puts: [put], events: [], timers: [], outbox: [] });
    expect(await oi.get(id, { as: "otherAgent" })).toMatchObject({ id, shared: "legacy" });
    expect((await oi.patch(id, SET, { as: "otherAgent" })).status).toBe(200);
    expect((await oi.call("GET", `intents/${id}/acl`)).body).toMatchObject({ default_policy: "open" });
  });

  it("attack 6: the operator can keep new intents open to the workspace", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id, shared } = await oi.create();
    expect(shared).toBe("open");
    expect((await oi.patch(id, SET, { as: "otherAgent" })).status).toBe(200);
    await using closed = await openIntentServer();
    expect(await closed.create()).not.toHaveProperty("shared");
  });

  it("attack 6: an agent that is assigned, leased, planned or listed may work on the intent, until they are not", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const other = { as: "otherAgent" } as const;
    const tried = async () => [
      (await oi.call("GET", `intents/${id}`, other)).status,
      (await oi.patch(id, SET, other)).status,
      (await oi.call("POST", `intents/${id}/agents`, { ...other, body: { agent_id: "third" } })).status,
    ];
    expect(await tried()).toEqual([403, 403, 403]);
    await oi.call("POST", `intents/${id}/agents`, { body: { agent_id: "other" } });
    expect(await tried()).toEqual([200, 200, 200]);
    await oi.call("DELETE", `intents/${id}/agents/other`);
    expect(await tried()).toEqual([403, 403, 403]);
    const lease = { as: "admin", body: { scope: "x", agent_id: "other", duration_seconds: 10 } } as const;
    expect((await oi.call("POST", `intents/${id}/leases`, lease)).status).toBe(200);
    expect(await tried()).toEqual([200, 200, 403]);
    await oi.test.clock.advance(10_000);
    expect(await tried()).toEqual([403, 403, 403]);
    const { body: task } = await oi.call("POST", `intents/${id}/tasks`, {
      body: { name: "t", assigned_agent: "other" },
    });
    expect((await oi.call("POST", `tasks/${task.id}/claim`, { ...other, body: {} })).status).toBe(200);
    expect(await tried()).toEqual([200, 200, 200]);
    const handOver = { ifMatch: 2, body: { assigned_agent: "refunder" } };
    expect((await oi.call("PATCH", `tasks/${task.id}`, handOver)).status).toBe(200);
    expect(await tried()).toEqual([403, 403, 403]);
  });

  it("attack 6: an agent that may only read an intent cannot create children under it", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const child = { as: "otherAgent", body: { title: "child", parent_intent_id: id } } as const;
    expect((await oi.call("POST", "intents", child)).status).toBe(400);
    for (const [permission, status] of [
      ["read", 403],
      ["write", 200],
    ] as const) {
      const entry = { principal_id: "other", permission };
      await oi.call("POST", `intents/${id}/acl/entries`, { body: entry });
      expect((await oi.call("POST", "intents", child)).status, permission).toBe(status);
    }
  });

  it("attack 6: the creator of a portfolio reads the intents in it, and no task or write permission opens more", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const other = { as: "otherAgent" } as const;
    const { body: portfolio } = await oi.call("POST", "portfolios", { ...other, body: { name: "p" } });
    const member = { body: { intent_id: id } };
    expect(
      (await oi.call("POST", `portfolios/${portfolio.id}/intents`, { ...other, ...member })).status,
    ).toBe(403);
    expect((await oi.call("POST", `portfolios/${portfolio.id}/intents`, member)).status).toBe(403);
    const byPerson = { as: "operator", ...member } as const;
    expect((await oi.call("POST", `portfolios/${portfolio.id}/intents`, byPerson)).status).toBe(200);
    expect((await oi.call("GET", `intents/${id}`, other)).status).toBe(200);
    const { id: own } = await oi.create({}, other);
    const body = { name: "t", assigned_agent: "other", metadata: { executes_intent_id: id } };
    expect((await oi.call("POST", `intents/${own}/tasks`, { ...other, body })).status).toBe(400);
    const entry = { principal_id: "other", permission: "write" };
    await oi.call("POST", `intents/${id}/acl/entries`, { body: entry });
    for (const [path, more] of [
      [`intents/${id}/agents`, { agent_id: "other" }],
      ["coordinators", { agent_id: "other", intent_id: id }],
      [`intents/${id}/acl/entries`, { principal_id: "other", permission: "admin" }],
    ] as const)
      expect((await oi.call("POST", path, { ...other, body: more })).status, path).toBe(403);
    for (const [at, more] of [
      [id, {}],
      [own, { metadata: { executes_intent_id: id } }],
    ] as const) {
      const task = { name: "t", assigned_agent: "other", ...more };
      expect((await oi.call("POST", `intents/${at}/tasks`, { ...other, body: task })).status, at).toBe(403);
      const { assigned_agent: _self, ...unnamed } = task;
      const { body: open } = await oi.call("POST", `intents/${at}/tasks`, { ...other, body: unnamed });
      const patch = { ...other, ifMatch: 1, body: { assigned_agent: "other" } };
      expect((await oi.call("PATCH", `tasks/${open.id}`, patch)).status, at).toBe(403);
      expect((await oi.call("POST", `tasks/${open.id}/claim`, { ...other, body: {} })).status, at).toBe(200);
      const delegate = { ...other, body: { agent_id: "other" } };
      expect((await oi.call("POST", `tasks/${open.id}/delegate`, delegate)).status).toBe(
        at === id ? 403 : 200,
      );
    }
    expect((await oi.status(id, "abandoned", other)).status).toBe(403);
    await oi.call("DELETE", `portfolios/${portfolio.id}/intents/${id}`);
  });
});
