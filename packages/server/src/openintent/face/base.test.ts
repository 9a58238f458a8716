import { describe, expect, it } from "vitest";
import { openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

describe("paths, keys and errors", () => {
  it("OI-001 the three spellings of a path give the same reply", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    for (const [method, path, body] of [
      ["GET", `/intents/${id}`, undefined],
      ["GET", `/intents/${id}/leases`, undefined],
      ["POST", `/intents/${id}/suspend/respond`, { suspension_id: "s1", value: "x" }],
      ["GET", "/intents?limit=1", undefined],
      ["GET", "/intents/none", undefined],
    ] as const) {
      const call = { as: "operator", ...(body === undefined ? {} : { body }) } as const;
      const canonical = await oi.call(method, `/api/v1${path}`, call);
      for (const spelling of [`/v1${path}`, path]) {
        const other = await oi.call(method, spelling, call);
        expect({ status: other.status, body: other.body }).toEqual({
          status: canonical.status,
          body: canonical.body,
        });
      }
    }
    const native = await oi.call("GET", "/v1/holds/none", {});
    expect(native.headers.get("content-type")).toBe("application/problem+json");
    expect((await oi.call("GET", "/v1/portfolios/none", {})).body).toMatchObject({ error: "not_found" });
    expect((await oi.call("GET", "/intents-of-mine", {})).headers.get("content-type")).toBe(
      "application/problem+json",
    );
  });

  it("OI-002 a request without a key or with an unknown key is refused and changes nothing", async () => {
    await using oi = await openIntentServer();
    const before = await oi.create();
    const respond = { suspension_id: "s1", value: "approve" };
    for (const [method, path, body] of [
      ["GET", `intents/${before.id}`, undefined],
      ["POST", `intents/${before.id}/suspend/respond`, respond],
      ["POST", "intents", { title: "t" }],
    ] as const) {
      for (const headers of [{}, { "x-api-key": "no-such-key" }]) {
        const reply = await oi.call(method, path, {
          as: "nobody",
          headers,
          ...(body === undefined ? {} : { body }),
        });
        expect(reply.status).toBe(401);
        expect(reply.body).toMatchObject({ detail: expect.any(String), message: expect.any(String) });
      }
    }
    expect(await oi.get(before.id)).toEqual(before);
    expect((await oi.call("GET", "/.well-known/openintent.json", { as: "nobody" })).status).toBe(200);
    expect((await oi.call("GET", "server/config", { as: "nobody" })).body).toEqual({
      protocol_version: "0.1",
      suspension: { default_retry_policy: null },
    });
  });

  it("OI-003 every error is JSON with detail and message", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id, version } = await oi.create();
    const set = { patches: [{ op: "set", path: "/a", value: 1 }] };
    await oi.call("POST", `intents/${id}/leases`, { body: { scope: "a" } });
    const replies: readonly (readonly [number, Wire])[] = [
      [400, await oi.call("POST", `intents/${id}/state`, { body: set })],
      [401, await oi.call("GET", `intents/${id}`, { as: "nobody" })],
      [403, await oi.call("GET", `intents/${id}`, { agent: "somebody-else" })],
      [404, await oi.call("GET", "intents/none")],
      [404, await oi.call("GET", "nothing/of/the/kind")],
      [405, await oi.call("PATCH", `intents/${id}`)],
      [409, await oi.call("POST", `intents/${id}/state`, { ifMatch: version + 7, body: set })],
      [409, await oi.call("POST", `intents/${id}/leases`, { as: "otherAgent", body: { scope: "a" } })],
      [422, await oi.call("GET", `intents/${id}/events?limit=0`)],
      [422, await oi.call("POST", `intents/${id}/state`, { ifMatch: version, body: "{" })],
    ];
    for (const [status, reply] of replies) {
      expect(reply.status).toBe(status);
      expect(reply.headers.get("content-type")).toBe("application/json");
      expect(reply.body).toMatchObject({
        detail: expect.anything(),
        message: expect.any(String),
        error: expect.any(String),
      });
    }
    const [missing, stale, leased] = [replies[0]?.[1].body, replies[6]?.[1].body, replies[7]?.[1].body];
    expect(missing.errors).toHaveLength(1);
    expect(stale).toMatchObject({ error: "version_conflict", current_version: version });
    expect(leased.existing_lease).toMatchObject({ scope: "a", agent_id: "refunder" });
    expect(replies[5]?.[1].headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("intents", () => {
  it("OI-004 an intent can be created with only a title and gets every default", async () => {
    await using oi = await openIntentServer();
    const { status, body, headers } = await oi.call("POST", "intents", { body: { title: "t" } });
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe('"1"');
    const { id, created_at, updated_at, ...rest } = body;
    expect(rest).toEqual({
      title: "t",
      description: "",
      created_by: "refunder",
      parent_intent_id: null,
      parent_id: null,
      depends_on: [],
      constraints: {},
      state: {},
      status: "draft",
      confidence: 0,
      version: 1,
      governance_policy: null,
      agents: [],
    });
    expect(created_at).toBe("2026-01-01T00:00:00.000+00:00");
    expect(updated_at).toBe(created_at);
    expect(await oi.events(id)).toMatchObject([
      { event_type: "intent_created", sequence: 1, payload: { title: "t" } },
    ]);
  });

  it("OI-004 an intent keeps every member that was sent, with either name for the parent", async () => {
    await using oi = await openIntentServer();
    const [parent, before] = [await oi.create(), await oi.create()];
    const sent = {
      title: "t",
      description: "d",
      constraints: { budget: 5 },
      state: { a: [1] },
      depends_on: [before.id],
      governance_policy: { max_cost: 3 },
      confidence: 80,
      created_by: "somebody else",
    };
    for (const name of ["parent_intent_id", "parent_id"]) {
      const { body } = await oi.call("POST", "intents", { body: { ...sent, [name]: parent.id } });
      expect(body).toMatchObject({
        ...sent,
        created_by: "refunder",
        parent_intent_id: parent.id,
        parent_id: parent.id,
      });
    }
    expect((await oi.create({ constraints: ["one"], status: "active" })).constraints).toEqual(["one"]);
    const nulls = {
      description: null,
      constraints: null,
      state: null,
      depends_on: null,
      governance_policy: null,
      status: null,
    };
    expect((await oi.call("POST", "intents", { body: { title: "t", ...nulls } })).status).toBe(200);
    for (const wrong of [{ depends_on: ["none"] }, { parent_intent_id: "none" }]) {
      const reply = await oi.call("POST", "intents", { body: { title: "t", ...wrong } });
      expect(reply).toMatchObject({ status: 400, body: { error: "unknown_dependency" } });
    }
    expect((await oi.call("POST", "intents", { body: { title: "t", status: "completed" } })).status).toBe(
      409,
    );
    expect((await oi.call("POST", "intents", { as: "auditor", body: { title: "t" } })).status).toBe(403);
  });

  it("OI-005 intents have exactly six statuses and can be listed by each", async () => {
    await using oi = await openIntentServer();
    const { id, version } = await oi.create();
    const wrong = await oi.call("POST", `intents/${id}/status`, {
      ifMatch: version,
      body: { status: "failed" },
    });
    expect(wrong.status).toBe(422);
    await oi.suspend(id, REC);
    const other = await oi.create();
    for (const [status, ids] of [
      ["suspended_awaiting_input", [id]],
      ["active", [other.id]],
      ["completed", []],
    ] as const) {
      const { body } = await oi.call("GET", `intents?status=${status}`);
      expect(body.intents.map((each: Wire) => each.id)).toEqual(ids);
    }
    expect((await oi.call("GET", "intents?status=failed")).status).toBe(422);
  });

  it("OI-005 intents are listed newest first, by page, creator and parent", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      ids.unshift((await oi.create()).id);
      await oi.test.clock.advance(1);
    }
    const list = async (query: string) =>
      (await oi.call("GET", `intents?${query}`)).body.intents.map((each: Wire) => each.id);
    expect(await list("limit=2")).toEqual(ids.slice(0, 2));
    expect(await list("limit=2&offset=3")).toEqual(ids.slice(3));
    const child = await oi.create({ parent_intent_id: ids[0] }, { as: "otherAgent" });
    expect(await list(`parent_intent_id=${ids[0]}`)).toEqual([child.id]);
    expect(await list("created_by=other")).toEqual([child.id]);
    expect(await list("created_by=other&status=draft")).toEqual([]);
    expect((await oi.call("GET", "intents", { as: "elsewhere" })).body.intents).toEqual([]);
  });

  it("OI-006 an intent follows the lifecycle and never leaves a terminal status", async () => {
    await using oi = await openIntentServer();
    const legal = [
      ["draft", "active"],
      ["draft", "abandoned"],
      ["active", "blocked"],
      ["active", "completed"],
      ["active", "abandoned"],
      ["blocked", "active"],
      ["blocked", "abandoned"],
    ];
    const reach: Readonly<Record<string, readonly string[]>> = {
      draft: [],
      active: ["active"],
      blocked: ["active", "blocked"],
      completed: ["active", "completed"],
      abandoned: ["abandoned"],
    };
    for (const [from, way] of Object.entries(reach)) {
      for (const to of Object.keys(reach)) {
        const { id } = await oi.create({ status: "draft" });
        for (const step of way) expect((await oi.status(id, step)).status).toBe(200);
        const implicit = from === "draft" && (to === "blocked" || to === "completed");
        const isLegal = implicit || legal.some(([a, b]) => a === from && b === to);
        const reply = await oi.status(id, to);
        expect({ from, to, status: reply.status }).toEqual({ from, to, status: isLegal ? 200 : 409 });
        if (!isLegal) {
          expect(reply.body).toMatchObject({ error: "invalid_transition", from, to });
          expect(reply.body).not.toHaveProperty("current_version");
        }
      }
    }
  });

  it("OI-006 a draft that is patched becomes active in the same version (D-05)", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const reply = await oi.status(id, "completed");
    expect(reply.body).toMatchObject({ status: "completed", version: 2 });
    expect(
      (await oi.events(id, "status_changed")).map(({ payload }: Wire) => [
        payload.from,
        payload.to,
        payload.version,
      ]),
    ).toEqual([
      ["draft", "active", 2],
      ["active", "completed", 2],
    ]);
  });

  it("OI-007 of two writers with the same version one succeeds, and If-Match accepts every spelling of a version", async () => {
    await using oi = await openIntentServer();
    const { id, version } = await oi.create();
    const body = { patches: [{ op: "set", path: "/n", value: 1 }] };
    const replies = await Promise.all(
      [0, 1].map(() => oi.call("POST", `intents/${id}/state`, { ifMatch: version, body })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const won = replies.find(({ status }) => status === 200);
    expect(won?.body.version).toBe(version + 1);
    expect(won?.headers.get("etag")).toBe(`"${version + 1}"`);
    for (const spelling of [`${version + 1}`, `"${version + 2}"`, `W/"${version + 3}"`]) {
      expect((await oi.call("POST", `intents/${id}/state`, { ifMatch: spelling, body })).status).toBe(200);
    }
    for (const none of ["", "abc", "-1", "*"]) {
      const reply = await oi.call("POST", `intents/${id}/state`, { ifMatch: none, body });
      expect(reply).toMatchObject({ status: 400, body: { error: "if_match_required" } });
    }
    expect((await oi.get(id)).version).toBe(version + 4);
  });

  it("OI-007 writing the policy or the status requires If-Match", async () => {
    await using oi = await openIntentServer();
    const { id, version } = await oi.create();
    expect((await oi.call("POST", `intents/${id}/status`, { body: { status: "blocked" } })).status).toBe(400);
    expect((await oi.call("PUT", `intents/${id}/governance`, { body: { max_cost: 1 } })).status).toBe(400);
    const set = await oi.call("PUT", `intents/${id}/governance`, { ifMatch: version, body: { max_cost: 1 } });
    expect(set.body).toMatchObject({ version: version + 1, governance_policy: { max_cost: 1 } });
    expect((await oi.call("GET", `intents/${id}/governance`)).body).toEqual({
      intent_id: id,
      governance_policy: { max_cost: 1 },
      effective_policy: expect.objectContaining({ completion_mode: "auto", max_cost: null }),
    });
    const stale = await oi.call("DELETE", `intents/${id}/governance`, { ifMatch: version });
    expect(stale).toMatchObject({ status: 409, body: { current_version: version + 1 } });
    const removed = await oi.call("DELETE", `intents/${id}/governance`, { ifMatch: version + 1 });
    expect(removed.body).toMatchObject({ version: version + 2, governance_policy: null });
    expect((await oi.events(id)).slice(-2)).toMatchObject([
      { event_type: "governance.policy_set" },
      { event_type: "governance.policy_removed" },
    ]);
  });

  it("OI-008 the state can be patched with every spelling of a path", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ state: { keep: true } });
    const patched = async (patches: readonly object[]) => (await oi.patch(id, patches)).body.state;
    expect(await patched([{ op: "set", path: "/a/b/c", value: 1 }])).toEqual({
      keep: true,
      a: { b: { c: 1 } },
    });
    expect(await patched([{ op: "append", path: "/items", value: "x" }])).toMatchObject({ items: ["x"] });
    expect(await patched([{ op: "append", path: "/items", value: "y" }])).toMatchObject({
      items: ["x", "y"],
    });
    expect(await patched([{ op: "set", path: "/items/0", value: "z" }])).toMatchObject({ items: ["z", "y"] });
    expect(await patched([{ op: "remove", path: "/items/1" }])).toMatchObject({ items: ["z"] });
    expect(await patched([{ op: "remove", path: "/a/b" }])).toEqual({ keep: true, a: {}, items: ["z"] });
    expect(await patched([{ op: "set", path: "plainkey", value: null }])).toMatchObject({ plainkey: null });
    expect(await patched([{ op: "set", path: "/odd~1name~0", value: 1 }])).toMatchObject({ "odd/name~": 1 });
    const { version } = await oi.get(id);
    const merged = await oi.call("POST", `intents/${id}/state`, {
      ifMatch: version,
      body: { state: { keep: false, "a/b": 2 } },
    });
    expect(merged.body.state).toMatchObject({ keep: false, "a/b": 2, items: ["z"] });
    expect(await patched([{ op: "set", path: "/", value: { all: "new" } }])).toEqual({ all: "new" });
  });

  it("OI-008 the patches of a request are applied completely or not at all", async () => {
    await using oi = await openIntentServer();
    const { id, version } = await oi.create({ state: { text: "x", list: [1] } });
    for (const wrong of [
      { op: "append", path: "/text", value: 1 },
      { op: "set", path: "/text/inside", value: 1 },
      { op: "set", path: "/list/9", value: 1 },
      { op: "remove", path: "/" },
      { op: "set", path: "/", value: 7 },
      { op: "set", path: `/${"deep/".repeat(40)}`, value: 1 },
    ]) {
      const reply = await oi.patch(id, [{ op: "set", path: "/fine", value: 1 }, wrong]);
      expect(reply).toMatchObject({
        status: 422,
        body: { error: "invalid_patch", errors: [{ key: expect.any(String) }] },
      });
    }
    for (const body of [{}, { patches: [] }, { patches: [{ op: "move", path: "/a" }] }, { state: [] }]) {
      expect((await oi.call("POST", `intents/${id}/state`, { ifMatch: version, body })).status).toBe(422);
    }
    expect(await oi.get(id)).toMatchObject({ version, state: { text: "x", list: [1] } });
  });

  it("OI-009 the log has one event for each accepted write and none for a refused one", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const patches = [{ op: "set", path: "/a", value: 1 }];
    await oi.patch(id, patches);
    await oi.call("POST", `intents/${id}/state`, { ifMatch: 99, body: { patches } });
    await oi.call("POST", `intents/${id}/status`, {
      ifMatch: 2,
      body: { status: "active", reason: "ready" },
    });
    expect(
      (await oi.events(id)).slice(1).map(({ event_type, payload }) => ({ event_type, payload })),
    ).toEqual([
      { event_type: "state_patched", payload: { patches, version: 2 } },
      {
        event_type: "status_changed",
        payload: {
          from: "draft",
          to: "active",
          status: "active",
          old_status: "draft",
          new_status: "active",
          version: 3,
          reason: "ready",
        },
      },
    ]);
  });
});

