import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";

const SUSPENDED = "suspended_awaiting_input";

async function asked(oi: OpenIntentServer, record: object = {}): Promise<string> {
  const { id } = await oi.create();
  await oi.suspend(id, { ...REC, ...record });
  return id;
}

describe("answering", () => {
  it("OI-090 the reply to an answer contains exactly what was accepted", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    const { status, body } = await oi.respond(id, "s1", "approve");
    expect(status).toBe(200);
    expect(body).toEqual({
      intent_id: id,
      suspension_id: "s1",
      resolution: "responded",
      value: "approve",
      responded_by: "alice@example.com",
      responded_at: "2026-01-01T00:00:00.000+00:00",
      choice_label: "Approve",
      choice_description: "d",
    });
    const free = await asked(oi, { response_type: "text" });
    expect(Object.keys((await oi.respond(free, "s1", "words")).body)).toEqual([
      "intent_id",
      "suspension_id",
      "resolution",
      "value",
      "responded_by",
      "responded_at",
    ]);
  });

  it("OI-091 the reply names the chosen choice, default choices included", async () => {
    await using oi = await openIntentServer();
    expect((await oi.respond(await asked(oi), "s1", "deny")).body).toMatchObject({
      choice_label: "Deny",
      choice_description: "",
    });
    const confirm = { response_type: "confirm", choices: [] };
    for (const [value, choice_label] of [
      ["yes", "Yes"],
      ["no", "No"],
    ]) {
      expect((await oi.respond(await asked(oi, confirm), "s1", value)).body).toMatchObject({
        choice_label,
        choice_description: "",
      });
    }
  });

  it("OI-092 an answer by an unknown key or to an unknown intent is refused and changes nothing", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    const before = await oi.get(id);
    expect((await oi.respond(id, "s1", "approve", { as: "nobody" })).status).toBe(401);
    expect(
      (await oi.respond(id, "s1", "approve", { as: "nobody", headers: { "x-api-key": "wrong" } })).status,
    ).toBe(401);
    expect((await oi.respond("none", "s1", "approve")).status).toBe(404);
    expect((await oi.respond(id, "s1", "approve", { as: "elsewhere" })).status).toBe(404);
    expect(await oi.get(id)).toEqual(before);
  });

  it("OI-093 an answer to an intent that is not suspended is refused", async () => {
    await using oi = await openIntentServer();
    const ways: Readonly<Record<string, readonly string[]>> = {
      draft: [],
      active: ["active"],
      blocked: ["blocked"],
      completed: ["completed"],
      abandoned: ["abandoned"],
    };
    for (const [status, way] of Object.entries(ways)) {
      const { id } = await oi.create({ status: "draft" });
      for (const step of way) await oi.status(id, step);
      expect(await oi.respond(id, "s1", "yes")).toMatchObject({
        status: 409,
        body: { error: "not_suspended", status },
      });
    }
  });

  it("OI-094 an answer with another suspension's id is refused without revealing the right id", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi, { id: "the-real-one" });
    for (const wrong of ["s1", "the-real-on", "the-real-one2", "THE-REAL-ONE"]) {
      const { status, body } = await oi.respond(id, wrong, "approve");
      expect(status).toBe(409);
      expect(body.detail).toContain("mismatch");
      expect(JSON.stringify(body)).not.toContain("the-real-one");
    }
  });

  it("OI-095 an answer without a suspension id is refused before any other check", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    for (const wrong of [undefined, "", 7, null, ["s1"]]) {
      for (const where of [id, "none"]) {
        const { status, body } = await oi.respond(where, wrong, "approve");
        expect(status).toBe(422);
        expect(body.detail).toContain("required");
      }
    }
    expect((await oi.respond("none", "s1", "nonsense")).status).toBe(404);
    expect((await oi.respond(id, "other", "nonsense")).status).toBe(409);
  });

  it("OI-096 the value of a choice is compared strictly", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    for (const wrong of [
      "Approve",
      "approve ",
      1,
      null,
      ["approve"],
      { value: "approve" },
      true,
      undefined,
    ]) {
      expect((await oi.respond(id, "s1", wrong)).status).toBe(422);
    }
    expect((await oi.get(id)).status).toBe(SUSPENDED);
    expect((await oi.respond(id, "s1", "approve")).status).toBe(200);
  });

  it("OI-097 a confirmation accepts yes and no, whatever its choices", async () => {
    await using oi = await openIntentServer();
    const choices = [
      { value: "approve", label: "Approve" },
      { value: "deny", label: "Deny" },
    ];
    const id = await asked(oi, { response_type: "confirm", choices });
    for (const wrong of ["approve", "Yes", true])
      expect((await oi.respond(id, "s1", wrong)).status).toBe(422);
    expect((await oi.respond(id, "s1", "no")).status).toBe(200);
    const { id: strict } = await oi.create();
    const refused = await oi.call("POST", `intents/${strict}/suspend`, {
      body: { ...REC, response_type: "confirm", choices },
    });
    expect(refused.status).toBe(422);
  });

  it("OI-098 a text question accepts any text that is not empty", async () => {
    await using oi = await openIntentServer();
    const text = { response_type: "text", choices: [] };
    const id = await asked(oi, text);
    for (const wrong of ["", 7, null, ["a"], {}, undefined])
      expect((await oi.respond(id, "s1", wrong)).status).toBe(422);
    for (const right of [" ", "two\nlines", "ünï", "x".repeat(50_000)]) {
      expect((await oi.respond(await asked(oi, text), "s1", right)).body.value).toBe(right);
    }
  });

  it("OI-099 a form accepts any JSON and returns it unchanged", async () => {
    await using oi = await openIntentServer();
    const values = [
      { a: { b: [1, null] } },
      [1, "x"],
      null,
      7,
      "text",
      true,
      {},
      { value: 1 },
      { value: { value: 2 } },
    ];
    for (const value of values) {
      const id = await asked(oi, { response_type: "form", choices: [] });
      expect((await oi.respond(id, "s1", value)).body.value).toEqual(value);
      expect((await oi.get(id)).state._suspension.response).toEqual(value);
      expect((await oi.events(id, "intent.resumed"))[0].payload.value).toEqual(value);
    }
    const missing = await asked(oi, { response_type: "form", choices: [] });
    expect((await oi.respond(missing, "s1")).body.value).toBeNull();
  });

  it("OI-100 a refused choice lists the valid values", async () => {
    await using oi = await openIntentServer();
    const { status, body } = await oi.respond(await asked(oi), "s1", "maybe");
    expect(status).toBe(422);
    expect(body).toMatchObject({
      error: "invalid_choice",
      valid_choices: ["approve", "deny"],
      detail: {
        error: "invalid_choice",
        message: expect.stringContaining("maybe"),
        valid_choices: REC["choices"],
      },
      message: expect.stringContaining("maybe"),
    });
    const long = await oi.respond(await asked(oi), "s1", "x".repeat(10_000));
    expect(long.body.message.length).toBeLessThan(300);
  });

  it("OI-101 responded_by is the caller's name by default, and never a key", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    expect((await oi.respond(id, "s1", "approve", { more: {} })).body.responded_by).toBe("ada");
    const other = await asked(oi);
    expect(
      (await oi.respond(other, "s1", "approve", { as: "dev", agent: "me", more: { responded_by: null } }))
        .body.responded_by,
    ).toBe("me");
    expect(JSON.stringify(await oi.events(other))).not.toContain(oi.test.keys.dev);
    expect((await oi.respond(await asked(oi), "s1", "approve", { more: { responded_by: 7 } })).status).toBe(
      422,
    );
  });

  it("OI-102 metadata of an answer is stored and optional", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    await oi.respond(id, "s1", "approve", { more: { metadata: { thread: "t1" } } });
    expect((await oi.get(id)).state._suspension.metadata).toEqual({ thread: "t1" });
    const none = await asked(oi);
    await oi.respond(none, "s1", "approve", { more: { metadata: null } });
    expect((await oi.get(none)).state._suspension).not.toHaveProperty("metadata");
    expect((await oi.respond(await asked(oi), "s1", "approve", { more: { metadata: "text" } })).status).toBe(
      422,
    );
  });

  it("OI-103 the second answer is refused and the first one stays", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    await oi.respond(id, "s1", "approve");
    for (const value of ["approve", "deny"]) {
      expect(await oi.respond(id, "s1", value)).toMatchObject({
        status: 409,
        body: { error: "already_resolved", resolution: "responded" },
      });
    }
    expect((await oi.get(id)).state._suspension.response).toBe("approve");
    expect(await oi.events(id, "intent.resumed")).toHaveLength(1);
  });

  it("OI-104 G1 of twenty simultaneous answers, native ones included, one gets 200", async () => {
    for (let round = 0; round < 10; round += 1) {
      await using oi = await openIntentServer();
      const id = await asked(oi);
      const [hold] = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "operator" })).body.holds;
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => {
          const value = n % 2 === 0 ? "approve" : "deny";
          if (n % 5 !== round % 5) return oi.respond(id, "s1", value);
          const body = { action: "select", data: { selected: [value] } };
          return oi.call("POST", `/v1/holds/${hold.id}/answer`, { as: "otherOperator", body });
        }),
      );
      expect(replies.map(({ status }) => status).toSorted()).toEqual([
        200,
        ...Array.from({ length: 19 }, () => 409),
      ]);
      const won = replies.find(({ status }) => status === 200)?.body;
      const value = won.value ?? won.outcome.data.selected[0];
      expect((await oi.get(id)).state._suspension).toMatchObject({
        resolution: "responded",
        response: value,
      });
      expect(await oi.events(id, "intent.resumed")).toHaveLength(1);
      const after = (await oi.call("GET", `/v1/holds/${hold.id}`, { as: "operator" })).body;
      expect(after.outcome).toMatchObject({ kind: "decided", data: { selected: [value] } });
      for (const { status, body } of replies.filter(({ status }) => status === 409)) {
        expect({ status, word: body.error ?? body.code }).toEqual({
          status: 409,
          word: body.error === undefined ? "already_settled" : "already_resolved",
        });
      }
    }
  });

  it("OI-105 an answer at or after the deadline is refused, even before the timer has fired", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi, { timeout_seconds: 10 });
    await oi.test.server.timers.stop();
    await oi.test.clock.advance(10_000);
    expect(await oi.respond(id, "s1", "approve")).toMatchObject({
      status: 409,
      body: { error: "suspension_expired" },
    });
    expect(await oi.get(id)).toMatchObject({
      status: "abandoned",
      state: { _suspension: { resolution: "expired" } },
    });
    expect(await oi.events(id, "intent.suspension_expired")).toHaveLength(1);
    const read = await asked(oi, { timeout_seconds: 10 });
    await oi.test.clock.advance(10_000);
    expect((await oi.get(read)).status).toBe("abandoned");
    const late = await asked(oi, { timeout_seconds: 10 });
    await oi.test.clock.advance(20_000);
    expect((await oi.status(late, "abandoned")).body).toMatchObject({
      error: "invalid_transition",
      from: "abandoned",
    });
  });

  it("OI-106 a suspension keeps its id through all notifications", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi, { retry_policy: { max_attempts: 3, interval_seconds: 10 } });
    await oi.test.clock.advance(25_000);
    expect((await oi.respond(id, "s1", "approve")).status).toBe(200);
  });

  it("OI-107 a malformed body is refused and never causes a server error", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    for (const body of [
      "{",
      "[]",
      "null",
      '"text"',
      "7",
      '{"suspension_id":"s1","suspension_id":"s1"}',
      "",
    ]) {
      const reply = await oi.call("POST", `intents/${id}/suspend/respond`, {
        as: "operator",
        body,
        headers: { "content-type": "application/json" },
      });
      expect({ body, status: reply.status }).toEqual({ body, status: 422 });
      expect(reply.body).toMatchObject({ detail: expect.anything(), message: expect.any(String) });
    }
    expect((await oi.get(id)).status).toBe(SUSPENDED);
  });

  it("OI-108 G7 an agent cannot answer, and nobody can answer a suspension of their own", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    for (const as of ["agent", "otherAgent", "auditor"] as const) {
      expect(await oi.respond(id, "s1", "approve", { as })).toMatchObject({
        status: 403,
        body: { error: "not_allowed" },
      });
    }
    expect((await oi.respond(id, "s1", "approve", { as: "anyAgent", agent: "x" })).status).toBe(403);
    expect((await oi.respond(id, "s1", "approve", { as: "app" })).status).toBe(403);
    expect((await oi.get(id)).status).toBe(SUSPENDED);
    expect((await oi.respond(id, "s1", "approve", { as: "operator" })).status).toBe(200);
    const { id: own } = await oi.create({}, { as: "app" });
    await oi.call("POST", `intents/${own}/suspend`, { as: "app", body: REC });
    expect((await oi.respond(own, "s1", "approve", { as: "app", more: {} })).status).toBe(403);
    expect((await oi.respond(own, "s1", "approve", { as: "app" })).status).toBe(200);
    const { id: ownDev } = await oi.create({}, { as: "dev" });
    await oi.call("POST", `intents/${ownDev}/suspend`, { as: "dev", body: REC });
    expect((await oi.respond(ownDev, "s1", "approve", { as: "dev" })).status).toBe(200);
  });

  it("OI-108 an answer may name a version and needs none", async () => {
    await using oi = await openIntentServer();
    const id = await asked(oi);
    const { version } = await oi.get(id);
    expect(await oi.respond(id, "s1", "approve", { ifMatch: version - 1 })).toMatchObject({
      status: 409,
      body: { error: "version_conflict", current_version: version },
    });
    expect((await oi.respond(id, "s1", "approve", { ifMatch: version })).status).toBe(200);
  });

  it("OI-110 the suspension id is not in logs, addresses and error bodies", async () => {
    await using oi = await openIntentServer();
    const secret = "suspension-id-5f0c9a";
    const id = await asked(oi, { id: secret, timeout_seconds: 5 });
    const replies: Wire[] = [
      await oi.respond(id, "wrong", "approve"),
      await oi.respond(id, secret, "nonsense"),
    ];
    replies.push(await oi.patch(id, [{ op: "remove", path: "/_suspension" }]));
    await oi.test.clock.advance(5000);
    replies.push(await oi.respond(id, secret, "approve"));
    expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain(secret);
    expect(JSON.stringify(oi.test.log)).not.toContain(secret);
    const rows = await oi.test.store.outbox({ workspace: "default", limit: 100 });
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe("an intent that is suspended without a question (D-04)", () => {
  it("OI-090 the first answer to a record without an id is accepted with any id", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    await oi.status(id, SUSPENDED);
    expect((await oi.get(id)).state).toEqual({});
    const value = { decision: "approve", amount: 500 };
    const reply = await oi.respond(id, "susp-any", value);
    expect(reply).toMatchObject({
      status: 200,
      body: { value, suspension_id: "susp-any", resolution: "responded" },
    });
    expect((await oi.events(id)).slice(2).map(({ event_type, actor }) => [event_type, actor])).toEqual([
      ["status_changed", "refunder"],
      ["intent.suspended", "refunder"],
      ["intent.resumed", "ada"],
      ["status_changed", "ada"],
    ]);
    expect((await oi.get(id)).state._suspension).toMatchObject({ id: "susp-any", response: value });
    await oi.status(id, SUSPENDED);
    expect((await oi.get(id)).state._suspension_history).toHaveLength(1);
    expect(await oi.respond(id, "susp-any", "again")).toMatchObject({
      status: 409,
      body: { error: "suspension_mismatch" },
    });
    expect((await oi.respond(id, "\u2028", "odd")).status).toBe(422);
    expect((await oi.respond(id, "next", "fine")).status).toBe(200);
  });

  it("OI-108 G7 the caller that suspended an intent cannot answer", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({}, { as: "app" });
    await oi.status(id, SUSPENDED, { as: "app" });
    expect((await oi.respond(id, "s1", "x", { as: "app", more: {} })).status).toBe(403);
    expect((await oi.respond(id, "s1", "x", { as: "agent" })).status).toBe(403);
    expect((await oi.get(id)).status).toBe(SUSPENDED);
    expect((await oi.respond(id, "s1", "x", { as: "operator" })).status).toBe(200);
  });

  it("OI-030 an intent that was suspended by its status asks as soon as its record is written", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    await oi.status(id, SUSPENDED);
    await oi.patch(id, [
      { op: "remove", path: "/_suspension" },
      { op: "set", path: "/x", value: 1 },
    ]);
    expect(
      (await oi.patch(id, [{ op: "set", path: "/_suspension", value: REC }], { as: "operator" })).status,
    ).toBe(403);
    const asking = await oi.patch(id, [{ op: "set", path: "/_suspension", value: REC }]);
    expect(asking.body.state._suspension).toMatchObject(REC);
    expect((await oi.respond(id, "s1", "anything")).status).toBe(422);
    expect((await oi.respond(id, "s1", "deny")).status).toBe(200);
  });
});
