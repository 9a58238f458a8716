import { describe, expect, it } from "vitest";
import { type AgentLinks, NO_PLATFORM } from "../../kernel/platform.ts";
import { openCase, TAPPED } from "../../testing/hitl-cases.ts";
import { rewriteLinks } from "../../testing/rewrite-links.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;
const CASE = { ...ASK, inline: true };

const post = (test: TestServer, path: string, key: string, body: object = {}) =>
  test.call("POST", path, { key, body });

async function placed(test: TestServer, more: object = {}) {
  return (await post(test, "/v1/holds", test.keys.agent, { ...ASK, ...more })).body;
}

const read = async (test: TestServer, id: string) =>
  (await test.call("GET", `/v1/holds/${id}`, { key: test.keys.operator })).body;

/** As an agent would answer: with its link, as any program can. */
const respond = (test: TestServer, reviewUrl: string, action = "approve") => {
  const { pathname, search } = new URL(reviewUrl);
  return test.call("POST", `${pathname.replace("/review/", "/reviews/")}/respond${search}`, {
    body: { action },
  });
};

const submit = (test: TestServer, caseId: string, token: string) =>
  post(test, `/reviews/${caseId}/submit`, token, { ...TAPPED, action: "approve" });

const allowing = (agentLinks: AgentLinks) => testServer({ platform: { agentLinks } });

describe("attack 1: a link made by or handed to the asker carries no person (G7)", () => {
  it("an agent that makes an inline token in a person's name cannot answer what only they may answer", async () => {
    await using test = await testServer();
    const hold = await placed(test, { links: "agent", answerers: ["ada"] });
    const link = await post(test, `/v1/holds/${hold.id}/links`, test.keys.agent, {
      purpose: "submit",
      to: "ada",
    });
    expect(link).toMatchObject({ status: 201, body: { given_to: "asker" } });
    expect(link.body).not.toHaveProperty("to");
    expect(await submit(test, hold.case_id, link.body.token)).toMatchObject({ status: 403 });
    expect(await respond(test, hold.review_url)).toMatchObject({ status: 403 });
    expect(await read(test, hold.id)).toMatchObject({ status: "open" });
  });

  it("an app's own inline token names nobody either", async () => {
    await using test = await testServer();
    const { body: hold } = await post(test, "/v1/holds", test.keys.app, {
      ...ASK,
      answerers: ["ada"],
      links: "agent",
    });
    const made = await post(test, `/v1/holds/${hold.id}/links`, test.keys.app, {
      purpose: "submit",
      to: "ada",
    });
    expect(await submit(test, hold.case_id, made.body.token)).toMatchObject({ status: 403 });
  });

  it("an answer by the asker's token names no person in the outcome, whatever name it claims", async () => {
    await using test = await testServer();
    const hold = await placed(test, { links: "agent" });
    const link = await post(test, `/v1/holds/${hold.id}/links`, test.keys.agent, {
      purpose: "submit",
      to: "ada@example.com",
    });
    expect(await submit(test, hold.case_id, link.body.token)).toMatchObject({ status: 200 });
    const { outcome } = await read(test, hold.id);
    expect(outcome.by).toMatchObject({ kind: "link", id: link.body.id, given_to: "asker" });
    expect(outcome.by).not.toHaveProperty("name");
    const status = await test.call("GET", `/reviews/${hold.case_id}/status`, { key: test.keys.agent });
    expect(status.body.responded_by ?? {}).not.toHaveProperty("email");
  });

  it("a link that an operator makes for a person counts for that person", async () => {
    await using test = await testServer();
    const hold = await placed(test, { answerers: ["grace"] });
    const link = await post(test, `/v1/holds/${hold.id}/links`, test.keys.operator, { to: "grace" });
    expect(link.body).toMatchObject({ to: "grace" });
    expect(link.body).not.toHaveProperty("given_to");
    expect(await respond(test, link.body.url)).toMatchObject({ status: 200 });
    expect((await read(test, hold.id)).outcome.by).toEqual({ kind: "link", id: link.body.id, name: "grace" });
  });

  it("links of a database from before this rule still work, and name nobody", async () => {
    await using test = await testServer();
    const hold = await placed(test, { links: "agent" });
    await rewriteLinks(test, ({ givenTo: _new, ...link }) => ({ ...link, recipient: "ada@example.com" }));
    const { body } = await test.call("GET", `/v1/holds/${hold.id}/links`, { key: test.keys.operator });
    expect(body.links).toMatchObject([{ given_to: "asker" }]);
    expect(body.links[0]).not.toHaveProperty("to");
    expect(await respond(test, hold.review_url)).toMatchObject({ status: 200 });
    const { outcome } = await read(test, hold.id);
    expect(outcome.by).toMatchObject({ kind: "link", given_to: "asker" });
    expect(outcome.by).not.toHaveProperty("name");
  });
});

