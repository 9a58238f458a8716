import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { HITL, reviewWith } from "../testing/reviews.ts";
import { COMPLETED, PENDING, polled, stubService } from "../testing/stub-service.ts";
import { callbackInbox, verifyCallback } from "./callback.ts";
import { waitForDecision } from "./wait.ts";

const SECRET = "callback secret";
const BODY = JSON.stringify({
  event: "review.completed",
  case_id: "review_ab12",
  timestamp: "2026-03-01T10:05:00Z",
  completed_at: "2026-03-01T10:05:00Z",
  result: { action: "confirm", data: { note: "Grüße" } },
});

const bytesOf = (text: string) => new TextEncoder().encode(text);
const sign = (text: string, secret = SECRET) =>
  `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

function callback(body: string, signature: string | null, method = "POST"): Request {
  return new Request("https://agent.example/hook", {
    method,
    ...(method === "POST" ? { body } : {}),
    headers: signature === null ? {} : { "x-hitl-signature": signature },
  });
}

describe("the signature", () => {
  test("HP-168 a callback's signature is valid only for exactly its bytes", async () => {
    expect(await verifyCallback(bytesOf(BODY), sign(BODY), SECRET)).toBe(true);
    const bytes = bytesOf(BODY);
    for (const index of [0, 1, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const tampered = Uint8Array.from(bytes);
      tampered[index] = (tampered[index] ?? 0) ^ 1;
      expect(await verifyCallback(tampered, sign(BODY), SECRET), `byte ${index}`).toBe(false);
    }
    expect(await verifyCallback(bytesOf(`${BODY} `), sign(BODY), SECRET)).toBe(false);
    expect(await verifyCallback(bytesOf(JSON.stringify(JSON.parse(BODY), null, 1)), sign(BODY), SECRET)).toBe(
      false,
    );
  });

  test("HP-168 a callback's signature is invalid with one changed digit, another secret or another format", async () => {
    const good = sign(BODY);
    for (let index = 7; index < good.length; index += 1) {
      const digit = good[index] === "0" ? "1" : "0";
      const bad = good.slice(0, index) + digit + good.slice(index + 1);
      expect(await verifyCallback(bytesOf(BODY), bad, SECRET)).toBe(false);
    }
    expect(await verifyCallback(bytesOf(BODY), sign(BODY, "other"), SECRET)).toBe(false);
    for (const bad of [null, "", good.slice(7), good.toUpperCase(), `${good}0`, good.slice(0, -1), "sha256="])
      expect(await verifyCallback(bytesOf(BODY), bad, SECRET)).toBe(false);
    expect(await verifyCallback(bytesOf(BODY), sign(BODY, ""), "")).toBe(false);
  });
});

describe("the callback inbox", () => {
  const inbox = callbackInbox({ secret: SECRET });

  test.each([
    ["signed and readable", callback(BODY, sign(BODY)), 200],
    ["unsigned", callback(BODY, null), 401],
    ["signed with another secret", callback(BODY, sign(BODY, "other")), 401],
    ["no JSON", callback("{", sign("{")), 400],
    ["no ending of a case", callback('{"event":"review.opened"}', sign('{"event":"review.opened"}')), 400],
    ["too large", callback("x".repeat(1_048_577), null), 413],
    ["a GET", callback("", null, "GET"), 405],
  ])("the inbox answers a callback that is %s with the right status", async (_what, request, status) => {
    expect((await inbox.handle(request)).status).toBe(status);
  });

  test("HP-161 a callback wakes the wait for its case, and the poll says what was decided", async () => {
    const clock = manualClock();
    const service = stubService();
    const poll = HITL["poll_url"] as string;
    service.on(poll, polled(PENDING), polled({ ...COMPLETED, result: { action: "cancel", data: {} } }));
    const own = callbackInbox({ secret: SECRET });
    const waiting = waitForDecision(reviewWith(), { access: service.access, clock, callbacks: own });
    await clock.advance(120_000);
    expect(service.askedFor(poll)).toHaveLength(1);
    const other = BODY.replace("review_ab12", "review_other");
    await own.handle(callback(other, sign(other)));
    await clock.advance(1_000);
    expect(service.askedFor(poll)).toHaveLength(1);
    await own.handle(callback(BODY, sign(BODY)));
    await clock.settle();
    expect(await waiting).toMatchObject({ kind: "completed", action: "cancel" });
    expect(clock.sleeping()).toBe(0);
  });

  test("HP-165 a decision whose callback never comes is still found by polling", async () => {
    const clock = manualClock();
    const service = stubService();
    service.on(HITL["poll_url"] as string, polled(PENDING), polled(COMPLETED));
    const waiting = waitForDecision(reviewWith(), { access: service.access, clock, callbacks: inbox });
    await clock.advance(300_000);
    expect((await waiting).kind).toBe("completed");
  });
});
