import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";
import { Receiver } from "../../testing/receiver.ts";

const SUSPENDED = "suspended_awaiting_input";

async function portfolio(oi: OpenIntentServer, body: object = {}): Promise<Wire> {
  const made = await oi.call("POST", "portfolios", { body: { name: "Launch", ...body } });
  expect(made.status).toBe(200);
  return made.body;
}

async function join(oi: OpenIntentServer, portfolioId: string, intentId: string) {
  const reply = await oi.call("POST", `portfolios/${portfolioId}/intents`, { body: { intent_id: intentId } });
  expect(reply.status).toBe(200);
  return reply.body;
}

async function seen(oi: OpenIntentServer, id: string): Promise<Wire> {
  return (await oi.call("GET", `portfolios/${id}`)).body;
}

/** A moment so many seconds from now. */
function inSeconds(oi: OpenIntentServer, seconds: number): string {
  return new Date(oi.test.clock.now() + seconds * 1000).toISOString();
}

describe("portfolios", () => {
  it("OI-028 portfolios can be created, read, listed and changed", async () => {
    await using oi = await openIntentServer();
    const made = await portfolio(oi, {
      description: null,
      created_by: "someone",
      governance_policy: { budget: 5 },
      metadata: { a: 1 },
      namespace: "q1",
    });
    expect(made).toMatchObject({
      name: "Launch",
      description: null,
      created_by: "refunder",
      status: "active",
      metadata: { a: 1 },
      namespace: "q1",
      governance: { budget: 5 },
      governance_policy: { budget: 5 },
      has_suspended_members: false,
      suspended_member_count: 0,
    });
    expect(made.createdAt).toBe(made.created_at);
    const { progress, ...same } = await seen(oi, made.id);
    expect(same).toEqual(made);
    expect(progress).toMatchObject({ total: 0, suspended_phases: [] });
    const list = async (query = "") => (await oi.call("GET", `portfolios${query}`)).body.portfolios;
    expect((await list()).map(({ id }: Wire) => id)).toEqual([made.id]);
    expect(await list("?created_by=nobody")).toEqual([]);
    const patched = await oi.call("PATCH", `portfolios/${made.id}`, {
      body: { name: "Later", description: "d" },
    });
    expect(patched.body).toMatchObject({ name: "Later", description: "d", metadata: { a: 1 } });
    const moved = await oi.call("PATCH", `portfolios/${made.id}/status`, { body: { status: "completed" } });
    expect(moved.body.status).toBe("completed");
    const wrong = await oi.call("PATCH", `portfolios/${made.id}/status`, { body: { status: "suspended" } });
    expect(wrong.status).toBe(422);
    expect((await oi.call("GET", "portfolios/nobody")).status).toBe(404);
    expect((await oi.call("PATCH", "portfolios/nobody", { body: {} })).status).toBe(404);
  });

  it("OI-028 a portfolio is changed by its creator or a person, and not by an auditor", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi);
    const patch = (as: "otherAgent" | "operator" | "auditor") =>
      oi.call("PATCH", `portfolios/${id}`, { as, body: { name: "x" } });
    expect((await patch("otherAgent")).status).toBe(403);
    expect((await patch("auditor")).status).toBe(403);
    expect((await patch("operator")).status).toBe(200);
  });

  it("OI-028 only its creator and people add intents to a portfolio, and its creator also removes those of others", async () => {
    await using oi = await openIntentServer();
    const { id, shared } = await portfolio(oi);
    expect(shared).toBeUndefined();
    const theirs = await oi.create({ status: "draft" }, { as: "otherAgent" });
    const add = (as: "agent" | "otherAgent" | "operator") =>
      oi.call("POST", `portfolios/${id}/intents`, { as, body: { intent_id: theirs.id } });
    expect((await add("otherAgent")).status).toBe(403);
    expect((await add("agent")).status).toBe(403);
    expect((await add("operator")).status).toBe(200);
    const remove = (as: "agent" | "app") =>
      oi.call("DELETE", `portfolios/${id}/intents/${theirs.id}`, { as });
    expect((await remove("app")).status).toBe(403);
    expect((await remove("agent")).status).toBe(204);
    expect((await seen(oi, id)).aggregate_status.total).toBe(0);
  });

  it("OI-028 every agent may add its intents to a portfolio if the operator keeps new ones open, and the portfolio says so", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id, shared } = await portfolio(oi);
    expect(shared).toBe("open");
    const theirs = await oi.create({}, { as: "otherAgent" });
    const add = { as: "otherAgent", body: { intent_id: theirs.id } } as const;
    expect((await oi.call("POST", `portfolios/${id}/intents`, add)).status).toBe(200);
  });

  it("OI-028 a portfolio has each intent at most once", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi);
    const intent = await oi.create();
    const member = await oi.call("POST", `portfolios/${id}/intents`, {
      body: { intent_id: intent.id, role: "primary", priority: 3 },
    });
    expect(member.body).toMatchObject({
      portfolio_id: id,
      intent_id: intent.id,
      role: "primary",
      priority: 3,
      membership_id: member.body.id,
    });
    const again = await oi.call("POST", `portfolios/${id}/intents`, { body: { intent_id: intent.id } });
    expect(again).toMatchObject({ status: 409, body: { error: "already_exists" } });
    expect(JSON.stringify(again.body)).not.toContain("lease");
    const { body: members } = await oi.call("GET", `portfolios/${id}/intents`);
    expect(members.intents.map((each: Wire) => each.id)).toEqual([intent.id]);
    expect(members.aggregate_status).toMatchObject({ total: 1, status: "in_progress" });
    const { body: mine } = await oi.call("GET", `intents/${intent.id}/portfolios`);
    expect(mine.portfolios.map((each: Wire) => each.id)).toEqual([id]);
    expect((await oi.events(intent.id)).at(-1)).toMatchObject({
      event_type: "added_to_portfolio",
      payload: { portfolio_id: id, role: "primary" },
    });
    const path = `portfolios/${id}/intents/${intent.id}`;
    expect((await oi.call("DELETE", path)).status).toBe(204);
    expect((await oi.call("DELETE", path)).status).toBe(404);
    expect((await seen(oi, id)).aggregate_status.total).toBe(0);
    expect((await oi.call("GET", `intents/${intent.id}/portfolios`)).body.portfolios).toEqual([]);
    for (const [where, what] of [
      [id, "nobody"],
      ["nobody", intent.id],
    ]) {
      const unknown = await oi.call("POST", `portfolios/${where}/intents`, { body: { intent_id: what } });
      expect(unknown.status).toBe(404);
    }
  });

  it("OI-130 OI-143 a portfolio lists its suspended members and keeps its status", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi);
    const [one, two] = [await oi.create(), await oi.create()];
    await join(oi, id, one.id);
    await join(oi, id, two.id);
    expect(await seen(oi, id)).toMatchObject({ has_suspended_members: false, suspended_member_count: 0 });
    await oi.suspend(one.id, REC);
    expect(await seen(oi, id)).toMatchObject({
      status: "active",
      has_suspended_members: true,
      suspended_member_count: 1,
    });
    expect((await oi.get(two.id)).version).toBe(two.version);
    await oi.respond(one.id, "s1", "approve");
    expect(await seen(oi, id)).toMatchObject({ has_suspended_members: false, suspended_member_count: 0 });
  });

  it.each([
    [["completed", "completed"], "completed"],
    [["completed", "active"], "in_progress"],
    [["completed", SUSPENDED], "in_progress"],
    [[SUSPENDED, "abandoned"], "failed"],
    [["completed", "abandoned"], "failed"],
    [["draft", "blocked"], "in_progress"],
    [[], "in_progress"],
  ] as const)(
    "OI-144 a portfolio whose members are %j has the aggregate status %s",
    async (statuses, word) => {
      await using oi = await openIntentServer();
      const { id } = await portfolio(oi);
      for (const status of statuses) {
        const intent = await oi.create({ status: "draft" });
        await join(oi, id, intent.id);
        if (status === SUSPENDED) await oi.suspend(intent.id, REC);
        else if (status !== "draft") expect((await oi.status(intent.id, status)).status).toBe(200);
      }
      const { aggregate_status: aggregate, status } = await seen(oi, id);
      expect(aggregate).toMatchObject({ total: statuses.length, status: word });
      expect(status).toBe("active");
    },
  );

  it("OI-145 each portfolio of an intent gets one event when the intent suspends and one when it resumes", async () => {
    await using oi = await openIntentServer();
    await using receiver = await Receiver.start();
    const [one, two] = [await portfolio(oi), await portfolio(oi)];
    const { id } = await oi.create();
    for (const { id: portfolioId } of [one, two]) await join(oi, portfolioId, id);
    const subscribed = await oi.call("POST", "subscriptions", {
      body: {
        portfolio_id: two.id,
        event_types: ["portfolio_member_suspended", "portfolio.member_resumed"],
        webhook_url: receiver.url("/hook"),
      },
    });
    expect(subscribed.body).toMatchObject({ portfolio_id: two.id, intent_id: null });
    const suspended = await oi.suspend(id, { ...REC, timeout_seconds: 60 });
    const { suspended_at, expires_at } = suspended.state._suspension;
    expect((await oi.events(id, "portfolio.member_suspended")).map(({ payload }) => payload)).toEqual(
      [one.id, two.id].map((portfolio_id) => ({
        portfolio_id,
        intent_id: id,
        suspension_id: "s1",
        suspended_at,
        expires_at,
      })),
    );
    await oi.respond(id, "s1", "approve");
    expect((await oi.events(id, "portfolio.member_resumed")).map(({ payload }) => payload)).toEqual(
      [one.id, two.id].map((portfolio_id) => ({
        portfolio_id,
        intent_id: id,
        suspension_id: "s1",
        resolution: "responded",
        resumed_at: suspended_at,
      })),
    );
    await oi.test.clock.advance(1000);
    const heard = receiver.requests.map(({ body }) => JSON.parse(body).event);
    expect(heard.map(({ event_type }) => event_type)).toContain("portfolio.member_resumed");
    expect(new Set(heard.map(({ intent_id }) => intent_id))).toEqual(new Set([id]));
    const own = async (query: string) => (await oi.call("GET", `subscriptions?${query}`)).body.subscriptions;
    expect(await own(`portfolio_id=${two.id}`)).toHaveLength(1);
    expect(await own(`portfolio_id=${one.id}`)).toHaveLength(0);
    const path = `subscriptions/${subscribed.body.id}`;
    expect((await oi.call("DELETE", path)).status).toBe(204);
    const before = receiver.requests.length;
    await oi.suspend(id, { ...REC, id: "s2" });
    await oi.test.clock.advance(1000);
    expect(receiver.requests).toHaveLength(before);
  });

  it("OI-145 a portfolio gets an event when a cancellation or a fallback resumes a member, and none when the member is abandoned", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi);
    const ends = async (record: object, end: (intentId: string) => Promise<unknown>) => {
      const intent = await oi.create();
      await join(oi, id, intent.id);
      await oi.suspend(intent.id, { ...REC, ...record });
      await end(intent.id);
      await oi.get(intent.id);
      return (await oi.events(intent.id, "portfolio.member_resumed")).map(
        ({ payload }) => payload.resolution,
      );
    };
    const cancel = (intentId: string) =>
      oi.call("POST", `intents/${intentId}/suspend/cancel`, { body: { suspension_id: "s1" } });
    const wait = () => oi.test.clock.advance(2000);
    expect(await ends({}, cancel)).toEqual(["cancelled"]);
    const fallback = { timeout_seconds: 1, fallback_policy: "use_default_and_continue" };
    expect(await ends(fallback, wait)).toEqual(["expired"]);
    expect(await ends({ timeout_seconds: 1 }, wait)).toEqual([]);
    expect(await ends({}, (intentId) => oi.status(intentId, "abandoned"))).toEqual([]);
    expect((await seen(oi, id)).suspended_member_count).toBe(0);
  });

  it("OI-147 the progress of a portfolio lists the phases that wait for a person", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi);
    const phase = await oi.create({ state: { _phase_name: "compliance_review" } });
    const titled = await oi.create({ title: "Second look" });
    for (const each of [phase, titled]) await join(oi, id, each.id);
    await oi.suspend(phase.id, { ...REC, timeout_seconds: 60 });
    await oi.suspend(titled.id, REC);
    const { body: progress } = await oi.call("GET", `portfolios/${id}/progress`);
    const { suspended_at, expires_at } = (await oi.get(phase.id)).state._suspension;
    expect(progress).toMatchObject({ portfolio_id: id, total: 2, completed: 0 });
    const since = { suspended_since: suspended_at };
    expect(progress.suspended_phases).toHaveLength(2);
    expect(progress.suspended_phases).toEqual(
      expect.arrayContaining([
        { phase_name: "compliance_review", intent_id: phase.id, ...since, expires_at },
        { phase_name: "Second look", intent_id: titled.id, ...since, expires_at: null },
      ]),
    );
    expect((await seen(oi, id)).progress).toEqual(progress);
    await oi.respond(titled.id, "s1", "approve");
    await oi.respond(phase.id, "s1", "approve");
    expect((await seen(oi, id)).progress.suspended_phases).toEqual([]);
  });
});

