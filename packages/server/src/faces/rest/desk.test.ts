/** Lists as people work through them, and what they do with a hold besides answering it. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";

const HOUR_MS = 3_600_000;
let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test[Symbol.asyncDispose]());

const get = async (path: string, key = test.keys.operator) => (await test.call("GET", path, { key })).body;
const post = async (path: string, body: unknown, key = test.keys.operator) =>
  (await test.call("POST", path, { key, body })).body;
/** Ids grow with time; holds of one millisecond have no order. */
async function place(prompt: string, more: object = {}): Promise<{ id: string }> {
  await test.clock.advance(1);
  return post("/v1/holds", { type: "approval", prompt, ...more }, test.keys.agent);
}
const prompts = ({ holds }: { holds: { prompt: string }[] }) => holds.map(({ prompt }) => prompt);

describe("lists of holds", () => {
  it("of open holds are sorted by urgency, filtered and paged by the server", async () => {
    const refund = { context: { tool: "refund", args: { amount: 80, currency: "EUR" } } };
    await place("never");
    await place("late", { timeout: "9h", ...refund });
    await place("soon", { timeout: "1h", ...refund });
    await place("next", { timeout: "2h" });
    expect(prompts(await get("/v1/holds?status=open&sort=urgency"))).toEqual([
      "soon",
      "next",
      "late",
      "never",
    ]);
    expect(prompts(await get("/v1/holds?status=open&sort=oldest"))).toEqual([
      "never",
      "late",
      "soon",
      "next",
    ]);
    expect(prompts(await get("/v1/holds?status=open&sort=urgency&tool=refund"))).toEqual(["soon", "late"]);
    expect(prompts(await get("/v1/holds?status=open&tool=refund"))).toEqual(["soon", "late"]);
    const by = new Date(test.clock.now() + 2 * HOUR_MS).toISOString();
    expect(prompts(await get(`/v1/holds?status=open&sort=urgency&expires_by=${by}`))).toEqual([
      "soon",
      "next",
    ]);
    const first = await get("/v1/holds?status=open&sort=urgency&limit=3");
    const second = await get(`/v1/holds?status=open&sort=urgency&limit=3&cursor=${first.next_cursor}`);
    expect(prompts(second)).toEqual(["never"]);
    expect(second).not.toHaveProperty("next_cursor");
    expect(await get("/v1/hold-counts?by=tool")).toEqual({
      ...{ count: 4, is_exact: true, groups: [{ value: "refund", count: 2, is_exact: true }] },
    });
    expect(await get(`/v1/hold-counts?by=tool&expires_by=${by}`)).toMatchObject({
      groups: [{ value: "refund", count: 1 }],
    });
    expect(await get("/v1/hold-counts?tool=refund&unseen=true")).toEqual({ count: 2, is_exact: true });
  });

  it.each([
    "sort=urgency",
    "status=decided&sort=oldest",
    "status=open&sort=urgency&q=x",
    "status=open&sort=urgency&thread_id=t",
    "status=open&sort=urgency&cursor=aG9sZA",
  ])("are refused with a sort order that does not fit the other parameters: %s", async (query) => {
    const reply = await test.call("GET", `/v1/holds?${query}`, { key: test.keys.operator });
    expect(reply.status).toBe(400);
  });

  it("show an agent only its own holds", async () => {
    expect(prompts(await get("/v1/holds?status=open&sort=urgency", test.keys.otherAgent))).toEqual([]);
    expect(prompts(await get("/v1/holds?status=open&sort=urgency", test.keys.agent))).toHaveLength(4);
  });

  it("find ended holds by person, action, door, tool and period", async () => {
    const hold = await place("Refund order 7?", { context: { tool: "bank" } });
    await post(`/v1/holds/${hold.id}/answer`, { action: "reject" });
    const other = await place("Refund order 8?", { context: { tool: "bank" } });
    await post(`/v1/holds/${other.id}/answer`, { action: "approve" }, test.keys.admin);
    const [name] = [(await get("/v1/me")).name as string];
    const found = async (query: string) => prompts(await get(`/v1/holds?status=decided&${query}`));
    expect(await found("tool=bank")).toEqual(["Refund order 8?", "Refund order 7?"]);
    expect(await found("action=reject")).toEqual(["Refund order 7?"]);
    expect(await found(`decided_by=${name}&door=rest`)).toEqual(["Refund order 7?"]);
    expect(await found("door=console")).toEqual([]);
    const now = new Date(test.clock.now()).toISOString();
    const later = new Date(test.clock.now() + 1).toISOString();
    expect(await found(`tool=bank&settled_from=${now}&settled_before=${later}`)).toEqual(["Refund order 8?"]);
    expect(await found(`settled_from=${later}`)).toEqual([]);
    expect(await found(`settled_before=${now}`)).toEqual(["Refund order 7?"]);
  });
});

