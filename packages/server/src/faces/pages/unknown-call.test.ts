/** No page, console or button in a message approves a call that nobody can show by one press (G15). */

import { describe, expect, it } from "vitest";
import { TAPPED } from "../../testing/hitl-cases.ts";
import { testServer } from "../../testing/test-server.ts";

async function stage(context: object = { call_unknown: true }) {
  const test = await testServer();
  const { agent, operator } = test.keys;
  const placed = await test.call("POST", "/v1/holds", {
    key: agent,
    body: { type: "approval", prompt: "Run a tool?", context },
  });
  const at = `/v1/holds/${placed.body.id}`;
  const link = async (body: object) => (await test.call("POST", `${at}/links`, { key: operator, body })).body;
  const review = new URL((await link({})).url);
  const send = (path: string, init: RequestInit) => test.server.app.request(path, init);
  return {
    test,
    at,
    link,
    show: async (accept = "text/html") =>
      (await send(review.pathname + review.search, { headers: { accept } })).text(),
    press: (form: Record<string, string>) =>
      send(`${review.pathname}/answer${review.search}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
      }),
    status: async () => (await test.call("GET", at, { key: operator })).body.status,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

describe("a hold whose exact call is unknown", () => {
  it("G15: the page says that the call is unknown, and asks how the reviewer knows what will run", async () => {
    await using here = await stage();
    const page = await here.show();
    expect(page).toContain("The exact call is unknown.");
    expect(page).toContain("How do you know what will run?");
    await using known = await stage({ tool: "pay", args: { amount: 5 } });
    expect(await known.show()).not.toContain("The exact call is unknown.");
  });

  it("G15: an unknown call cannot be approved by one press on the page, and can be with a note", async () => {
    await using here = await stage();
    const pressed = await here.press({ _action: "approve" });
    expect(pressed.status).toBe(422);
    expect(await pressed.text()).toContain("must say how you know what will run");
    expect(await here.status()).toBe("open");
    expect((await here.press({ _action: "approve", note: "I looked at the ledger." })).status).toBe(303);
    expect(await here.status()).toBe("decided");
  });

  it("G15: an unknown call can be rejected by one press", async () => {
    await using here = await stage();
    expect((await here.press({ _action: "reject" })).status).toBe(303);
    expect(await here.status()).toBe("decided");
  });

  it("G15: an unknown call cannot be approved by a button in a message", async () => {
    await using here = await stage();
    const { token } = await here.link({ purpose: "submit", actions: ["approve", "reject"] });
    const { case_id } = (await here.test.call("GET", here.at, { key: here.test.keys.operator })).body;
    const reply = await here.test.server.app.request(`/reviews/${case_id}/submit`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({
        action: "approve",
        data: { note: "pressed" },
        ...TAPPED,
      }),
    });
    expect(await reply.json()).toMatchObject({ error: "action_not_inline" });
    expect(await here.status()).toBe("open");
  });
});
