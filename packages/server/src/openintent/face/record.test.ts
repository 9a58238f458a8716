import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

const SUSPENDED = "suspended_awaiting_input";

async function natively(oi: OpenIntentServer, record: object): Promise<Wire> {
  const { id } = await oi.create();
  return oi.call("POST", `intents/${id}/suspend`, { body: { ...REC, ...record } });
}

async function written(oi: OpenIntentServer, record: object): Promise<Wire> {
  const { id } = await oi.create();
  return oi.patch(id, [{ op: "set", path: "/_suspension", value: { ...REC, ...record } }]);
}

describe("the suspension record", () => {
  it("OI-050 a suspension has one of four response types", async () => {
    await using oi = await openIntentServer();
    for (const response_type of ["choice", "confirm", "text", "form"]) {
      const choices = response_type === "choice" ? REC["choices"] : [];
      expect((await natively(oi, { response_type, choices })).status).toBe(200);
    }
    for (const response_type of ["poll", "", 7]) {
      expect((await natively(oi, { response_type })).status).toBe(422);
      expect(await written(oi, { response_type })).toMatchObject({
        status: 422,
        body: { error: "invalid_record" },
      });
    }
  });

  it("OI-051 the suspend call requires choices with value and label", async () => {
    await using oi = await openIntentServer();
    for (const choices of [[], [{ value: "", label: "A" }], [{ value: "a" }], [{ label: "A" }], null]) {
      expect((await natively(oi, { choices })).status).toBe(422);
    }
    expect(
      (
        await natively(oi, {
          choices: [
            { value: "a", label: "A" },
            { value: "a", label: "B" },
          ],
        })
      ).status,
    ).toBe(422);
  });

  it("OI-051 a choice without choices that was written to the state is kept and accepts any answer (D-11)", async () => {
    await using oi = await openIntentServer();
    for (const [n, choices] of [undefined, [], [{ label: "no value" }]].entries()) {
      const { id } = await oi.create();
      await oi.suspend(id, {
        id: "s1",
        question: "Anything?",
        ...(choices === undefined ? {} : { choices }),
      });
      expect((await oi.respond(id, "s1")).status).toBe(422);
      const { id: second } = await oi.create();
      await oi.suspend(second, {
        id: "s1",
        question: "Anything?",
        ...(choices === undefined ? {} : { choices }),
      });
      const value = [{ any: ["thing"] }, "text", 7][n];
      expect((await oi.respond(second, "s1", value)).body.value).toEqual(value);
    }
  });

  it("OI-052 choices are returned unchanged with all their members", async () => {
    await using oi = await openIntentServer();
    const choices = [
      { value: "a", label: "A", description: "d", style: "danger", metadata: { reason_required: true } },
      { value: "b", label: "B", style: "primary" },
      { value: "c", label: "C", custom: 1 },
    ];
    const { id } = await oi.create();
    expect((await oi.suspend(id, { ...REC, choices })).state._suspension.choices).toEqual(choices);
    const [hold] = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "operator" })).body.holds;
    expect(hold.options).toEqual([
      { id: "a", label: "A", description: "d", style: "danger" },
      { id: "b", label: "B", style: "primary" },
      { id: "c", label: "C" },
    ]);
  });

  it("OI-053 a confirmation without choices asks yes or no", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, { id: "s1", question: "Sure?", response_type: "confirm" });
    expect(await oi.respond(id, "s1", "maybe")).toMatchObject({
      status: 422,
      body: { valid_choices: ["yes", "no"] },
    });
    expect((await oi.respond(id, "s1", "yes")).body).toMatchObject({
      choice_label: "Yes",
      choice_description: "",
    });
  });

  it("OI-054 the suspension record is in the state with every member that was sent", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ state: { other: 1 } });
    const record = {
      id: "s1",
      question: "Q",
      response_type: "confirm",
      choices: [
        { value: "yes", label: "Do it" },
        { value: "no", label: "Do not" },
      ],
      context: { amount: 40 },
      channel_hint: "slack",
      timeout_seconds: 60,
      fallback_value: "no",
      fallback_policy: "complete_with_fallback",
      retry_policy: {
        max_attempts: 2,
        interval_seconds: 30,
        strategy: "fixed",
        final_fallback_policy: "fail",
      },
      confidence_at_suspension: 0.5,
      decision_record: { mode: "request_input" },
      note: "mine",
    };
    const { state } = await oi.suspend(id, { ...record, response: null, resolution: null });
    expect(state).toEqual({
      other: 1,
      _suspension: {
        ...record,
        fallback_policy: "fail",
        suspended_at: "2026-01-01T00:00:00.000+00:00",
        expires_at: "2026-01-01T00:01:00.000+00:00",
      },
    });
    await oi.respond(id, "s1", "no");
    expect((await oi.get(id)).state._suspension).toMatchObject({ choice_label: "Do not", response: "no" });
  });

  it("OI-055 a suspension id can be used for one suspension only", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve");
    const again = await oi.call("POST", `intents/${id}/suspend`, { body: { ...REC, question: "Again?" } });
    expect(again).toMatchObject({
      status: 422,
      body: { error: "invalid_record", errors: [{ key: "/_suspension/id" }] },
    });
    await oi.suspend(id, { ...REC, id: "s2" });
    const { state } = await oi.get(id);
    expect([state._suspension.id, state._suspension_history[0].id]).toEqual(["s2", "s1"]);
  });

  it("OI-056 the suspension record has defaults for members that were left out", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { state } = await oi.suspend(id, { id: "s1", question: "Q" });
    expect(state._suspension).toEqual({
      id: "s1",
      question: "Q",
      response_type: "choice",
      fallback_policy: "fail",
      context: {},
      suspended_at: "2026-01-01T00:00:00.000+00:00",
    });
  });

  it("OI-057 the deadline is counted from the suspension, and there is none without a timeout", async () => {
    await using oi = await openIntentServer();
    const deadline = async (record: object) => {
      const { id } = await oi.create();
      return [id, (await oi.suspend(id, { ...REC, ...record })).state._suspension] as const;
    };
    const [, plain] = await deadline({ timeout_seconds: 90 });
    expect(plain.expires_at).toBe("2026-01-01T00:01:30.000+00:00");
    const [, fraction] = await deadline({ timeout_seconds: 0.5, expires_at: "2030-01-01T00:00:00" });
    expect(fraction.expires_at).toBe("2026-01-01T00:00:00.500+00:00");
    const [, said] = await deadline({ timeout_seconds: 90, suspended_at: "2025-12-31T23:59:30" });
    expect(said).toMatchObject({
      suspended_at: "2025-12-31T23:59:30.000+00:00",
      expires_at: "2026-01-01T00:01:00.000+00:00",
    });
    const [, wrongClock] = await deadline({ timeout_seconds: 90, suspended_at: "2024-01-01T00:00:00Z" });
    expect(wrongClock.suspended_at).toBe("2026-01-01T00:00:00.000+00:00");
    const [, late] = await deadline({ timeout_seconds: 10, suspended_at: "2025-12-31T23:59:30" });
    expect(late.expires_at).toBe("2026-01-01T00:00:10.000+00:00");
    const [id, never] = await deadline({});
    expect(never).not.toHaveProperty("expires_at");
    await oi.test.clock.advance(7 * 86_400_000);
    expect((await oi.get(id)).status).toBe(SUSPENDED);
    for (const timeout_seconds of [0, -1, "60", 1e12])
      expect((await written(oi, { timeout_seconds })).status).toBe(422);
  });

  it("OI-058 with a retry policy the deadline covers all attempts", async () => {
    await using oi = await openIntentServer();
    const expiry = async (retry_policy: object, timeout_seconds?: number) => {
      const { id } = await oi.create();
      const more = timeout_seconds === undefined ? {} : { timeout_seconds };
      const { state } = await oi.suspend(id, { ...REC, retry_policy, ...more });
      const { expires_at, suspended_at } = state._suspension;
      return expires_at === undefined ? null : (Date.parse(expires_at) - Date.parse(suspended_at)) / 1000;
    };
    expect(await expiry({ max_attempts: 3, interval_seconds: 60 }, 3600)).toBe(180);
    expect(await expiry({ max_attempts: 2, interval_seconds: 0 }, 30)).toBe(60);
    expect(await expiry({ interval_seconds: 60 })).toBe(60);
    expect(await expiry({ max_attempts: 2 })).toBe(7200);
    expect(await expiry({})).toBe(null);
    for (const wrong of [
      { max_attempts: 0 },
      { max_attempts: 1.5 },
      { interval_seconds: -1 },
      { strategy: "random" },
      { final_fallback_policy: "hope" },
      "often",
    ]) {
      expect((await written(oi, { retry_policy: wrong })).body).toMatchObject({ error: "invalid_record" });
    }
  });

  it("OI-059 the confidence must be between 0 and 1", async () => {
    await using oi = await openIntentServer();
    for (const confidence_at_suspension of [0, 1, 0.5])
      expect((await natively(oi, { confidence_at_suspension })).status).toBe(200);
    for (const confidence_at_suspension of [1.5, -0.1, "high"]) {
      expect((await natively(oi, { confidence_at_suspension })).status).toBe(422);
      expect((await written(oi, { confidence_at_suspension })).status).toBe(422);
    }
  });

  it("OI-060 the suspension record shows the answer beside the question", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve", {
      more: { responded_by: "alice", metadata: { channel: "slack" } },
    });
    expect((await oi.get(id)).state._suspension).toEqual({
      ...REC,
      suspended_at: "2026-01-01T00:00:00.000+00:00",
      resolution: "responded",
      response: "approve",
      responded_at: "2026-01-01T00:00:00.000+00:00",
      responded_by: "alice",
      choice_label: "Approve",
      choice_description: "d",
      metadata: { channel: "slack" },
    });
  });

  it("OI-061 a suspension has one of three resolutions, only after it was resolved", async () => {
    await using oi = await openIntentServer();
    const resolutions: unknown[] = [];
    for (const end of ["respond", "expire", "cancel"]) {
      const { id } = await oi.create();
      expect((await oi.suspend(id, { ...REC, timeout_seconds: 60 })).state._suspension).not.toHaveProperty(
        "resolution",
      );
      if (end === "respond") await oi.respond(id, "s1", "deny");
      if (end === "cancel")
        await oi.call("POST", `intents/${id}/suspend/cancel`, { body: { suspension_id: "s1" } });
      if (end === "expire") await oi.test.clock.advance(60_000);
      resolutions.push((await oi.get(id)).state._suspension.resolution);
    }
    expect(resolutions).toEqual(["responded", "expired", "cancelled"]);
  });

  it("OI-062 the suspension record keeps the decision record that led to the question", async () => {
    await using oi = await openIntentServer();
    const decision_record = {
      mode: "require_input",
      should_ask: true,
      rationale: "risk",
      signals: { risk: 0.6 },
    };
    const { body } = await natively(oi, { decision_record });
    expect(body.state._suspension.decision_record).toEqual(decision_record);
  });

  it("OI-063 writing to the state cannot forge or change a suspension that is being asked", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ state: { mine: 1 } });
    const asked = await oi.suspend(id, REC);
    const forged = { ...asked.state._suspension, response: "approve", resolution: "responded" };
    const writes: readonly (readonly object[])[] = [
      [{ op: "set", path: "/_suspension", value: forged }],
      [{ op: "set", path: "_suspension", value: { ...REC, question: "Another?" } }],
      [{ op: "set", path: "/_suspension/response", value: "approve" }],
      [{ op: "set", path: "/_suspension/question", value: "Another?" }],
      [{ op: "append", path: "/_suspension/choices", value: { value: "x", label: "X" } }],
      [{ op: "set", path: "/_suspension/resolution", value: "responded" }],
      [{ op: "remove", path: "/_suspension" }],
      [{ op: "remove", path: "/_suspension/choices" }],
      [{ op: "set", path: "/", value: { mine: 2 } }],
      [{ op: "set", path: "", value: { _suspension: forged } }],
      [{ op: "set", path: "/_suspension_history", value: [] }],
    ];
    for (const patches of writes) {
      const reply = await oi.patch(id, patches);
      expect({ patches, status: reply.status }).toEqual({ patches, status: 409 });
      expect(reply.body.error).toBe("suspension_immutable");
    }
    const merged = await oi.call("POST", `intents/${id}/state`, {
      ifMatch: asked.version,
      body: { state: { _suspension: forged } },
    });
    expect(merged.status).toBe(409);
    expect(await oi.get(id)).toEqual(asked);
    await oi.respond(id, "s1", "deny");
    const answered = await oi.get(id);
    for (const patches of [
      ...writes.slice(0, 5),
      ...writes.slice(6, 8),
      [{ op: "set", path: "/_suspension/resolution", value: "cancelled" }],
    ]) {
      expect((await oi.patch(id, patches)).status).toBe(409);
    }
    expect(await oi.get(id)).toEqual(answered);
  });

  it("OI-063 writing the same suspension record again changes nothing", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ state: { mine: 1 } });
    const asked = await oi.suspend(id, REC);
    for (const value of [REC, asked.state._suspension, { ...REC, response: null }]) {
      expect((await oi.patch(id, [{ op: "set", path: "/_suspension", value }])).status).toBe(200);
    }
    expect((await oi.patch(id, [{ op: "set", path: "/_suspension/question", value: "Q" }])).status).toBe(200);
    expect(await oi.get(id)).toEqual(asked);
    const whole = await oi.patch(id, [{ op: "set", path: "/", value: { ...asked.state, mine: 2 } }]);
    expect(whole.body.state).toEqual({ ...asked.state, mine: 2 });
    expect((await oi.patch(id, [{ op: "set", path: "/other", value: 1 }])).status).toBe(200);
  });

  it("OI-063 a suspension record that contains an answer is refused", async () => {
    await using oi = await openIntentServer();
    for (const own of [
      { response: "approve" },
      { resolution: "responded" },
      { responded_by: "x" },
      { responded_at: "now" },
    ]) {
      expect((await written(oi, own)).body).toMatchObject({ error: "invalid_record" });
      const made = await oi.call("POST", "intents", {
        body: { title: "t", state: { _suspension: { ...REC, ...own } } },
      });
      expect(made.body).toMatchObject({ error: "invalid_record" });
    }
    for (const wrong of [
      "text",
      [],
      { question: "no id" },
      { ...REC, id: "" },
      { ...REC, choices: "a" },
      { ...REC, context: [] },
    ]) {
      const { id } = await oi.create();
      expect((await oi.patch(id, [{ op: "set", path: "/_suspension", value: wrong }])).status).toBe(422);
    }
  });

  it("OI-063 an agent may change its suspension record until it is being asked", async () => {
    await using oi = await openIntentServer();
    const { body } = await oi.call("POST", "intents", {
      body: { title: "t", state: { _suspension: REC, a: 1 } },
    });
    expect(body.state).toEqual({ a: 1, _suspension: REC });
    const { id } = body;
    const better = await oi.patch(id, [{ op: "set", path: "/_suspension/question", value: "Better?" }]);
    expect(better.body.state._suspension.question).toBe("Better?");
    expect((await oi.patch(id, [{ op: "remove", path: "/_suspension" }])).body.state).toEqual({ a: 1 });
    await oi.suspend(id, REC);
    expect((await oi.events(id, "intent.suspended"))[0].payload.question).toBe("Q");
  });

  it("OI-064 the next suspension replaces the record, and the history keeps the old one", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    for (let n = 1; n <= 23; n += 1) {
      await oi.suspend(id, { ...REC, id: `s${n}` }, n % 2 === 0 ? "status first" : "record first");
      if (n === 2)
        expect((await oi.respond(id, "s1", "approve")).body).toMatchObject({ error: "suspension_mismatch" });
      if (n < 23) expect((await oi.respond(id, `s${n}`, "approve")).status).toBe(200);
    }
    const { state } = await oi.get(id);
    expect(state._suspension.id).toBe("s23");
    expect(state._suspension_history.map((each: Wire) => each.id)).toEqual(
      Array.from({ length: 20 }, (_, n) => `s${n + 3}`),
    );
  });

  it("OI-064 a new record is shown as soon as it is written, with the answered one in the history", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    await oi.respond(id, "s1", "approve");
    await oi.patch(id, [{ op: "set", path: "/_suspension", value: { ...REC, id: "s2" } }]);
    const { state } = await oi.get(id);
    expect([state._suspension.id, state._suspension_history.map((each: Wire) => each.id)]).toEqual([
      "s2",
      ["s1"],
    ]);
    await oi.status(id, SUSPENDED);
    expect((await oi.get(id)).state._suspension_history).toHaveLength(1);
  });

  it("OI-125 an intent that was never suspended has no suspension record", async () => {
    await using oi = await openIntentServer();
    const { state, ...rest } = await oi.create({ state: { a: 1 } });
    expect(state).toEqual({ a: 1 });
    expect(JSON.stringify(rest)).not.toContain("suspen");
  });
});

