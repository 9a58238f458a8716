import { describe, expect, test } from "vitest";
import { openCase } from "../../testing/hitl-cases.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { openIntentServer } from "../../testing/openintent.ts";
import { Receiver } from "../../testing/receiver.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const FORM = {
  fields: [
    { key: "iban", label: "IBAN", type: "text", sensitive: true },
    { key: "note", label: "Note", type: "text" },
  ],
};
const CASE = { type: "input", prompt: "Where to?", context: { form: FORM }, withhold_sensitive: true };
const GIVEN = { iban: "DE00-SECRET", note: "n" };
const TOLD = { iban: { withheld: true }, note: "n" };

describe("a case that withholds what is sensitive (D-16)", () => {
  test("a case that withholds sensitive values shows them as withheld in poll, stream, callback, native read and wait, and stores the answer", async () => {
    await using receiver = await Receiver.start();
    let server: TestServer | undefined;
    const clock = new ManualClock({ settle: async () => server?.server.sender.idle() });
    await using test = await testServer({ clock });
    server = test;
    const opened = await openCase(test, { ...CASE, hitl_callback_url: receiver.url() });
    expect((await opened.respond({ action: "submit", data: GIVEN })).status).toBe(200);
    const holdId = opened.id.replace("review_", "hold_");
    const poll = (await opened.poll()).body;
    expect(poll.result).toEqual({ action: "submit", data: TOLD });
    const stream = await test.call("GET", new URL(opened.hitl.events_url).pathname, {
      key: test.keys.agent,
    });
    expect(stream.body).toContain('"iban":{"withheld":true}');
    for (const query of ["", "?wait=5"]) {
      const { body } = await test.call("GET", `/v1/holds/${holdId}${query}`, { key: test.keys.agent });
      expect(body).toMatchObject({ withhold_sensitive: true, outcome: { data: TOLD } });
    }
    await clock.advance(1_000);
    const [callback] = receiver.requests;
    expect(JSON.parse(callback?.body ?? "{}").result.data).toEqual(TOLD);
    for (const text of [stream.body, callback?.body]) expect(text).not.toContain("DE00-SECRET");
    for (const key of [test.keys.dev, test.keys.admin, test.keys.operator])
      expect((await test.call("GET", `/v1/holds/${holdId}`, { key })).body.outcome.data).toEqual(TOLD);

    const [row] = await test.store.load([{ workspace: "default", kind: "hold", id: holdId, read: true }]);
    expect(row?.body).toMatchObject({ outcome: { data: GIVEN } });
    const events = (await test.call("GET", `/v1/holds/${holdId}/events`, { key: test.keys.auditor })).body
      .events;
    expect(events.at(-1)).toMatchObject({ type: "hold.decided", data: { action: "submit", door: "page" } });
    expect(JSON.stringify(events)).not.toContain("DE00-SECRET");
    const verified = await test.call("POST", "/v1/log/verify", { key: test.keys.auditor });
    expect(verified.body).toMatchObject({ breaks: [] });
  });

  test("without withhold_sensitive the creator of a case gets the sensitive values", async () => {
    await using test = await testServer();
    const { withhold_sensitive: _, ...open } = CASE;
    const opened = await openCase(test, open);
    await opened.respond({ action: "submit", data: GIVEN });
    expect((await opened.poll()).body.result.data).toEqual(GIVEN);
  });

  test("a native hold on an intent withholds sensitive values in the suspension too", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const body = { type: "input", prompt: "?", form: FORM, intent_id: id, withhold_sensitive: true };
    const placed = await oi.call("POST", "/v1/holds", { body });
    const answered = await oi.call("POST", `/v1/holds/${placed.body.id}/answer`, {
      as: "operator",
      body: { action: "submit", data: GIVEN },
    });
    expect(answered.status).toBe(200);
    expect((await oi.get(id, { as: "agent" })).state._suspension.response).toEqual(TOLD);
  });
});
