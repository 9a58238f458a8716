/** What a review page with script reads and keeps while it is open. */

import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const FORM = {
  session_id: "s1",
  fields: [
    { key: "name", label: "Name", type: "text", required: true },
    { key: "pin", label: "PIN", type: "text", sensitive: true },
  ],
};

async function opened(test: TestServer, ask: object = {}) {
  const body = { type: "input", prompt: "Who?", form: FORM, ...ask };
  const { body: hold, status } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  expect(status).toBe(201);
  const { pathname, search } = new URL(hold.review_url);
  const at = (what: string, token = search) => `${pathname}/${what}${token}`;
  const json = { accept: "application/json" };
  return {
    hold,
    state: (more = "", token = search) => test.call("GET", at("state", token) + more, { headers: json }),
    keep: (draft: unknown, token = search) => test.call("PUT", at("draft", token), { body: draft }),
    answer: (form: Record<string, string>) =>
      test.server.app.request(at("answer"), {
        method: "POST",
        headers: { ...json, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
      }),
    read: async () => (await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.agent })).body,
  };
}

describe("GET /review/:id/state", () => {
  it("the page's state is served as data, and reading it neither decides nor opens the hold (G6)", async () => {
    await using test = await testServer();
    const one = await opened(test);
    const { status, body, headers } = await one.state();
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({ hold: { id: one.hold.id, status: "open" }, values: {}, problems: [] });
    expect(await one.read()).not.toHaveProperty("opened_at");
  });

  it("the page's state waits for the end of the hold, and its reply has no sensitive values", async () => {
    await using test = await testServer();
    const one = await opened(test);
    const waiting = one.state("&wait=20");
    await one.answer({ _action: "submit", name: "Ada", pin: "1234" });
    const { body } = await waiting;
    expect(body.hold).toMatchObject({
      status: "decided",
      outcome: { data: { name: "Ada", pin: { withheld: true } } },
    });
    expect(JSON.stringify(body)).not.toContain("1234");
  });

  it("the page's state waits no longer than the request asks", async () => {
    await using test = await testServer();
    const one = await opened(test);
    const waiting = one.state("&wait=20");
    await test.clock.advance(20_000);
    expect((await waiting).body.hold.status).toBe("open");
  });

  it("the page's state needs the hold's own link, and refuses a revoked one", async () => {
    await using test = await testServer();
    const one = await opened(test);
    expect((await one.state("", "?token=wrong")).status).toBe(401);
    expect((await one.state("", "?")).status).toBe(401);
    const [link] = (await test.call("GET", `/v1/holds/${one.hold.id}/links`, { key: test.keys.operator }))
      .body.links;
    await test.call("DELETE", `/v1/holds/${one.hold.id}/links/${link.id}`, { key: test.keys.operator });
    expect((await one.state()).status).toBe(401);
  });
});

describe("PUT /review/:id/draft", () => {
  it("a draft stores the entered values without the sensitive ones, and returns the progress", async () => {
    await using test = await testServer();
    const one = await opened(test);
    expect((await one.keep({ values: { name: "Ad", pin: "1234" }, step: 1 })).status).toBe(204);
    expect((await one.state()).body).toMatchObject({ values: { name: "Ad" }, step: 1 });
    expect(await one.read()).toMatchObject({ progress: { completed_fields: 1, total_fields: 2 } });
    const kept = await test.store.load([
      { workspace: "default", kind: "form_session", id: one.hold.id, read: true },
    ]);
    expect(JSON.stringify(kept)).not.toContain("1234");
  });

  it("a draft is refused if the hold has no form, the body has no values, or the hold has ended", async () => {
    await using test = await testServer();
    const plain = await opened(test, { type: "approval", form: undefined });
    expect((await plain.keep({ values: {} })).status).toBe(422);
    const one = await opened(test);
    for (const bad of [{}, { values: 3 }, [], "no json", null])
      expect((await one.keep(bad)).status).toBe(422);
    expect((await one.keep({ values: {} }, "?token=wrong")).status).toBe(401);
    await one.answer({ _action: "submit", name: "Ada" });
    expect((await one.keep({ values: { name: "B" } })).status).toBe(409);
    const late = await opened(test, { timeout: "1m" });
    await test.clock.advance(60_000);
    expect((await late.keep({ values: { name: "B" } })).status).toBe(410);
  });

  it("a draft of a form without a session is counted as progress, and its values are not stored", async () => {
    await using test = await testServer();
    const one = await opened(test, { form: { fields: FORM.fields } });
    expect((await one.keep({ values: { name: "Ad" } })).status).toBe(204);
    expect((await one.state()).body.values).toEqual({});
    expect(await one.read()).toMatchObject({ progress: { completed_fields: 1 } });
  });
});
