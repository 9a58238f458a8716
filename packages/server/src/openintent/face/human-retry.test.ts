import { describe, expect, it } from "vitest";
import type { Channel, Notice } from "../../channels/channel.ts";
import { NO_PLATFORM } from "../../kernel/platform.ts";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

const SUSPENDED = "suspended_awaiting_input";
const AGAIN = "intent.suspension_renotified";
const UP = "intent.suspension_escalated";
const OVER = "intent.suspension_expired";
const START = Date.UTC(2026, 0, 1);
const time = (seconds: number) => new Date(START + seconds * 1000).toISOString().replace("Z", "+00:00");

/** Everything a channel was given, and whether it took it. */
function recorded(): { readonly notices: Notice[]; readonly channel: Channel } {
  const notices: Notice[] = [];
  const channel: Channel = {
    kind: "fake",
    deliver: async (notice) => {
      notices.push(notice);
      return { kind: "sent" };
    },
  };
  return { notices, channel };
}

async function asked(oi: OpenIntentServer, record: object): Promise<string> {
  const { id } = await oi.create();
  const reply = await oi.call("POST", `intents/${id}/suspend`, { body: { ...REC, ...record } });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return id;
}

async function types(oi: OpenIntentServer, id: string): Promise<readonly string[]> {
  return (await oi.events(id)).map(({ event_type }) => event_type);
}

const THREE = { max_attempts: 3, interval_seconds: 10 };