describe("a suspension that nobody answers", () => {
  it.each(["complete_with_fallback", "use_default_and_continue"])(
    "OI-071 OI-072 an unanswered intent becomes active again under the fallback policy %s",
    async (fallback_policy) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      const { version } = await oi.suspend(id, {
        ...REC,
        fallback_policy,
        fallback_value: "deny",
        timeout_seconds: 5,
      });
      await oi.test.clock.advance(5000);
      const intent = await oi.get(id);
      expect(intent).toMatchObject({ status: "active", version: version + 1 });
      expect(intent.state._suspension).toMatchObject({
        resolution: "expired",
        fallback_applied: true,
        fallback_value: "deny",
      });
      expect(intent.state._suspension).not.toHaveProperty("response");
      expect((await oi.events(id)).slice(-2).map(({ event_type }) => event_type)).toEqual([
        "intent.suspension_expired",
        "status_changed",
      ]);
      expect(await oi.events(id, "intent.resumed")).toEqual([]);
    },
  );

  it("OI-070 the fallback policy fail abandons the intent and logs it", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, { ...REC, timeout_seconds: 5 });
    await oi.test.clock.advance(5000);
    expect(await oi.get(id)).toMatchObject({ status: "abandoned", abandonment_reason: "suspension_expired" });
    const [hold] = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "operator" })).body.holds;
    expect(hold.outcome).toEqual({
      kind: "expired",
      default: { action: "abort" },
      at: "2026-01-01T00:00:05.000Z",
    });
  });

  it("OI-073 there are three fallback policies", async () => {
    await using oi = await openIntentServer();
    expect((await natively(oi, { fallback_policy: "hope" })).status).toBe(422);
    expect((await written(oi, { fallback_policy: "hope" })).status).toBe(422);
  });

  it("OI-074 a fallback policy resumes the intent even without a fallback value", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, { ...REC, fallback_policy: "complete_with_fallback", timeout_seconds: 1 });
    await oi.test.clock.advance(1000);
    const { status, state } = await oi.get(id);
    expect(status).toBe("active");
    expect(state._suspension).not.toHaveProperty("fallback_value");
  });
});