describe("work on one hold", () => {
  it("a hold is assigned, listed by its assignee, and handed over", async () => {
    await post("/v1/people", { id: "ben", name: "Ben" }, test.keys.admin);
    const hold = await place("Who takes this?");
    expect(await post(`/v1/holds/${hold.id}/assign`, { to: "ben" })).toMatchObject({ assignee: "ben" });
    expect(prompts(await get("/v1/holds?status=open&sort=urgency&assignee=ben"))).toEqual([
      "Who takes this?",
    ]);
    expect(prompts(await get("/v1/holds?status=open&assignee=none"))).not.toContain("Who takes this?");
    expect(await get("/v1/hold-counts?by=assignee")).toMatchObject({ groups: [{ value: "ben", count: 1 }] });
    expect(await post(`/v1/holds/${hold.id}/assign`, { to: null })).not.toHaveProperty("assignee");
  });

  it("the asker sees what was asked back and not what people wrote to each other, and replies", async () => {
    const hold = await place("Pay the invoice?");
    await post(`/v1/holds/${hold.id}/comments`, { text: "I do not trust this." });
    await post(`/v1/holds/${hold.id}/comments`, { text: "Which invoice?", ask_back: true });
    const seen = await get(`/v1/holds/${hold.id}`, test.keys.agent);
    expect(seen.comments).toMatchObject([{ text: "Which invoice?", asks_back: true }]);
    await post(`/v1/holds/${hold.id}/comments`, { text: "Number 7." }, test.keys.agent);
    const all = await get(`/v1/holds/${hold.id}`);
    expect(all.comments.map(({ text }: { text: string }) => text)).toEqual([
      "I do not trust this.",
      "Which invoice?",
      "Number 7.",
    ]);
    expect(all.comments[2]).toMatchObject({ by_asker: true, by: { kind: "key" } });
    const { events } = await get(`/v1/holds/${hold.id}/events`);
    expect(JSON.stringify(events)).not.toContain("invoice");
    await post(`/v1/holds/${hold.id}/answer`, { action: "approve" });
  });

  it("a comment that is sent again after a lost reply is one comment", async () => {
    const hold = await place("Twice?");
    const headers = { "idempotency-key": "comment-1" };
    const sent = { key: test.keys.operator, headers, body: { text: "Once." } };
    await test.call("POST", `/v1/holds/${hold.id}/comments`, sent);
    const again = await test.call("POST", `/v1/holds/${hold.id}/comments`, sent);
    expect(again.body.comments).toHaveLength(1);
  });

  it("more time moves the expiry, and the log still verifies", async () => {
    const hold = await place("Longer?", { timeout: "1h" });
    const before = Date.parse((await get(`/v1/holds/${hold.id}`)).expires_at);
    const after = await post(`/v1/holds/${hold.id}/extend`, { by: "2h" });
    expect(Date.parse(after.expires_at) - before).toBe(2 * HOUR_MS);
    const until = new Date(before + 5 * HOUR_MS).toISOString();
    expect(await post(`/v1/holds/${hold.id}/extend`, { until })).toMatchObject({ expires_at: until });
    expect(
      (await test.call("POST", `/v1/holds/${hold.id}/extend`, { key: test.keys.operator, body: {} })).status,
    ).toBe(422);
    expect((await verifyLog(test.store)).breaks).toEqual([]);
  });

  it("a hold is snoozed by one person, and agents do not learn of it", async () => {
    const hold = await place("Later");
    const mine = await post(`/v1/holds/${hold.id}/snooze`, { for: "1h" });
    expect(mine.snoozed).toMatchObject([{ until: new Date(test.clock.now() + HOUR_MS).toISOString() }]);
    expect(await get(`/v1/holds/${hold.id}`, test.keys.agent)).not.toHaveProperty("snoozed");
    expect(await post(`/v1/holds/${hold.id}/snooze`, {})).not.toHaveProperty("snoozed");
  });

  it("a person who has a hold open is named to others for half a minute", async () => {
    const hold = await place("Who looks?");
    const look = (key: string) => post(`/v1/holds/${hold.id}/looking`, undefined, key);
    expect(await look(test.keys.operator)).toEqual({ others: [] });
    const { others } = await look(test.keys.admin);
    expect(others).toMatchObject([{ name: (await get("/v1/me")).name }]);
    await test.clock.advance(20_000);
    expect((await look(test.keys.operator)).others).toHaveLength(1);
    await test.clock.advance(20_000);
    expect((await look(test.keys.admin)).others).toMatchObject([{ since: others[0].since }]);
    await test.clock.advance(31_000);
    expect((await look(test.keys.admin)).others).toEqual([]);
  });
});

