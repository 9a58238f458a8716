import { describe, expect, it } from "vitest";
import { seedPeople } from "../../people-seed.ts";
import { Receiver } from "../../testing/receiver.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";

const TWO = { approve: [{ need: 2, from: ["team:finance"] }] };
const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };

/** ada and grace have keys; lin has none. All three are in finance. */
async function withFinance(): Promise<TestServer> {
  const test = await testServer();
  const people = { ada: { name: "Ada Park", email: "ada@example.com" }, grace: {}, lin: {}, root: {} };
  await seedPeople(test.server.engine, {
    people,
    teams: { finance: { name: "Money people", members: ["ada", "grace", "lin"] } },
  });
  return test;
}

async function placed(test: TestServer, decision: object = TWO, more: object = {}) {
  const body = { type: "approval", prompt: "Wire 10,000 EUR?", decision, ...more };
  return (await test.call("POST", "/v1/holds", { key: test.keys.agent, body })).body;
}

const vote = (test: TestServer, id: string, key: string, body: object = { action: "approve" }) =>
  test.call("POST", `/v1/holds/${id}/answer`, { key, body });

describe("decisions on the wire", () => {
  it("a hold shows its frozen decision rule, the votes and who is missing", async () => {
    await using test = await withFinance();
    const hold = await placed(test);
    expect(hold).toMatchObject({
      status: "open",
      links: "server",
      decision: { ...TWO, reject: 1, exclude: [], strength: "session", order: "any" },
      votes: [],
      missing: [{ need: 2, given: 0, from: ["team:finance"] }],
    });
    expect(hold.decision).not.toHaveProperty("excluded");
    const first = await vote(test, hold.id, test.keys.operator);
    expect(first).toMatchObject({ status: 200, body: { status: "open" } });
    expect(first.body.votes).toEqual([
      {
        person: "ada",
        action: "approve",
        at: expect.any(String),
        door: "rest",
        strength: "session",
        names: ["Ada Park"],
      },
    ]);
    const stage = { need: 2, given: 1, from: ["team:finance"] };
    expect(first.body.missing).toEqual([{ ...stage, names: ["Money people"] }]);
    const listed = await test.call("GET", "/v1/holds?status=open&sort=urgency", { key: test.keys.operator });
    expect(listed.body.holds[0]).toMatchObject({
      ...{ votes: [{ names: ["Ada Park"] }], missing: [{ names: ["Money people"] }] },
    });
    const asked = await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.agent });
    expect(asked.body.missing).toEqual([stage]);
    expect(asked.body.votes[0]).not.toHaveProperty("names");
    const second = await vote(test, hold.id, test.keys.otherOperator);
    expect(second.body).toMatchObject({
      status: "decided",
      outcome: { action: "approve", by: { kind: "key", name: "grace" } },
      votes: [{ person: "ada" }, { person: "grace" }],
    });
    expect(second.body).not.toHaveProperty("missing");
    expect(await vote(test, hold.id, test.keys.operator)).toMatchObject({
      status: 409,
      body: { code: "already_settled", outcome: { by: { name: "grace" } } },
    });
    expect(await verifyLog(test.store)).toMatchObject({ breaks: [] });
  });

  it("every reply about a hold to a person names who is missing, and an agent's has ids only", async () => {
    await using test = await withFinance();
    const rule = { approve: [{ need: 2, from: ["person:ada", "team:finance"] }] };
    const { id } = await placed(test, rule, { timeout: "1h" });
    const names = ["Ada Park", "Money people"];
    const key = test.keys.operator;
    for (const [path, body] of [
      ["assign", { to: "ada" }],
      ["comments", { text: "Looking at it" }],
      ["extend", { by: "1h" }],
      ["snooze", { for: "1h" }],
    ] as const) {
      const reply = await test.call("POST", `/v1/holds/${id}/${path}`, { key, body });
      expect(reply.body, path).toMatchObject({ missing: [{ names }] });
    }
    const asked = await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent });
    expect(asked.body.missing[0]).not.toHaveProperty("names");
  });

  it("the person who voted can withdraw the vote, and the log has both", async () => {
    await using test = await withFinance();
    const { id } = await placed(test);
    await vote(test, id, test.keys.operator);
    const gone = await test.call("DELETE", `/v1/holds/${id}/vote`, { key: test.keys.operator });
    expect(gone).toMatchObject({ status: 200, body: { status: "open", votes: [] } });
    const { body } = await test.call("GET", `/v1/holds/${id}/events`, { key: test.keys.agent });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      "hold.placed",
      "hold.voted",
      "hold.vote_withdrawn",
    ]);
    expect(body.events[1].data).toMatchObject({ person: "ada", action: "approve", strength: "session" });
  });

  it("one vote finishes no other hold, because each hold counts its own votes", async () => {
    await using test = await withFinance();
    const one = await placed(test);
    const other = await placed(test);
    await vote(test, one.id, test.keys.operator);
    const reply = await vote(test, other.id, test.keys.otherOperator);
    expect(reply.body).toMatchObject({ status: "open", votes: [{ person: "grace" }] });
    expect((await test.call("GET", `/v1/holds/${one.id}`, { key: test.keys.agent })).body.status).toBe(
      "open",
    );
  });

  it("an unconfirmed person can answer as before, and counts only after an admin confirmed them", async () => {
    await using test = await withFinance();
    const made = await test.call("POST", "/v1/keys", {
      key: test.keys.admin,
      body: { name: "mo", role: "operator" },
    });
    const mo = made.body.secret as string;
    await test.call("PATCH", "/v1/teams/finance", {
      key: test.keys.admin,
      body: { members: ["ada", "grace", "mo"] },
    });
    const plain = await test.call("POST", "/v1/holds", {
      key: test.keys.agent,
      body: { type: "approval", prompt: "Refund?" },
    });
    expect((await vote(test, plain.body.id, mo)).body).toMatchObject({ status: "decided" });
    const { id } = await placed(test);
    expect(await vote(test, id, mo)).toMatchObject({
      status: 403,
      body: { code: "not_entitled", reason: "an admin has to confirm you first" },
    });
    await test.call("PATCH", "/v1/people/mo", { key: test.keys.admin, body: { verified: true } });
    expect(await vote(test, id, mo)).toMatchObject({ status: 200, body: { votes: [{ person: "mo" }] } });
  });

  it("a suspended person's vote stops counting at once, and an open hold that nobody can decide says so", async () => {
    await using test = await withFinance();
    const { id } = await placed(test, { approve: [{ need: 3, from: ["team:finance"] }] });
    await vote(test, id, test.keys.operator);
    await test.call("PATCH", "/v1/people/ada", { key: test.keys.admin, body: { status: "suspended" } });
    await test.clock.advance(0);
    const { body } = await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent });
    expect(body).toMatchObject({
      status: "open",
      votes: [],
      unfulfillable: expect.stringContaining("needs 3"),
    });
    await test.call("PATCH", "/v1/people/ada", { key: test.keys.admin, body: { status: "active" } });
    await test.clock.advance(0);
    const again = await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent });
    expect(again.body).not.toHaveProperty("unfulfillable");
  });

  it("a hold that nobody can decide any more says so in the log, and its ladder and deadline go on", async () => {
    await using test = await withFinance();
    const ladder = [{ after: "5m", channel: "console" }];
    const all = { approve: [{ need: 3, from: ["team:finance"] }] };
    const { id } = await placed(test, all, { ladder, timeout: "10m" });
    await test.call("PATCH", "/v1/people/lin", { key: test.keys.admin, body: { status: "suspended" } });
    await test.clock.advance(5 * 60_000);
    const later = await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent });
    expect(later.body).toMatchObject({
      status: "open",
      unfulfillable: expect.stringContaining("needs 3"),
      ladder: [{ state: "fired" }],
    });
    const { body } = await test.call("GET", `/v1/holds/${id}/events`, { key: test.keys.operator });
    expect(body.events).toContainEqual(
      expect.objectContaining({
        type: "hold.decision_checked",
        data: { unfulfillable: expect.stringContaining("needs 3") },
      }),
    );
    await test.clock.advance(5 * 60_000);
    const end = await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent });
    expect(end.body).toMatchObject({ status: "expired" });
    expect(end.body.outcome).not.toHaveProperty("by");
  });

  it("a hold cannot have both a decision and answerers", async () => {
    await using test = await withFinance();
    const body = { type: "approval", prompt: "Go?", decision: TWO, answerers: ["ada"] };
    expect(await test.call("POST", "/v1/holds", { key: test.keys.agent, body })).toMatchObject({
      status: 422,
      body: { code: "invalid_body" },
    });
  });

  it("webhooks get every vote, and the callback gets the outcome only", async () => {
    await using test = await withFinance();
    await using hooks = await Receiver.start();
    await using calls = await Receiver.start();
    await test.call("POST", "/v1/webhooks", {
      key: test.keys.admin,
      body: { url: hooks.url(), events: ["hold.voted"] },
    });
    const { id } = await placed(test, TWO, { callback_url: calls.url() });
    await vote(test, id, test.keys.operator);
    await vote(test, id, test.keys.otherOperator);
    await test.server.sender.idle();
    expect(hooks.requests).toHaveLength(2);
    expect(calls.requests).toHaveLength(1);
  });
});