describe("attempts to reach a person", () => {
  it.each([
    [{ max_attempts: 0 }],
    [{ max_attempts: "2" }],
    [{ interval_seconds: -1 }],
    [{ strategy: "wild" }],
    [{ escalation_ladder: "email" }],
    [{ escalation_ladder: [{ channel_hint: "email" }] }],
    [{ final_fallback_policy: "shrug" }],
    ["often"],
  ])("OI-160 the retry policy %j is refused in the suspend call and in the state", async (retry_policy) => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const record = { ...REC, retry_policy };
    expect((await oi.call("POST", `intents/${id}/suspend`, { body: record })).status).toBe(422);
    const written = await oi.patch(id, [{ op: "set", path: "/_suspension", value: record }]);
    expect(written.status).toBe(422);
    expect(await oi.get(id)).toMatchObject({ status: "active", state: {} });
  });

  it("OI-160 people are notified once by default, and at fixed intervals with any strategy", async () => {
    await using oi = await openIntentServer();
    const once = await asked(oi, { retry_policy: {}, timeout_seconds: 5 });
    const odd = await asked(oi, { retry_policy: { ...THREE, strategy: "exponential" } });
    await oi.test.clock.advance(60_000);
    expect(await oi.events(once, AGAIN)).toEqual([]);
    expect((await oi.events(odd, AGAIN)).map(({ created_at }) => created_at)).toEqual([time(10), time(20)]);
  });

  it("OI-161 the rungs of an escalation ladder are accepted under both names and shown under one", async () => {
    await using oi = await openIntentServer();
    const escalation_ladder = [
      { after_attempt: 2, channel: "email", notify: "lead" },
      { attempt: 3, channel_hint: "pager", notify_to: null },
    ];
    const id = await asked(oi, { retry_policy: { ...THREE, escalation_ladder } });
    expect((await oi.get(id)).state._suspension.retry_policy.escalation_ladder).toEqual([
      { attempt: 2, channel_hint: "email", notify_to: "lead" },
      { attempt: 3, channel_hint: "pager", notify_to: null },
    ]);
    await oi.test.clock.advance(20_000);
    const ups = await oi.events(id, UP);
    expect(ups.map(({ payload }) => [payload.attempt, payload.channel_hint, payload.escalated_to])).toEqual([
      [2, "email", "lead"],
      [3, "pager", null],
    ]);
  });

  it("OI-162 the first attempt is sent with the question and is not logged as a re-notification", async () => {
    const { notices, channel } = recorded();
    await using oi = await openIntentServer({ channels: { slack: channel } });
    const id = await asked(oi, { channel_hint: "slack", retry_policy: THREE });
    await oi.test.server.sender.idle();
    expect(notices).toMatchObject([{ attempt: 1, prompt: "Q", askedBy: "refunder", recipient: null }]);
    expect(await oi.events(id, AGAIN)).toEqual([]);
  });

  it("OI-163 OI-164 one re-notification is logged per interval, with channel, recipient and the time of the next", async () => {
    const { notices, channel } = recorded();
    await using oi = await openIntentServer({ channels: { slack: channel } });
    const id = await asked(oi, { channel_hint: "slack", retry_policy: THREE });
    await oi.test.clock.advance(9_999);
    expect(await oi.events(id, AGAIN)).toHaveLength(0);
    await oi.test.clock.advance(1);
    expect(await oi.events(id, AGAIN)).toHaveLength(1);
    await oi.test.clock.advance(60_000);
    const again = await oi.events(id, AGAIN);
    expect(again.map(({ payload }) => payload)).toEqual([
      {
        suspension_id: "s1",
        attempt: 2,
        max_attempts: 3,
        channel_hint: "slack",
        notify_to: null,
        next_attempt_at: time(20),
      },
      {
        suspension_id: "s1",
        attempt: 3,
        max_attempts: 3,
        channel_hint: "slack",
        notify_to: null,
        next_attempt_at: null,
      },
    ]);
    expect(again.map(({ created_at, actor }) => [created_at, actor])).toEqual([
      [time(10), "system"],
      [time(20), "system"],
    ]);
    expect(notices.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it("OI-165 a rung changes channel and recipient for its own attempt only", async () => {
    const slack = recorded();
    const email = recorded();
    await using oi = await openIntentServer({
      channels: { slack: slack.channel, email: email.channel },
      platform: {
        ...NO_PLATFORM,
        notify: { allow: ["lead@example.com"], channels: { slack: [], email: [] } },
      },
    });
    const escalation_ladder = [{ attempt: 2, channel_hint: "email", notify_to: "lead@example.com" }];
    await asked(oi, { channel_hint: "slack", retry_policy: { ...THREE, escalation_ladder } });
    await oi.test.clock.advance(25_000);
    expect(slack.notices.map(({ attempt, recipient }) => [attempt, recipient])).toEqual([
      [1, null],
      [3, null],
    ]);
    expect(email.notices.map(({ attempt, recipient }) => [attempt, recipient])).toEqual([
      [2, "lead@example.com"],
    ]);
  });

  it("OI-166 an escalation is logged once per rung, after the attempt", async () => {
    await using oi = await openIntentServer();
    const escalation_ladder = [
      { attempt: 1, channel_hint: "pager" },
      { attempt: 2, channel_hint: "email" },
      { attempt: 2, notify_to: "boss" },
      { attempt: 9, channel_hint: "moon" },
    ];
    const id = await asked(oi, { retry_policy: { ...THREE, escalation_ladder } });
    await oi.test.clock.advance(25_000);
    const told = (await types(oi, id)).filter((type) => type.startsWith("intent."));
    expect(told).toEqual(["intent.suspended", UP, AGAIN, UP, UP, AGAIN]);
    const [first, second] = await oi.events(id, UP);
    expect(first.payload).toEqual({
      suspension_id: "s1",
      attempt: 1,
      escalated_to: null,
      channel_hint: "pager",
    });
    expect(second.payload).toEqual({
      suspension_id: "s1",
      attempt: 2,
      escalated_to: null,
      channel_hint: "email",
    });
  });

  it("OI-167 the suspension ends one interval after the last attempt, and then the final policy applies", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi, { retry_policy: THREE });
    await oi.test.clock.advance(29_999);
    expect((await oi.get(id)).status).toBe(SUSPENDED);
    await oi.test.clock.advance(1);
    expect((await types(oi, id)).slice(-4)).toEqual([AGAIN, AGAIN, OVER, "status_changed"]);
    expect(await oi.get(id)).toMatchObject({ status: "abandoned" });
    expect((await oi.events(id, OVER))[0].payload).toMatchObject({ attempts: 3, reason: "timeout" });
  });

  it("OI-168 OI-169 OI-170 only the attempt count changes between attempts", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const lease = (
      await oi.call("POST", `intents/${id}/leases`, { body: { scope: "s", duration_seconds: 5 } })
    ).body;
    await oi.call("POST", `intents/${id}/suspend`, { body: { ...REC, retry_policy: THREE } });
    const before = await oi.get(id);
    expect(before.state._suspension).toMatchObject({ expires_at: time(30), suspended_at: time(0) });
    for (const seconds of [10, 20]) {
      await oi.test.clock.advance(10_000);
      expect(await oi.get(id), `after ${seconds} s`).toEqual(before);
      const { leases } = (await oi.call("GET", `intents/${id}/leases`)).body;
      expect(leases).toEqual([lease]);
    }
    const ids = (await oi.events(id))
      .filter(({ event_type }) => event_type.startsWith("intent.susp"))
      .map(({ payload }) => payload.suspension_id);
    expect(ids).toEqual(["s1", "s1", "s1"]);
  });

  it("OI-171 OI-169 an answer with the first suspension id stops further attempts at once", async () => {
    const { notices, channel } = recorded();
    await using oi = await openIntentServer({ channels: { slack: channel } });
    const id = await asked(oi, { channel_hint: "slack", retry_policy: THREE });
    await oi.test.clock.advance(15_000);
    expect((await oi.respond(id, "s1", "approve")).status).toBe(200);
    const before = await oi.events(id);
    await oi.test.clock.advance(60_000);
    expect(await oi.events(id)).toEqual(before);
    expect(notices.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it.each([
    ["fail", "complete_with_fallback", "active"],
    ["complete_with_fallback", "fail", "abandoned"],
    ["use_default_and_continue", undefined, "active"],
  ])(
    "OI-172 the fallback policy %s is replaced by the final policy %s",
    async (fallback_policy, final, status) => {
      await using oi = await openIntentServer();
      const policy = { ...THREE, ...(final === undefined ? {} : { final_fallback_policy: final }) };
      const id = await asked(oi, { fallback_policy, fallback_value: "deny", retry_policy: policy });
      expect((await oi.get(id)).state._suspension.fallback_policy).toBe(final ?? fallback_policy);
      await oi.test.clock.advance(30_000);
      expect((await oi.get(id)).status).toBe(status);
    },
  );

  it("OI-173 without a retry policy there is one attempt", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi, { timeout_seconds: 60 });
    await oi.test.clock.advance(59_999);
    expect((await oi.get(id)).status).toBe(SUSPENDED);
    await oi.test.clock.advance(1);
    expect((await types(oi, id)).slice(-2)).toEqual([OVER, "status_changed"]);
    expect(await oi.events(id, AGAIN)).toEqual([]);
  });

  it("OI-174 an interval longer than the timeout is refused in the suspend call, and shortened in a record written to the state", async () => {
    await using oi = await openIntentServer();
    const record = { ...REC, timeout_seconds: 5, retry_policy: { max_attempts: 2, interval_seconds: 10 } };
    const { id } = await oi.create();
    expect((await oi.call("POST", `intents/${id}/suspend`, { body: record })).status).toBe(422);
    const { state } = await oi.suspend(id, record);
    expect(state._suspension).toMatchObject({
      expires_at: time(10),
      retry_policy: { max_attempts: 2, interval_seconds: 5 },
    });
  });

  it("OI-176 a recipient outside the allow-list is not notified, and the suspension shows why", async () => {
    const { notices, channel } = recorded();
    await using oi = await openIntentServer({
      channels: { email: channel },
      platform: { ...NO_PLATFORM, notify: { allow: ["*@example.com"], channels: { email: [] } } },
    });
    const escalation_ladder = [
      { attempt: 1, channel_hint: "email", notify_to: "lead@example.com" },
      { attempt: 2, channel_hint: "email", notify_to: "stranger@example.org" },
    ];
    const id = await asked(oi, { retry_policy: { ...THREE, escalation_ladder } });
    await oi.test.clock.advance(10_000);
    expect(notices.map(({ recipient }) => recipient)).toEqual(["lead@example.com"]);
    expect((await oi.events(id, UP)).map(({ payload }) => payload.delivery)).toEqual([undefined, "blocked"]);
    const { deliveries } = (await oi.call("GET", "/v1/deliveries", { as: "operator" })).body;
    expect(deliveries.map((each: Wire) => [each.attempt, each.to, each.state, each.reason])).toEqual([
      [2, "stranger@example.org", "failed", "recipient_not_allowed"],
      [1, "lead@example.com", "sent", undefined],
    ]);
  });

  it("OI-176 an attempt over an unknown channel has its own state", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi, { channel_hint: "carrier-pigeon" });
    await oi.test.server.sender.idle();
    const [hold] = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "operator" })).body.holds;
    expect(hold.ladder).toMatchObject([{ n: 1, channel: "carrier-pigeon", state: "fired" }]);
    const { deliveries } = (await oi.call("GET", `/v1/deliveries?hold_id=${hold.id}`, { as: "operator" }))
      .body;
    expect(deliveries).toMatchObject([{ endpoint: "carrier-pigeon", state: "no_channel", attempt: 1 }]);
  });

  it("OI-178 retries of a failing agent and attempts to reach a person are counted separately", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi, { retry_policy: THREE });
    await oi.call("PUT", `intents/${id}/retry-policy`, {
      body: { strategy: "fixed", base_delay_ms: 5_000, fallback_agent_id: "backup" },
    });
    await oi.call("POST", `intents/${id}/failures`, { body: {} });
    await oi.test.clock.advance(20_000);
    const told = (await types(oi, id)).slice(-3);
    expect(told, "while a person is waited for, no retry falls due").toEqual([
      "failure_recorded",
      AGAIN,
      AGAIN,
    ]);
    await oi.respond(id, "s1", "approve");
    await oi.test.clock.advance(5_000);
    expect((await oi.events(id, "failure_recorded")).at(-1).payload).toMatchObject({ retry_due: true });
    expect((await oi.get(id)).agents).toEqual([]);
  });
});
