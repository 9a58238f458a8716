import { ACTION_INPUT } from "@holdpoint/protocol/rules";
import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

const SUSPENDED = "suspended_awaiting_input";

async function holdOf(oi: OpenIntentServer, id: string): Promise<Wire> {
  const { holds } = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "operator" })).body;
  return holds[0];
}

function place(oi: OpenIntentServer, body: object): Promise<Wire> {
  return oi.call("POST", "/v1/holds", { body: { type: "approval", prompt: "Go on?", ...body } });
}

function answer(oi: OpenIntentServer, holdId: string, body: object): Promise<Wire> {
  return oi.call("POST", `/v1/holds/${holdId}/answer`, { as: "operator", body });
}

describe("a suspension is a hold", () => {
  it("an OpenIntent suspension is in the native list of holds, without a link for the agent", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const reply = await oi.call("POST", `intents/${id}/suspend`, {
      body: { ...REC, context: { order: "o-1" }, timeout_seconds: 60 },
    });
    expect(JSON.stringify(reply.body)).not.toContain("review");
    expect(await holdOf(oi, id)).toMatchObject({
      status: "open",
      type: "selection",
      prompt: "Q",
      context: { order: "o-1" },
      select: { min: 1, max: 1 },
      links: "server",
      created_by: "refunder",
      intent_id: id,
      expires_at: "2026-01-01T00:01:00.000Z",
      on_timeout: { action: "abort" },
    });
  });

  it.each([
    [
      "choice",
      {},
      { action: "select", data: { selected: ["deny"], note: "too much" } },
      "deny",
      { data: { note: "too much" } },
    ],
    ["confirm", { choices: [] }, { action: "confirm", data: {} }, "yes", undefined],
    ["confirm", { choices: [] }, { action: "cancel", data: {} }, "no", undefined],
    ["text", { choices: [] }, { action: "submit", data: { value: "words" } }, "words", undefined],
    ["form", { choices: [] }, { action: "submit", data: { a: 1, b: [2] } }, { a: 1, b: [2] }, undefined],
    ["form", { choices: [] }, { action: "submit", data: { value: 7 } }, 7, undefined],
  ])(
    "a suspension of type %s can be answered natively, and the intent resumes with that answer",
    async (response_type, more, given, value, metadata) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      await oi.suspend(id, { ...REC, response_type, ...more });
      const hold = await holdOf(oi, id);
      expect((await answer(oi, hold.id, given)).status).toBe(200);
      const { status, state } = await oi.get(id);
      expect(status).toBe("active");
      expect(state._suspension).toMatchObject({
        resolution: "responded",
        response: value,
        responded_by: "ada",
      });
      expect(state._suspension.metadata).toEqual(metadata);
      expect((await oi.events(id, "intent.resumed"))[0]).toMatchObject({ actor: "ada", payload: { value } });
      expect((await oi.respond(id, "s1", value)).body).toMatchObject({ error: "already_resolved" });
    },
  );

  it("an OpenIntent suspension can be answered on the review page with its link", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    const hold = await holdOf(oi, id);
    const { body: link } = await oi.call("POST", `/v1/holds/${hold.id}/links`, { as: "operator", body: {} });
    const { pathname, search } = new URL(link.review_url ?? link.url);
    const page = await oi.call("GET", pathname + search, { as: "nobody" });
    expect(page.body).toContain("Approve");
    const action = /<form method="post" action="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const posted = await oi.test.server.app.request(action.replaceAll("&amp;", "&"), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ [ACTION_INPUT]: "select", selected: "approve" }),
    });
    expect([200, 303]).toContain(posted.status);
    expect((await oi.get(id)).state._suspension).toMatchObject({
      resolution: "responded",
      response: "approve",
    });
    const [event] = await oi.events(id, "intent.resumed");
    expect(event.actor).toMatch(/^link:link_/);
  });

  it("cancelling the hold of a suspension through the native API resumes the intent", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, REC);
    const hold = await holdOf(oi, id);
    expect((await oi.call("POST", `/v1/holds/${hold.id}/cancel`, { body: { reason: "later" } })).status).toBe(
      200,
    );
    expect(await oi.get(id)).toMatchObject({
      status: "active",
      state: { _suspension: { resolution: "cancelled", reason: "later" } },
    });
  });

  it("sensitive values of an answer are shown only to the agent that asked", async () => {
    await using oi = await openIntentServer({ defaultAccess: "open" });
    const { id } = await oi.create();
    const form = {
      fields: [
        { key: "iban", label: "IBAN", type: "text", sensitive: true },
        { key: "note", label: "Note", type: "text" },
      ],
    };
    const { body: hold } = await place(oi, { type: "input", form, intent_id: id });
    await answer(oi, hold.id, { action: "submit", data: { iban: "DE00-SECRET", note: "n" } });
    const masked = { iban: { withheld: true }, note: "n" };
    expect((await oi.get(id, { as: "agent" })).state._suspension.response).toEqual({
      iban: "DE00-SECRET",
      note: "n",
    });
    expect((await oi.get(id, { as: "operator" })).state._suspension.response).toEqual(masked);
    expect((await oi.get(id, { as: "otherAgent" })).state._suspension.response).toEqual(masked);
    expect((await oi.events(id, "intent.resumed"))[0].payload.value).toEqual(masked);
    const all = await oi.test.store.events({ after: 0, limit: 1000 });
    expect(JSON.stringify(all)).not.toContain("DE00-SECRET");
  });
});

