import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

const SUSPENDED = "suspended_awaiting_input";

function ids(list: readonly Wire[]): readonly string[] {
  return list.map(({ id }) => id);
}

async function depend(oi: OpenIntentServer, id: string, on: string, ifMatch?: number) {
  const version = ifMatch ?? (await oi.get(id)).version;
  return oi.call("POST", `intents/${id}/dependencies`, { body: { dependency_id: on }, ifMatch: version });
}

async function complete(oi: OpenIntentServer, id: string) {
  const reply = await oi.status(id, "completed");
  expect(reply.status).toBe(200);
}

describe("suspension in a graph", () => {
  it("OI-130 a suspension changes only its intent; parent and siblings stay unchanged", async () => {
    await using oi = await openIntentServer();
    const parent = await oi.create();
    const [one, two] = [
      await oi.create({ parent_intent_id: parent.id }),
      await oi.create({ parent_intent_id: parent.id }),
    ];
    await oi.suspend(one.id, REC);
    expect((await oi.get(one.id)).status).toBe(SUSPENDED);
    expect((await oi.get(parent.id)).status).toBe("active");
    expect(await oi.get(two.id)).toMatchObject({ status: "active", version: two.version });
  });

  it("OI-131 a suspended intent does not count as complete for its dependents", async () => {
    await using oi = await openIntentServer();
    const upstream = await oi.create();
    const dependent = await oi.create();
    await depend(oi, dependent.id, upstream.id);
    await oi.suspend(upstream.id, REC);
    await oi.respond(upstream.id, "s1", "approve");
    const refused = await oi.status(dependent.id, "completed");
    expect(refused.status).toBe(409);
    const running = await oi.create();
    await depend(oi, running.id, upstream.id);
    expect(await oi.status(running.id, "completed")).toMatchObject({
      status: 409,
      body: { error: "dependencies_incomplete", blocking_intents: [upstream.id] },
    });
  });

  it.each(["added later", "named when made"] as const)(
    "OI-132 a suspension blocks an active dependent whose dependency was %s",
    async (how) => {
      await using oi = await openIntentServer();
      const a = await oi.create();
      const b = await oi.create(how === "added later" ? {} : { depends_on: [a.id] });
      if (how === "added later") expect((await depend(oi, b.id, a.id)).body.status).toBe("active");
      const before = await oi.get(b.id);
      await oi.suspend(a.id, REC);
      expect(await oi.get(b.id)).toMatchObject({ status: "blocked", version: before.version + 1 });
      const [told] = (await oi.events(b.id, "status_changed")).slice(-1);
      expect(told).toMatchObject({
        actor: "system",
        payload: { from: "active", to: "blocked", reason: "upstream_suspended", upstream_intent_id: a.id },
      });
    },
  );

  it("OI-132 a suspension does not block drafts, finished intents and indirect dependents", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const draft = await oi.create({ depends_on: [a.id], status: "draft" });
    const over = await oi.create({ depends_on: [a.id] });
    await oi.status(over.id, "abandoned");
    const b = await oi.create({ depends_on: [a.id] });
    const c = await oi.create({ depends_on: [b.id] });
    await oi.suspend(a.id, REC);
    const statuses = await Promise.all([draft, over, b, c].map(async ({ id }) => (await oi.get(id)).status));
    expect(statuses).toEqual(["draft", "abandoned", "blocked", "active"]);
  });

  it("OI-132 no dependent can begin while its dependency waits for a person, by any call", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    await oi.suspend(a.id, REC);
    expect((await oi.create({ depends_on: [a.id] })).status).toBe("blocked");
    const b = await oi.create();
    expect((await depend(oi, b.id, a.id)).body.status).toBe("blocked");
    expect(await oi.status(b.id, "active")).toMatchObject({
      status: 409,
      body: { error: "dependencies_incomplete" },
    });
  });

  it("OI-132 a hold placed through another face blocks dependents too", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const b = await oi.create({ depends_on: [a.id] });
    const place = (id: string) =>
      oi.call("POST", "/v1/holds", { body: { type: "approval", prompt: "Go on?", intent_id: id } });
    const waiting = await oi.create({ depends_on: [a.id], status: "draft" });
    expect(await place(waiting.id)).toMatchObject({ status: 409, body: { code: "intent_not_active" } });
    expect((await place(a.id)).status).toBe(201);
    expect((await oi.get(b.id)).status).toBe("blocked");
  });

  it("OI-133 resuming an intent does not unblock its dependents", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const b = await oi.create({ depends_on: [a.id] });
    await oi.suspend(a.id, REC);
    expect((await oi.respond(a.id, "s1", "approve")).status).toBe(200);
    expect((await oi.get(a.id)).status).toBe("active");
    expect((await oi.get(b.id)).status).toBe("blocked");
  });

  it("OI-134 completing an intent unblocks its dependents once, with two dependencies only after both", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const other = await oi.create();
    const b = await oi.create({ depends_on: [a.id] });
    const c = await oi.create({ depends_on: [a.id, other.id] });
    await oi.suspend(a.id, REC);
    await oi.respond(a.id, "s1", "approve");
    await complete(oi, a.id);
    expect((await oi.get(b.id)).status).toBe("active");
    expect((await oi.events(b.id, "status_changed")).map(({ payload }) => payload.to)).toEqual([
      "active",
      "blocked",
      "active",
    ]);
    expect((await oi.get(c.id)).status).toBe("blocked");
    await complete(oi, other.id);
    expect((await oi.get(c.id)).status).toBe("active");
  });

  it("OI-134 an intent that was blocked by hand, or whose dependency was abandoned, stays blocked", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const byHand = await oi.create({ depends_on: [a.id] });
    await oi.status(byHand.id, "blocked");
    await complete(oi, a.id);
    expect((await oi.get(byHand.id)).status).toBe("blocked");
    const lost = await oi.create();
    const parent = await oi.create();
    const b = await oi.create({ depends_on: [lost.id], parent_intent_id: parent.id });
    await oi.suspend(lost.id, REC);
    await oi.status(lost.id, "abandoned");
    expect((await oi.get(b.id)).status).toBe("blocked");
    expect((await oi.get(parent.id)).aggregate_status.blocking_intents).toEqual([lost.id]);
  });

  it("OI-134 removing the last open dependency unblocks an intent", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const b = await oi.create({ depends_on: [a.id], status: "draft" });
    expect((await oi.status(b.id, "active")).body.status).toBe("blocked");
    const { version } = await oi.get(b.id);
    const path = `intents/${b.id}/dependencies/${a.id}`;
    expect((await oi.call("DELETE", path, { ifMatch: version - 1 })).status).toBe(409);
    expect((await oi.call("DELETE", path, {})).status).toBe(400);
    const freed = await oi.call("DELETE", path, { ifMatch: version });
    expect(freed.body).toMatchObject({ status: "active", depends_on: [], version: version + 1 });
    expect((await oi.call("DELETE", path, { ifMatch: version + 1 })).status).toBe(404);
    expect((await oi.call("GET", `intents/${a.id}/dependents`)).body).toEqual({ dependents: [] });
  });

  it("OI-134 an intent that is resumed while its dependency is open becomes active and then blocked", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const b = await oi.create({ depends_on: [a.id] });
    await oi.suspend(b.id, REC);
    await oi.suspend(a.id, { ...REC, id: "s2" });
    await oi.respond(b.id, "s1", "approve");
    expect((await oi.get(b.id)).status).toBe("blocked");
    expect((await oi.events(b.id, "status_changed")).slice(-2).map(({ payload }) => payload.to)).toEqual([
      "active",
      "blocked",
    ]);
    await oi.respond(a.id, "s2", "approve");
    await complete(oi, a.id);
    expect((await oi.get(b.id)).status).toBe("active");
  });
});