describe("events", () => {
  it("OI-010 the log is served newest first, by page, type and time", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    for (let n = 1; n <= 5; n += 1) {
      await oi.test.clock.advance(1000);
      await oi.call("POST", `intents/${id}/events`, {
        body: { event_type: "comment", actor: "refunder", payload: { n } },
      });
    }
    const sequences = async (query: string) =>
      (await oi.call("GET", `intents/${id}/events${query}`)).body.map(({ sequence }: Wire) => sequence);
    expect(await sequences("")).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await sequences("?limit=2")).toEqual([6, 5]);
    expect(await sequences("?limit=2&offset=1")).toEqual([5, 4]);
    expect(await sequences("?order=asc&limit=2")).toEqual([1, 2]);
    expect(await sequences("?order=asc&after_sequence=4")).toEqual([5, 6]);
    expect(await sequences("?after_sequence=4")).toEqual([6, 5]);
    expect(await sequences("?event_type=intent_created")).toEqual([1]);
    expect(await sequences("?event_type=intent.created")).toEqual([1]);
    expect(await sequences("?since=2026-01-01T00:00:04")).toEqual([6, 5]);
    expect(await sequences("?since=2026-01-01T01:00:04%2B01:00")).toEqual([6, 5]);
    const [event] = (await oi.call("GET", `intents/${id}/events?limit=1`)).body;
    expect(Object.keys(event).toSorted()).toEqual(
      [
        ...["id", "intent_id", "event_type", "actor", "payload", "created_at"],
        ...["event_hash", "previous_event_hash", "sequence", "claimed_actor"],
      ].toSorted(),
    );
    for (const wrong of ["limit=0", "limit=1001", "limit=x", "offset=-1", "since=yesterday", "order=up"]) {
      expect((await oi.call("GET", `intents/${id}/events?${wrong}`)).status).toBe(422);
    }
  });

  it("OI-010 a long log can be paged through beyond one read window", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const body = { event_type: "comment", actor: "refunder" };
    for (let n = 0; n < 24; n += 1) {
      await Promise.all(Array.from({ length: 50 }, () => oi.call("POST", `intents/${id}/events`, { body })));
    }
    const down = (await oi.call("GET", `intents/${id}/events?limit=1000`)).body.map(
      ({ sequence }: Wire) => sequence,
    );
    expect(down).toEqual(Array.from({ length: 1000 }, (_, n) => 1201 - n));
    const up = (await oi.call("GET", `intents/${id}/events?limit=1000&order=asc`)).body.map(
      ({ sequence }: Wire) => sequence,
    );
    expect(up).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
    expect((await oi.call("GET", `intents/${id}/events?event_type=intent_created`)).body).toHaveLength(1);
  });

  it("OI-011 clients can append events and never change or delete one", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const traced = { trace_id: "t1", parent_event_id: "p1" };
    const written = await oi.call("POST", `intents/${id}/events`, {
      body: { event_type: "comment", actor: "refunder", payload: { note: "n" }, ...traced },
    });
    expect(written).toMatchObject({
      status: 200,
      body: { event_type: "comment", actor: "refunder", payload: { note: "n" }, ...traced },
    });
    const path = `intents/${id}/events/${written.body.id}`;
    expect((await oi.call("GET", path)).body).toEqual(written.body);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      expect((await oi.call(method, path, method === "DELETE" ? {} : { body: {} })).status).toBe(405);
    }
    expect((await oi.call("GET", path)).body).toEqual(written.body);
    const nowhere = { body: { event_type: "comment", actor: "x" } };
    expect((await oi.call("POST", "intents/none/events", nowhere)).status).toBe(404);
    for (const missing of [{ actor: "x" }, { event_type: "comment" }, { event_type: "", actor: "x" }]) {
      expect((await oi.call("POST", `intents/${id}/events`, { body: missing })).status).toBe(422);
    }
    const unknown = await oi.call("POST", `intents/${id}/events`, {
      body: { event_type: "mine", actor: "x" },
    });
    expect(unknown).toMatchObject({ status: 422, body: { error: "unknown_event_type" } });
    for (const nowhere of [`intents/${id}/events/none`, `intents/${id}/events/${written.body.id}9`]) {
      expect((await oi.call("GET", nowhere)).status).toBe(404);
    }
  });

  it("OI-023 the actor of an event is the name of the principal, never its key", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create({ status: "draft" }, { as: "anyAgent", agent: "planner" });
    await oi.call("POST", `intents/${id}/events`, {
      as: "agent",
      body: { event_type: "comment", actor: "somebody else", payload: {} },
    });
    await oi.call("POST", `intents/${id}/leases`, {
      as: "dev",
      agent: "worker",
      body: { scope: "a", duration_seconds: 1 },
    });
    await oi.test.clock.advance(1000);
    const events = await oi.events(id);
    expect(events.map(({ event_type, actor }) => [event_type, actor])).toEqual([
      ["intent_created", "planner"],
      ["comment", "refunder"],
      ["lease_acquired", "worker"],
      ["lease_released", "system"],
    ]);
    expect(events[1]).toMatchObject({ claimed_actor: "somebody else" });
    const secrets = Object.values(oi.test.keys);
    expect(secrets.some((secret) => JSON.stringify(events).includes(secret))).toBe(false);
    expect((await oi.call("GET", `intents/${id}`, { as: "agent", agent: "other" })).body).toMatchObject({
      error: "agent_mismatch",
    });
  });
});