describe("summaries", () => {
  it("the overview counts what waits, what ends soon and what ended, and names what stalled", async () => {
    await using fresh = await testServer();
    const { agent, operator } = fresh.keys;
    const ask = async (body: object) =>
      (
        await fresh.call("POST", "/v1/holds", {
          key: agent,
          body: { type: "approval", prompt: "Go?", ...body },
        })
      ).body;
    await ask({ timeout: "10m", context: { tool: "refund" } });
    await ask({ ladder: [{ after: "1m", channel: "pager", to: "lead" }] });
    const done = await ask({ context: { amount: 80, currency: "EUR" } });
    await fresh.call("POST", `/v1/holds/${done.id}/answer`, { key: operator, body: { action: "approve" } });
    const claim = await fresh.call("POST", `/v1/holds/${done.id}/claim`, {
      key: agent,
      body: { digest: done.digest },
    });
    const path = `/v1/holds/${done.id}/claim/${claim.body.id}/done`;
    await fresh.call("POST", path, { key: agent, body: { ok: false } });
    const gone = await ask({});
    await fresh.call("POST", `/v1/holds/${gone.id}/cancel`, { key: agent, body: {} });
    await fresh.clock.advance(60_000);
    const seen = (await fresh.call("GET", "/v1/overview", { key: operator })).body;
    expect(seen).toMatchObject({
      waiting: { count: 2, is_exact: true },
      unassigned: { count: 2 },
      unseen: { count: 2 },
      by_agent: { groups: [{ count: 2 }] },
      by_tool: { groups: [{ value: "refund", count: 1 }] },
      escalated: { count: 1 },
      stalled: { count: 1, holds: [{ id: done.id, amount: "80.00 EUR" }] },
      is_endings_exact: true,
    });
    expect(seen.expiring.map(({ count }: { count: number }) => count)).toEqual([1, 1, 1, 1]);
    expect(seen.endings).toContainEqual({ ending: "approve", count: 1 });
    expect(seen.endings).toContainEqual({ ending: "cancelled", count: 1 });
    const decided = seen.hours.reduce((sum: number, hour: { decided: number }) => sum + hour.decided, 0);
    expect(decided).toBe(1);
  });

  it("an activity on a portfolio names who acted, and is found by that name", async () => {
    await using fresh = await testServer();
    const { agent, operator } = fresh.keys;
    await fresh.call("POST", "/api/v1/portfolios", { key: agent, body: { name: "Q3" } });
    const read = async (query: string) =>
      (await fresh.call("GET", `/v1/activity?${query}`, { key: operator })).body.activities;
    const [made] = await read("types=portfolio.made");
    expect(made).toMatchObject({ who: "refunder", data: { name: "Q3" } });
    expect(await read("types=portfolio.made&person=refunder")).toHaveLength(1);
    expect(await read("types=portfolio.made&person=nobody")).toEqual([]);
  });

  it("finds what a person decided by a link that was sent to them", async () => {
    await using fresh = await testServer();
    const { agent, operator, admin } = fresh.keys;
    await fresh.call("POST", "/v1/people", { key: admin, body: { id: "kim", name: "Kim Lee" } });
    for (const to of ["person:kim", "lin@example.com"]) {
      const body = { type: "approval", prompt: `For ${to}` };
      const hold = (await fresh.call("POST", "/v1/holds", { key: agent, body })).body;
      const made = await fresh.call("POST", `/v1/holds/${hold.id}/links`, { key: operator, body: { to } });
      const { pathname, search } = new URL(made.body.url);
      await fresh.call("POST", `${pathname}/respond${search}`, { body: { action: "approve" } });
    }
    const read = async (path: string) => (await fresh.call("GET", path, { key: operator })).body;
    const { activities } = await read("/v1/activity?person=kim&types=hold.decided");
    expect(activities).toMatchObject([{ who: "Kim Lee", hold: { prompt: "For person:kim" } }]);
    const { holds } = await read("/v1/holds?status=decided&decided_by=kim");
    expect(holds).toMatchObject([{ prompt: "For person:kim" }]);
  });

  it("names the person of a session and of a sign-in link, besides who ended or made it", async () => {
    await using fresh = await testServer();
    const { operator, admin } = fresh.keys;
    await fresh.call("POST", "/v1/people", { key: admin, body: { id: "kim", name: "Kim Lee" } });
    await fresh.call("POST", "/v1/sign-ins", { key: admin, body: { name: "kim", role: "operator" } });
    const { activities } = (await fresh.call("GET", "/v1/activity", { key: operator })).body;
    expect(activities[0]).toMatchObject({ type: "sign_in.made", who: "root", whom: "Kim Lee" });
  });

  it("a check is found by its tool, though nobody was asked", async () => {
    await using fresh = await testServer();
    const { operator, agent, admin } = fresh.keys;
    const rules = { rules: [{ tools: ["search"], verdict: "allow" }] };
    await fresh.call("PUT", "/v1/rules", { key: admin, body: rules });
    await fresh.call("POST", "/v1/checks", { key: agent, body: { tool: "search", args: {} } });
    const types = async (tool: string) =>
      (await fresh.call("GET", `/v1/activity?tool=${tool}`, { key: operator })).body.activities.map(
        ({ type }: { readonly type: string }) => type,
      );
    expect(await types("search")).toEqual(["check.recorded"]);
    expect(await types("refund")).toEqual([]);
  });

  it("activities have names and what they are about, newest first, in pages and filtered", async () => {
    await using fresh = await testServer();
    const { agent, operator, admin } = fresh.keys;
    const me = (await fresh.call("GET", "/v1/me", { key: operator })).body.name as string;
    await fresh.call("POST", "/v1/people", { key: admin, body: { id: me, name: "Ada Obi" } });
    await fresh.call("PATCH", `/v1/people/${me}`, { key: admin, body: { name: "Ada Obi" } });
    const context = { tool: "refund", args: { amount: 80, currency: "EUR" } };
    const body = { type: "approval", prompt: "Refund 1042?", context };
    const hold = (await fresh.call("POST", "/v1/holds", { key: agent, body })).body;
    await fresh.clock.advance(240_000);
    await fresh.call("POST", `/v1/holds/${hold.id}/answer`, { key: operator, body: { action: "approve" } });
    const read = async (query = "") =>
      (await fresh.call("GET", `/v1/activity?${query}`, { key: operator })).body;
    const [newest] = (await read()).activities;
    expect(newest).toMatchObject({
      type: "hold.decided",
      who: "Ada Obi",
      data: { action: "approve", door: "rest" },
      hold: { prompt: "Refund 1042?", amount: "80.00 EUR", tool: "refund", created_by: "refunder" },
    });
    const types = async (query: string) =>
      (await read(query)).activities.map(({ type }: { type: string }) => type);
    expect(await types("ending=approve")).toEqual(["hold.decided"]);
    expect(await types("ending=reject")).toEqual([]);
    expect(await types("door=rest")).toEqual(["hold.decided"]);
    expect(await types(`person=${me}`)).toContain("hold.decided");
    expect(await types("person=nobody")).toEqual([]);
    expect(await types("agent=refunder")).toEqual(["hold.decided", "hold.placed"]);
    expect(await types("tool=refund")).toEqual(["hold.decided", "hold.placed"]);
    expect(await types("tool=none")).toEqual([]);
    expect(await types(`hold_id=${hold.id}&types=hold.placed`)).toEqual(["hold.placed"]);
    const at = newest.at as string;
    expect(await types(`agent=refunder&from=${at}`)).toEqual(["hold.decided"]);
    expect(await types(`agent=refunder&until=${at}`)).toEqual(["hold.placed"]);
    const all: number[] = [];
    let next = "";
    do {
      const page = await read(`limit=1${next}`);
      all.push(...page.activities.map(({ position }: { position: number }) => position));
      next = page.next_before === undefined ? "" : `&before=${page.next_before}`;
    } while (next !== "");
    expect(all).toEqual([...new Set(all)].toSorted((a, b) => b - a));
    expect(all.length).toBeGreaterThan(2);
  });

  it("the history of a hold is paged to its first event, however long it is, and the last page says that it is the last", async () => {
    await using fresh = await testServer();
    const { agent, operator } = fresh.keys;
    const body = { type: "approval", prompt: "Pay?" };
    const { id } = (await fresh.call("POST", "/v1/holds", { key: agent, body })).body;
    // Each link is an event of the hold; more than one window of the log.
    for (let n = 0; n < 1_050; n += 1)
      await fresh.call("POST", `/v1/holds/${id}/links`, { key: operator, body: {} });
    const read = async (query: string) =>
      (await fresh.call("GET", `/v1/activity?hold_id=${id}&${query}`, { key: operator })).body;
    const newest = await read("limit=200");
    expect(newest.activities[0].position).toBe(await fresh.server.engine.store.lastPosition());
    const positions: number[] = [];
    let types: string[] = [];
    let pages = 0;
    for (let before: number | undefined; ; pages += 1) {
      const page = await read(`limit=200${before === undefined ? "" : `&before=${before}`}`);
      positions.push(...page.activities.map(({ position }: { position: number }) => position));
      types = page.activities.map(({ type }: { type: string }) => type);
      before = page.next_before;
      if (before === undefined) break;
    }
    expect([positions.length, new Set(positions).size, pages]).toEqual([1_051, 1_051, 5]);
    expect(positions).toEqual(positions.toSorted((one, other) => other - one));
    expect(types.at(-1)).toBe("hold.placed");
    const exact = await read(`limit=1&before=${(positions.at(-1) ?? 0) + 1}`);
    expect([exact.activities.length, exact.next_before]).toEqual([1, undefined]);
    expect((await read("limit=1&before=1")).activities).toEqual([]);
  });

  it("an event about a team names the team, also after it was removed", async () => {
    await using fresh = await testServer();
    const { admin, operator } = fresh.keys;
    await fresh.call("POST", "/v1/teams", { key: admin, body: { id: "team-7", name: "Finance" } });
    await fresh.call("DELETE", "/v1/teams/team-7", { key: admin });
    const { activities } = (
      await fresh.call("GET", "/v1/activity?types=team.added,team.removed", { key: operator })
    ).body;
    expect(activities).toMatchObject([
      { type: "team.removed", team: "Finance", data: { team_id: "team-7" } },
      { type: "team.added", team: "Finance" },
    ]);
  });
});