describe("attack 3: an asker is given a link only where the operator allows it (G7)", () => {
  it.each(["never", "hitl"] as const)(
    "with agent_links: %s a native placing returns no link",
    async (agentLinks) => {
      await using test = await allowing(agentLinks);
      for (const links of [{}, { links: "agent" }]) {
        const reply = await post(test, "/v1/holds", test.keys.agent, { ...ASK, ...links });
        expect(reply).toMatchObject({ status: 201, body: { links: "server" } });
        expect(reply.body).not.toHaveProperty("review_url");
      }
      const group = await post(test, "/v1/groups", test.keys.agent, {
        holds: [ASK, { ...ASK, links: "agent" }],
      });
      for (const hold of group.body.holds) {
        expect(hold.links).toBe("server");
        expect(hold).not.toHaveProperty("review_url");
      }
    },
  );

  it.each(["never", "hitl"] as const)(
    "with agent_links: %s the asker cannot make an inline token",
    async (agentLinks) => {
      await using test = await allowing(agentLinks);
      const hold = await placed(test, { links: "agent" });
      const link = await post(test, `/v1/holds/${hold.id}/links`, test.keys.agent, { purpose: "submit" });
      expect(link).toMatchObject({ status: 403, body: { code: "not_allowed" } });
      expect(
        (await test.call("GET", `/v1/holds/${hold.id}/links`, { key: test.keys.operator })).body.links,
      ).toEqual([]);
    },
  );

  it("with agent_links: always a placing returns a link, but by default not where people are named", async () => {
    await using test = await allowing("always");
    expect(await placed(test)).toMatchObject({ links: "agent", review_url: expect.any(String) });
    expect(await placed(test, { answerers: ["ada"] })).toMatchObject({ links: "server" });
  });

  it("an embedded server without this setting gives links with HITL cases only", async () => {
    await using test = await testServer({ platform: NO_PLATFORM });
    expect(await placed(test, { links: "agent" })).toMatchObject({ links: "server" });
  });

  it.each(["hitl", "always"] as const)(
    "with agent_links: %s HITL cases carry a link and inline tokens",
    async (agentLinks) => {
      await using test = await allowing(agentLinks);
      const opened = await openCase(test, CASE);
      expect(opened.token).not.toBe("");
      expect(opened.hitl).toHaveProperty("submit_token");
      const service = await placed(test, { links: "agent", hitl_case: true });
      expect(service).toMatchObject({ links: "agent", review_url: expect.stringContaining("?token=") });
    },
  );

  it("with agent_links: never HITL cases have no link, and people are reached through channels and the console", async () => {
    await using test = await allowing("never");
    const opened = await openCase(test, CASE);
    expect(opened.hitl.review_url).toMatch(/\/review\/review_[\w-]+$/);
    expect(opened.hitl).not.toHaveProperty("submit_token");
    expect(await read(test, opened.holdId)).toMatchObject({ links: "server" });
    expect(await placed(test, { links: "agent", hitl_case: true })).not.toHaveProperty("review_url");
  });

  it("a case that is found again under its key has a link as long as the operator allows it", async () => {
    const headers = { "idempotency-key": "case-1" };
    await using test = await allowing("hitl");
    const first = await openCase(test, CASE, { headers });
    const again = await openCase(test, CASE, { headers });
    expect(again.id).toBe(first.id);
    expect((await again.respond({ action: "approve" })).status).toBe(200);
  });

  it("an answer by the asker's link is marked as such in the outcome, in the log and on the page", async () => {
    await using test = await testServer();
    const hold = await placed(test);
    expect(await respond(test, hold.review_url)).toMatchObject({ status: 200 });
    const { outcome } = await read(test, hold.id);
    expect(outcome.by).toEqual({ kind: "link", id: expect.stringMatching(/^link_/), given_to: "asker" });
    const { body } = await test.call("GET", `/v1/holds/${hold.id}/events`, { key: test.keys.operator });
    const log = Object.fromEntries(
      body.events.map(({ type, data }: { type: string; data: object }) => [type, data]),
    );
    expect(log["hold.placed"].links_made).toMatchObject([{ given_to: "asker" }]);
    expect(log["hold.decided"].by).toMatchObject({ kind: "link", given_to: "asker" });
    const page = await (await test.server.app.request(hold.review_url)).text();
    expect(page).toContain("by a link that was given to the asking agent");
  });

  it("a dismissal by the asker's link is marked as such too", async () => {
    await using test = await testServer();
    const hold = await placed(test);
    const { pathname, search } = new URL(hold.review_url);
    await test.call("POST", `${pathname.replace("/review/", "/reviews/")}/cancel${search}`, { body: {} });
    expect((await read(test, hold.id)).outcome).toMatchObject({
      kind: "cancelled",
      cancelled_by: { kind: "link", given_to: "asker" },
    });
  });

  it("the next round tells its reviewer that the round before was answered by the asker's link", async () => {
    await using test = await testServer();
    const first = await placed(test);
    await respond(test, first.review_url, "reject");
    const next = await placed(test, { previous: first.id });
    const page = await (await test.server.app.request(next.review_url)).text();
    expect(page).toContain("<strong>reject</strong> by a link that was given to the asking agent");
  });

  it("an intent that a hold suspended shows in the suspension that the asker's link answered", async () => {
    await using test = await testServer();
    const { body: intent } = await post(test, "/api/v1/intents", test.keys.agent, {
      title: "Refund",
      status: "active",
    });
    const hold = await placed(test, { intent_id: intent.id, links: "agent" });
    await respond(test, hold.review_url);
    const { body } = await test.call("GET", `/api/v1/intents/${intent.id}`, { key: test.keys.agent });
    expect(body.state._suspension).toMatchObject({ resolution: "responded", link_given_to: "asker" });
  });
});

describe("a link limited to some actions does nothing else (G7)", () => {
  it("attack 12: a link limited to some actions cannot dismiss the hold on the page or at the protocol's address", async () => {
    await using test = await testServer();
    const hold = await placed(test, { links: "server" });
    const { body: link } = await post(test, `/v1/holds/${hold.id}/links`, test.keys.operator, {
      actions: ["reject"],
    });
    const { pathname, search } = new URL(link.url);
    const cancel = `${pathname.replace("/review/", "/reviews/")}/cancel${search}`;
    expect((await test.call("POST", cancel, { body: {} })).status).toBe(403);
    const dismissed = await test.server.app.request(`${pathname}/dismiss${search}`, { method: "POST" });
    expect(dismissed.status).toBe(403);
    expect(await read(test, hold.id)).toMatchObject({ status: "open" });
    expect(await respond(test, link.url, "approve")).toMatchObject({ status: 403 });
    expect(await respond(test, link.url, "reject")).toMatchObject({ status: 200 });
  });
});