describe("dependencies", () => {
  it("OI-135 dependencies that form a cycle, repeat or name an unknown intent are refused", async () => {
    await using oi = await openIntentServer();
    const [a, b, c] = [await oi.create(), await oi.create(), await oi.create()];
    expect((await depend(oi, b.id, a.id)).body.depends_on).toEqual([a.id]);
    await depend(oi, c.id, b.id);
    expect(await depend(oi, a.id, c.id)).toMatchObject({ status: 400, body: { error: "dependency_cycle" } });
    expect(await depend(oi, a.id, a.id)).toMatchObject({ status: 400, body: { error: "dependency_cycle" } });
    expect(await depend(oi, b.id, a.id)).toMatchObject({
      status: 400,
      body: { error: "duplicate_dependency" },
    });
    expect((await depend(oi, b.id, "intent_00000000000000000000000000")).status).toBe(404);
    const made = await oi.call("POST", "intents", { body: { title: "x", depends_on: ["nobody"] } });
    expect(made).toMatchObject({ status: 400, body: { error: "unknown_dependency" } });
    expect((await depend(oi, c.id, a.id, 1)).status).toBe(409);
    expect((await oi.get(a.id)).depends_on).toEqual([]);
    const [added] = await oi.events(b.id, "dependency_added");
    expect(added.payload).toEqual({ dependency_id: a.id, version: 2 });
  });

  it("OI-135 a child cannot depend on its parent", async () => {
    await using oi = await openIntentServer();
    const whole = await oi.create();
    const part = await oi.create({ parent_intent_id: whole.id });
    const smaller = await oi.create({ parent_intent_id: part.id });
    const cycle = { status: 400, body: { error: "dependency_cycle" } };
    expect(await depend(oi, smaller.id, whole.id)).toMatchObject(cycle);
    const body = { title: "x", parent_intent_id: part.id, depends_on: [whole.id] };
    expect(await oi.call("POST", "intents", { body })).toMatchObject(cycle);
    expect((await depend(oi, whole.id, smaller.id)).status).toBe(200);
  });

  it("OI-135 a cycle through parents and dependencies is refused, whichever edge would close it", async () => {
    await using oi = await openIntentServer();
    const cycle = { status: 400, body: { error: "dependency_cycle" } };
    const whole = await oi.create();
    const part = await oi.create({ parent_intent_id: whole.id });
    const child = await oi.create({ parent_intent_id: part.id });
    const [x, y] = [await oi.create(), await oi.create()];
    // child → x → y → whole, and whole waits for its descendants.
    expect((await depend(oi, child.id, x.id)).status).toBe(200);
    expect((await depend(oi, x.id, y.id)).status).toBe(200);
    expect(await depend(oi, y.id, whole.id)).toMatchObject(cycle);
    expect(await depend(oi, y.id, part.id)).toMatchObject(cycle);
    // The same from the other side: y waits for another tree, whose child may not wait for y.
    const tree = await oi.create();
    const leaf = await oi.create({ parent_intent_id: tree.id });
    expect((await depend(oi, y.id, tree.id)).status).toBe(200);
    expect(await depend(oi, leaf.id, x.id)).toMatchObject(cycle);
    const body = { title: "late child", parent_intent_id: tree.id, depends_on: [x.id] };
    expect(await oi.call("POST", "intents", { body })).toMatchObject(cycle);
    expect(
      (await oi.call("POST", "intents", { body: { ...body, depends_on: [(await oi.create()).id] } })).status,
    ).toBe(200);
    // A cycle of two trees: each waits for the other's child.
    const [left, right] = [await oi.create(), await oi.create()];
    const inLeft = await oi.create({ parent_intent_id: left.id });
    const inRight = await oi.create({ parent_intent_id: right.id });
    expect((await depend(oi, inLeft.id, right.id)).status).toBe(200);
    expect(await depend(oi, inRight.id, left.id)).toMatchObject(cycle);
  });

  it("OI-135 an intent that the caller may not read cannot become a dependency", async () => {
    await using oi = await openIntentServer();
    const secret = await oi.create({}, { as: "otherAgent" });
    await oi.call("PUT", `intents/${secret.id}/acl`, {
      as: "otherAgent",
      body: { default_policy: "closed", entries: [] },
    });
    const own = await oi.create();
    expect((await depend(oi, own.id, secret.id)).status).toBe(404);
  });

  it("OI-136 a parent cannot be completed before its children", async () => {
    await using oi = await openIntentServer();
    const parent = await oi.create();
    const made = await oi.call("POST", `intents/${parent.id}/children`, { body: { title: "Child" } });
    expect(made.body).toMatchObject({ parent_intent_id: parent.id, parent_id: parent.id, status: "draft" });
    const child = made.body;
    await oi.suspend(child.id, REC);
    expect(await oi.status(parent.id, "completed")).toMatchObject({
      status: 409,
      body: { error: "children_incomplete", blocking_intents: [child.id] },
    });
    await oi.respond(child.id, "s1", "approve");
    await complete(oi, child.id);
    await complete(oi, parent.id);
    const late = await oi.call("POST", `intents/${parent.id}/children`, { body: { title: "Late" } });
    expect(late).toMatchObject({ status: 409, body: { error: "invalid_transition" } });
    expect((await oi.call("POST", "intents/nobody/children", { body: { title: "x" } })).status).toBe(404);
  });

  it("OI-137 an intent with open dependencies becomes blocked instead of active", async () => {
    await using oi = await openIntentServer();
    const parent = await oi.create();
    const a = await oi.create({ parent_intent_id: parent.id });
    const draft = { parent_intent_id: parent.id, depends_on: [a.id], status: "draft" };
    const b = await oi.create(draft);
    const c = await oi.create(draft);
    expect((await oi.status(b.id, "active")).body.status).toBe("blocked");
    expect((await oi.events(b.id, "status_changed"))[0]?.payload).toMatchObject({
      from: "draft",
      to: "blocked",
      reason: "dependencies_incomplete",
    });
    const lists = async () => ({
      ready: ids((await oi.call("GET", `intents/${parent.id}/ready`)).body.ready),
      blocked: ids((await oi.call("GET", `intents/${parent.id}/blocked`)).body.blocked),
    });
    expect(await lists()).toEqual({ ready: [a.id], blocked: [b.id] });
    expect((await oi.status(c.id, "completed")).body.error).toBe("dependencies_incomplete");
    const asked = await oi.call("POST", `intents/${c.id}/suspend`, { body: REC });
    expect(asked).toMatchObject({ status: 409, body: { error: "dependencies_incomplete" } });
    await complete(oi, a.id);
    expect(await lists()).toEqual({ ready: [b.id, c.id].toSorted(), blocked: [] });
    expect((await oi.status(c.id, "active")).body.status).toBe("active");
  });

  it("OI-137 with a soft gate an intent begins while its dependencies are in progress, but not while one is suspended", async () => {
    await using oi = await openIntentServer({ activationGate: "soft" });
    const a = await oi.create();
    const b = await oi.create({ depends_on: [a.id], status: "draft" });
    expect((await oi.status(b.id, "active")).body.status).toBe("active");
    expect((await oi.status(b.id, "completed")).body.error).toBe("dependencies_incomplete");
    await oi.suspend(a.id, REC);
    expect((await oi.get(b.id)).status).toBe("blocked");
    const c = await oi.create({ depends_on: [a.id], status: "draft" });
    expect((await oi.status(c.id, "active")).body.status).toBe("blocked");
    await oi.respond(a.id, "s1", "approve");
    expect((await oi.status(c.id, "active")).body.status).toBe("active");
    await complete(oi, a.id);
    expect((await oi.get(b.id)).status).toBe("active");
  });
});