describe("a hold placed natively with an intent", () => {
  it("a hold placed natively with an intent suspends the intent in the same commit, and OpenIntent shows it as a suspension", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const placed = await place(oi, { intent_id: id, context: { amount: 40 }, timeout: "1m" });
    expect(placed.status).toBe(201);
    const intent = await oi.get(id);
    expect(intent).toMatchObject({ status: SUSPENDED, version: 2 });
    expect(intent.state._suspension).toEqual({
      id: placed.body.id,
      question: "Go on?",
      response_type: "choice",
      choices: [
        { value: "approve", label: "Approve", style: "primary" },
        { value: "edit", label: "Request changes" },
        { value: "reject", label: "Reject", style: "danger" },
      ],
      context: { amount: 40 },
      fallback_policy: "use_default_and_continue",
      suspended_at: "2026-01-01T00:00:00.000+00:00",
      expires_at: "2026-01-01T00:01:00.000+00:00",
    });
    expect((await oi.events(id)).map(({ event_type }) => event_type)).toEqual([
      "intent_created",
      "status_changed",
      "status_changed",
      "intent.suspended",
    ]);
    const reply = await oi.respond(id, placed.body.id, "reject");
    expect(reply.body).toMatchObject({ value: "reject", choice_label: "Reject" });
    const settled = (await oi.call("GET", `/v1/holds/${placed.body.id}`)).body;
    expect(settled.outcome).toMatchObject({
      kind: "decided",
      action: "reject",
      door: "openintent",
      by: { name: "ada" },
    });
  });

  it.each([
    [{ type: "confirmation" }, "confirm", "yes", { action: "confirm", data: {} }],
    [{ type: "escalation" }, "choice", "skip", { action: "skip", data: {} }],
    [
      {
        type: "selection",
        options: [
          { id: "a", label: "A" },
          { id: "b", label: "B" },
        ],
      },
      "choice",
      "b",
      { action: "select", data: { selected: ["b"] } },
    ],
    [
      {
        type: "selection",
        options: [
          { id: "a", label: "A" },
          { id: "b", label: "B" },
        ],
        select: { min: 2, max: 2 },
      },
      "form",
      { selected: ["a", "b"] },
      { action: "select", data: { selected: ["a", "b"] } },
    ],
    [{ type: "input" }, "form", { x: 1 }, { action: "submit", data: { x: 1 } }],
    [
      { type: "input", form: { fields: [{ key: "n", label: "N", type: "number" }] } },
      "form",
      { n: 3 },
      { action: "submit", data: { n: 3 } },
    ],
    [
      { type: "input", response_schema: { type: "integer" } },
      "form",
      3,
      { action: "submit", data: { value: 3 } },
    ],
    [
      { type: "x-vote", actions: [{ id: "up" }, { id: "down", label: "Down" }] },
      "choice",
      "up",
      { action: "up", data: {} },
    ],
  ])(
    "a native hold %j is a suspension of type %s, and OpenIntent can answer it",
    async (ask, response_type, value, outcome) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      const { body: hold } = await place(oi, { ...ask, intent_id: id });
      expect((await oi.get(id)).state._suspension).toMatchObject({ response_type, question: "Go on?" });
      const reply = await oi.respond(id, hold.id, value);
      expect(reply.body).toMatchObject({ value });
      expect((await oi.call("GET", `/v1/holds/${hold.id}`)).body.outcome).toMatchObject(outcome);
    },
  );

  it.each([
    [
      "approval",
      [
        { id: "approve", label: "Reject", style: "danger" },
        { id: "reject", label: "Reject" },
      ],
      [
        { value: "approve", label: "Approve: Reject", style: "primary" },
        { value: "reject", label: "Reject", style: "danger" },
      ],
    ],
    [
      "confirmation",
      [{ id: "confirm", label: "Cancel", style: "danger" }, { id: "cancel" }],
      [
        { value: "yes", label: "Confirm: Cancel", style: "primary" },
        { value: "no", label: "Cancel" },
      ],
    ],
    ["x-vote", [{ id: "up", label: "Up", style: "danger" }], [{ value: "up", label: "Up", style: "danger" }]],
  ])(
    "G15 the choices of a native %s begin with what they mean, whatever label and style the agent gave them",
    async (type, actions, choices) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      const { body: hold } = await place(oi, { type, actions, intent_id: id });
      expect((await oi.get(id)).state._suspension.choices).toEqual(choices);
      const [first] = choices;
      const { body } = await oi.respond(id, hold.id, first?.value);
      expect(body).toMatchObject({ value: first?.value, choice_label: first?.label });
    },
  );

  it("OpenIntent refuses an answer to a native hold that the native API would refuse", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const form = { fields: [{ key: "n", label: "N", type: "number", required: true }] };
    const { body: hold } = await place(oi, { type: "input", form, intent_id: id });
    for (const wrong of [{}, { n: "three" }, { m: 1 }, 7]) {
      expect(await oi.respond(id, hold.id, wrong)).toMatchObject({
        status: 422,
        body: { error: "invalid_value" },
      });
    }
    const { id: second } = await oi.create();
    const { body: only } = await place(oi, {
      type: "confirmation",
      actions: [{ id: "confirm" }],
      intent_id: second,
    });
    expect(await oi.respond(second, only.id, "no")).toMatchObject({
      status: 422,
      body: { error: "invalid_choice", valid_choices: ["yes"] },
    });
  });

  it("a native hold is refused for an unknown intent and for one that is already suspended", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    expect(await place(oi, { intent_id: "none" })).toMatchObject({
      status: 422,
      body: { code: "intent_not_found" },
    });
    const first = await place(oi, { intent_id: id, key: "k" });
    expect(await place(oi, { intent_id: id })).toMatchObject({
      status: 409,
      body: { code: "intent_suspended" },
    });
    expect((await place(oi, { intent_id: id, key: "k" })).body.id).toBe(first.body.id);
    const { id: closed } = await oi.create({}, { as: "otherAgent" });
    await oi.call("PUT", `intents/${closed}/acl`, { as: "otherAgent", body: { default_policy: "closed" } });
    expect(await place(oi, { intent_id: closed })).toMatchObject({
      status: 422,
      body: { code: "intent_not_found" },
    });
    const { id: done } = await oi.create();
    await oi.status(done, "completed");
    expect(await place(oi, { intent_id: done })).toMatchObject({
      status: 409,
      body: { code: "intent_not_active" },
    });
    const { id: twice } = await oi.create();
    const holds = [0, 1].map(() => ({ type: "approval", prompt: "Go on?", intent_id: twice }));
    expect(await oi.call("POST", "/v1/groups", { body: { holds } })).toMatchObject({
      status: 409,
      body: { code: "intent_suspended" },
    });
    expect((await oi.get(twice)).status).toBe("active");
  });

  it.each([
    ["abort", "abandoned", "fail"],
    ["reject", "active", "use_default_and_continue"],
  ])(
    "a native hold that expires with %s leaves the intent %s",
    async (on_timeout, status, fallback_policy) => {
      await using oi = await openIntentServer();
      const { id } = await oi.create();
      await place(oi, { intent_id: id, timeout: "5s", on_timeout });
      expect((await oi.get(id)).state._suspension).toMatchObject({
        fallback_policy,
        fallback_value: on_timeout,
      });
      await oi.test.clock.advance(5000);
      expect((await oi.get(id)).status).toBe(status);
    },
  );

  it("OpenIntent shows the additional data of a native answer as metadata, edited arguments included", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const { body: hold } = await place(oi, {
      intent_id: id,
      on_timeout: { action: "reject", data: { value: 3 } },
    });
    expect((await oi.get(id)).state._suspension.fallback_value).toBe(3);
    await answer(oi, hold.id, { action: "approve", data: { edited_args: { amount: 30 } } });
    expect((await oi.get(id)).state._suspension).toMatchObject({
      response: "approve",
      metadata: { data: { edited_args: { amount: 30 } } },
    });
  });

  it("a suspension placed before a crash can be answered after it", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.suspend(id, { ...REC, timeout_seconds: 60 });
    await using again = await openIntentServer({ store: oi.test.store, clock: oi.test.clock });
    expect((await again.get(id)).status).toBe(SUSPENDED);
    expect((await again.respond(id, "s1", "approve")).status).toBe(200);
    expect((await oi.get(id)).state._suspension.response).toBe("approve");
  });
});