describe("a portfolio's deadline", () => {
  const CONTINUE = {
    ...REC,
    fallback_policy: "complete_with_fallback",
    fallback_value: "deny",
    timeout_seconds: 60,
  };

  it("OI-148 OI-149 the deadline of a portfolio abandons a suspended member, whatever its fallback", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi, { governance: { deadline: inSeconds(oi, 2) } });
    const [asks, works] = [await oi.create(), await oi.create()];
    for (const each of [asks, works]) await join(oi, id, each.id);
    const { state } = await oi.suspend(asks.id, CONTINUE);
    await oi.test.clock.advance(2000);
    const after = await oi.get(asks.id);
    expect(after).toMatchObject({
      status: "abandoned",
      abandonment_reason: "portfolio_deadline_exceeded",
      state: {
        _suspension: {
          resolution: "expired",
          expiry_reason: "portfolio_deadline",
          abandonment_reason: "portfolio_deadline_exceeded",
        },
      },
    });
    expect(after.state._suspension).not.toHaveProperty("fallback_applied");
    const expired = await oi.events(asks.id, "intent.suspension_expired");
    expect(expired.map(({ payload }) => payload)).toEqual([
      {
        intent_id: asks.id,
        suspension_id: "s1",
        reason: "portfolio_deadline",
        fallback_policy: "complete_with_fallback",
        attempts: 1,
        expires_at: state._suspension.expires_at,
        expired_at: "2026-01-01T00:00:02.000+00:00",
      },
    ]);
    expect((await oi.events(asks.id, "portfolio.member_resumed")).length).toBe(0);
    expect((await oi.get(works.id)).status).toBe("active");
    expect(await seen(oi, id)).toMatchObject({ status: "active", aggregate_status: { status: "failed" } });
  });

  it("OI-148 an answer after the deadline of the portfolio is refused, even before the timer has fired", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi, { governance_policy: { deadline: inSeconds(oi, 2) } });
    const intent = await oi.create();
    await join(oi, id, intent.id);
    await oi.suspend(intent.id, REC);
    await oi.test.server.timers.stop();
    await oi.test.clock.advance(2000);
    expect(await oi.respond(intent.id, "s1", "approve")).toMatchObject({
      status: 409,
      body: { error: "suspension_expired" },
    });
    const late = await oi.create();
    await join(oi, id, late.id);
    const asked = await oi.call("POST", `intents/${late.id}/suspend`, { body: REC });
    expect(asked.body.status).toBe("abandoned");
  });

  it("OI-148 the deadline of a portfolio also ends suspensions that have not asked yet", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi, { governance: { deadline: inSeconds(oi, 2) } });
    const intent = await oi.create();
    await join(oi, id, intent.id);
    await oi.status(intent.id, SUSPENDED);
    await oi.test.clock.advance(2000);
    expect(await oi.get(intent.id)).toMatchObject({
      status: "abandoned",
      abandonment_reason: "portfolio_deadline_exceeded",
    });
    expect((await seen(oi, id)).suspended_member_count).toBe(0);
  });

  it("OI-150 a future deadline changes nothing, and a suspension that expired before it keeps its fallback", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi, { governance: { deadline: inSeconds(oi, 10) } });
    const intent = await oi.create();
    await join(oi, id, intent.id);
    await oi.suspend(intent.id, { ...CONTINUE, timeout_seconds: 9 });
    await oi.test.server.timers.stop();
    await oi.test.clock.advance(20_000);
    expect(await oi.get(intent.id)).toMatchObject({
      status: "active",
      state: { _suspension: { resolution: "expired", fallback_applied: true } },
    });
    const tie = await oi.create();
    const { id: same } = await portfolio(oi, { governance: { deadline: inSeconds(oi, 5) } });
    await join(oi, same, tie.id);
    await oi.suspend(tie.id, { ...CONTINUE, timeout_seconds: 5 });
    await oi.test.clock.advance(5000);
    expect((await oi.get(tie.id)).status).toBe("abandoned");
  });

  it("a changed deadline has reached every member when the change is acknowledged, and ends those that are suspended", async () => {
    await using oi = await openIntentServer();
    const { id } = await portfolio(oi, {});
    const members: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const intent = await oi.create();
      await join(oi, id, intent.id);
      members.push(intent.id);
    }
    const last = members.at(-1) ?? "";
    await oi.suspend(last, REC);
    const deadline = { governance: { deadline: inSeconds(oi, 2) } };
    expect((await oi.call("PATCH", `portfolios/${id}`, { body: deadline })).status).toBe(200);
    const [row] = await oi.test.store.load([{ workspace: "default", kind: "intent", id: last, read: true }]);
    expect(row?.body).toHaveProperty("deadlineAt");
    await oi.test.clock.advance(3_000);
    expect(await oi.get(last)).toMatchObject({ status: "abandoned" });
    expect(await oi.get(members[0] ?? "")).toMatchObject({ status: "active" });
  });

  it("OI-150 with several portfolios the earliest deadline counts, and it moves when they change", async () => {
    await using oi = await openIntentServer();
    const early = await portfolio(oi, { governance: { deadline: inSeconds(oi, 5) } });
    const late = await portfolio(oi, { governance: { deadline: inSeconds(oi, 60) } });
    const intent = await oi.create();
    for (const each of [late, early]) await join(oi, each.id, intent.id);
    await oi.suspend(intent.id, REC);
    const to = (id: string, deadline: string | null) =>
      oi.call("PATCH", `portfolios/${id}`, { body: { governance: { deadline } } });
    expect((await to(early.id, inSeconds(oi, 20))).status).toBe(200);
    await oi.test.clock.advance(10_000);
    expect((await oi.get(intent.id)).status).toBe(SUSPENDED);
    await oi.call("DELETE", `portfolios/${early.id}/intents/${intent.id}`);
    await oi.test.clock.advance(20_000);
    expect((await oi.get(intent.id)).status).toBe(SUSPENDED);
    await to(late.id, null);
    await oi.test.clock.advance(100_000);
    expect((await oi.get(intent.id)).status).toBe(SUSPENDED);
    await to(late.id, inSeconds(oi, 1));
    await oi.test.clock.advance(1000);
    expect((await oi.get(intent.id)).status).toBe("abandoned");
  });
});
