import { describe, expect, it } from "vitest";
import { testServer } from "../../testing/test-server.ts";

const REFUND = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } } as const;

describe("the native API", () => {
  it("the native API places a hold, shows it, takes the answer and notifies the waiter", async () => {
    await using test = await testServer();
    const placed = await test.call("POST", "/v1/holds", {
      key: test.keys.agent,
      body: { ...REFUND, key: "refund:o-1" },
    });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ status: "open", created_by: "refunder", version: 1, attempt: 1 });
    expect(placed.body.review_url).toMatch(/^http:\/\/localhost:4100\/review\/review_\w+\?token=[\w-]{43}$/);

    const waiting = test.call("GET", `/v1/holds/${placed.body.id}?wait=30`, { key: test.keys.agent });
    const body = { action: "approve", data: { feedback: "fine" } };
    const answered = await test.call("POST", `/v1/holds/${placed.body.id}/answer`, {
      key: test.keys.operator,
      body,
    });
    expect(answered.status).toBe(200);
    const outcome = {
      kind: "decided",
      action: "approve",
      data: { feedback: "fine" },
      door: "rest",
      by: { kind: "key", name: "ada" },
    };
    expect(answered.body.outcome).toMatchObject(outcome);
    expect((await waiting).body.outcome).toMatchObject(outcome);
  });

  it("G1 fifty racing answers, a cancellation and an expiry give one outcome, and every loser is told", async () => {
    for (let round = 0; round < 20; round += 1) {
      await using test = await testServer();
      const { body: hold } = await test.call("POST", "/v1/holds", {
        key: test.keys.agent,
        body: { ...REFUND, timeout: "10s" },
      });
      const racing = Array.from({ length: 50 }, (_, i) =>
        test.call("POST", `/v1/holds/${hold.id}/answer`, {
          key: test.keys.operator,
          body: { action: i % 2 === 0 ? "approve" : "reject" },
        }),
      );
      const cancel = test.call("POST", `/v1/holds/${hold.id}/cancel`, { key: test.keys.agent, body: {} });
      const expiry = round % 3 === 0 ? test.clock.advance(10_000) : test.clock.advance(9_999);
      const replies = await Promise.all([...racing, cancel]);
      await expiry;
      const { body: now } = await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.agent });
      expect(now.status).not.toBe("open");
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(now.status === "expired" ? 0 : 1);
      for (const { status, body } of replies.filter(({ status }) => status !== 200)) {
        expect([409, 410]).toContain(status);
        expect(body.outcome).toEqual(now.outcome);
      }
    }
  });
});