describe("votes through other faces", () => {
  it("the review page shows 1 of 2, thanks for a vote by link and shows who is missing", async () => {
    await using test = await withFinance();
    const { id } = await placed(test, { ...TWO, strength: "link" });
    const links = `/v1/holds/${id}/links`;
    const link = await test.call("POST", links, { key: test.keys.admin, body: { to: "ada@example.com" } });
    const url = link.body.url as string;
    const read = async () => (await test.server.app.request(url, { headers: browser })).text();
    expect(await read()).toContain("0 of 2 have agreed");
    const answerUrl = url.replace("?", "/answer?");
    const form = new URLSearchParams({ _action: "approve" });
    const posted = await test.server.app.request(answerUrl, { method: "POST", body: form, headers: browser });
    expect(posted.status).toBe(303);
    const after = await (
      await test.server.app.request(posted.headers.get("location") ?? "", { headers: browser })
    ).text();
    for (const words of [
      "1 of 2 have agreed",
      "Ada Park: approve",
      "Still needed: 1 of Money people",
      "Your vote is recorded",
    ])
      expect(after).toContain(words);
    await vote(test, id, test.keys.otherOperator);
    expect(await read()).toContain("2 voted");
  });

  it("the review page says why a link does not count if the decision needs a session", async () => {
    await using test = await withFinance();
    const { id } = await placed(test);
    const link = await test.call("POST", `/v1/holds/${id}/links`, {
      key: test.keys.admin,
      body: { to: "ada" },
    });
    const answerUrl = (link.body.url as string).replace("?", "/answer?");
    const form = new URLSearchParams({ _action: "approve" });
    const posted = await test.server.app.request(answerUrl, { method: "POST", body: form, headers: browser });
    expect(posted.status).toBe(403);
    expect(await posted.text()).toContain("sign in to the console");
  });

  it("HITL replies 202 in_progress to a vote, and 200 completed to the vote that decides", async () => {
    await using test = await withFinance();
    const { id, case_id } = await placed(test, { ...TWO, strength: "link" });
    const respond = async (to: string) => {
      const link = await test.call("POST", `/v1/holds/${id}/links`, { key: test.keys.admin, body: { to } });
      const token = new URL(link.body.url).searchParams.get("token");
      return test.call("POST", `/reviews/${case_id}/respond?token=${token}`, { body: { action: "approve" } });
    };
    expect(await respond("root")).toMatchObject({ status: 403 });
    expect(await respond("ada")).toMatchObject({
      status: 202,
      body: { status: "in_progress", case_id, message: "1 of 2 have agreed." },
    });
    expect(await respond("grace")).toMatchObject({ status: 200, body: { status: "completed" } });
  });
});
