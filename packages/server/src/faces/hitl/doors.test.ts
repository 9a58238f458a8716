import { describe, expect, test } from "vitest";
import { CONFIRMATION, openCase } from "../../testing/hitl-cases.ts";
import { type OpenIntentServer, openIntentServer, REC } from "../../testing/openintent.ts";
import { testServer } from "../../testing/test-server.ts";

/** A suspended intent, and the hold that it waits on. */
async function suspended(oi: OpenIntentServer, record: object = {}) {
  const { id } = await oi.create();
  await oi.suspend(id, { ...REC, ...record });
  const { body } = await oi.test.call("GET", `/v1/holds?intent_id=${id}`, { key: oi.test.keys.dev });
  const [hold] = body.holds;
  const poll = () => oi.test.call("GET", `/reviews/${hold.case_id}/status`, { key: oi.test.keys.agent });
  const link = async () => {
    const made = await oi.test.call("POST", `/v1/holds/${hold.id}/links`, {
      key: oi.test.keys.operator,
      body: {},
    });
    return new URL(made.body.url).searchParams.get("token");
  };
  return { id, hold, poll, link };
}

describe("one case through every door", () => {
  test("a suspension answered through OpenIntent is a completed case", async () => {
    await using oi = await openIntentServer();
    const { id, poll } = await suspended(oi);
    expect((await poll()).body.status).toBe("pending");
    expect((await oi.respond(id, "s1", "approve", { as: "operator" })).status).toBe(200);
    expect((await poll()).body).toMatchObject({
      status: "completed",
      result: { action: "select", data: { selected: ["approve"] } },
    });
  });

  test("a suspension answered as a HITL case resumes its intent once", async () => {
    await using oi = await openIntentServer();
    const { id, hold, poll, link } = await suspended(oi);
    const token = await link();
    const path = `/reviews/${hold.case_id}/respond?token=${token}`;
    const body = { action: "select", data: { selected: ["deny"] } };
    expect((await oi.test.call("POST", path, { body })).status).toBe(200);
    expect((await oi.get(id)).status).toBe("active");
    expect((await oi.respond(id, "s1", "approve", { as: "operator" })).status).toBe(409);
    expect((await oi.test.call("POST", path, { body })).status).toBe(409);
    expect((await poll()).body.result.data.selected).toEqual(["deny"]);
  });

  test("a suspension with the fallback fail has the default action abort", async () => {
    await using oi = await openIntentServer();
    const { poll } = await suspended(oi, { timeout_seconds: 60 });
    await oi.test.clock.advance(60_000);
    expect((await poll()).body).toMatchObject({ status: "expired", default_action: "abort" });
  });

  test("a case answered inline, on the page and natively has the same single result", async () => {
    await using server = await testServer();
    const opened = await openCase(server, { ...CONFIRMATION, inline: true });
    const native = () =>
      server.call("POST", `/v1/holds/${opened.holdId}/answer`, {
        key: server.keys.operator,
        body: { action: "cancel" },
      });
    const replies = await Promise.all([
      opened.submit({ action: "confirm" }),
      opened.respond({ action: "cancel" }),
      native(),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const { result } = (await opened.poll()).body;
    const { body } = await server.call("GET", `/v1/holds/${opened.holdId}`, { key: server.keys.agent });
    expect(body.outcome).toMatchObject({ action: result.action, data: result.data });
  });
});