describe("reading a graph", () => {
  it("OI-142 a parent's counts list suspended children separately and not as complete", async () => {
    await using oi = await openIntentServer();
    const parent = await oi.create();
    const child = () => oi.create({ parent_intent_id: parent.id });
    expect(parent).not.toHaveProperty("aggregate_status");
    for (const done of [await child(), await child(), await child()]) await complete(oi, done.id);
    const [first, second, asks] = [await child(), await child(), await child()];
    await oi.suspend(asks.id, REC);
    const counts = { draft: 0, active: 2, blocked: 0, completed: 3, abandoned: 0, [SUSPENDED]: 1 };
    expect((await oi.get(parent.id)).aggregate_status).toEqual({
      total: 6,
      by_status: counts,
      completion_percentage: 50,
      blocking_intents: [asks.id],
      ready_intents: [first.id, second.id].toSorted(),
    });
    const { body: graph } = await oi.call("GET", `intents/${parent.id}/graph`);
    expect(graph.aggregate_status).toEqual({
      total: 7,
      by_status: { ...counts, active: 3 },
      completion_percentage: 42,
    });
    expect(graph.edges.filter(({ type }: Wire) => type === "parent")).toHaveLength(6);
  });

  it("OI-142 parents, children, dependencies and dependents have a list each", async () => {
    await using oi = await openIntentServer();
    const root = await oi.create({ title: "root" });
    const later = () => oi.test.clock.advance(1);
    const child = await oi.create({ parent_intent_id: root.id });
    await later();
    const leaf = await oi.create({ parent_intent_id: child.id });
    await later();
    const other = await oi.create({ depends_on: [leaf.id], parent_intent_id: root.id });
    const list = async (id: string, name: string, query = "") =>
      ids((await oi.call("GET", `intents/${id}/${name}${query}`)).body[name]);
    expect(await list(root.id, "children")).toEqual([child.id, other.id]);
    expect(await list(root.id, "children", "?limit=1&offset=1")).toEqual([other.id]);
    expect(await list(root.id, "descendants")).toEqual([child.id, leaf.id, other.id]);
    expect(await list(child.id, "descendants")).toEqual([leaf.id]);
    expect(await list(leaf.id, "ancestors")).toEqual([child.id, root.id]);
    expect(await list(other.id, "dependencies")).toEqual([leaf.id]);
    expect(await list(leaf.id, "dependents")).toEqual([other.id]);
    const { body: graph } = await oi.call("GET", `intents/${root.id}/graph`);
    expect(graph.root_id).toBe(root.id);
    expect(graph.nodes[0]).toEqual({
      id: root.id,
      title: "root",
      status: "active",
      parent_id: null,
      depends_on: [],
    });
    expect(graph.edges).toContainEqual({ from: leaf.id, to: other.id, type: "dependency" });
    expect((await oi.call("GET", "intents/nobody/graph")).status).toBe(404);
  });

  it("OI-142 hundreds of dependents are all blocked, and one whose dependency was removed is not", async () => {
    await using oi = await openIntentServer();
    const a = await oi.create();
    const many: Wire[] = [];
    for (let n = 0; n < 300; n += 1) many.push(await oi.create({ depends_on: [a.id] }));
    const gone = many[10];
    await oi.call("DELETE", `intents/${gone.id}/dependencies/${a.id}`, { ifMatch: gone.version });
    await oi.suspend(a.id, REC);
    const { body } = await oi.call("GET", `intents/${a.id}/dependents?limit=1000`);
    expect(body.dependents).toHaveLength(299);
    expect(new Set(body.dependents.map(({ status }: Wire) => status))).toEqual(new Set(["blocked"]));
    expect((await oi.get(gone.id)).status).toBe("active");
  });
});
