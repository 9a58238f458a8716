import { describe, expect, it } from "vitest";
import { isRefusal, isRetryableError, type Outcome } from "../client/index.ts";
import { isSameDecision } from "./settle.ts";
import { errorOut } from "./testing/fake-replies.ts";
import { failure, setup } from "./testing/setup.ts";

const ask = { type: "approval", prompt: "Go?" } as const;
const ANSWER = /POST .*\/answer/;

describe("an answer over HTTP", () => {
  it("returns the settled hold", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    const hold = await kit.hp.answer(id, { action: "reject", data: { note: "no" }, shown: "d" });
    expect(hold.outcome).toMatchObject({ kind: "decided", action: "reject", data: { note: "no" } });
    expect(kit.server.calls(ANSWER)[0]?.body).toEqual({ action: "reject", data: { note: "no" }, shown: "d" });
  });

  it("is not sent again when its reply was lost and the hold shows that it counted", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.plan(ANSWER, "lose");
    const hold = await kit.hp.answer(id, { action: "approve" });
    expect(hold.status).toBe("decided");
    expect(kit.server.calls(ANSWER)).toHaveLength(1);
  });

  it("is sent again when its reply was lost and the hold is still open", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.plan(ANSWER, "drop", 2);
    expect((await kit.hp.answer(id, { action: "approve" })).status).toBe("decided");
    expect(kit.server.calls(ANSWER)).toHaveLength(3);
  });

  it("is refused when another answer counted, and the error has that outcome", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.plan(ANSWER, "drop");
    const answering = failure(kit.hp.answer(id, { action: "approve" }));
    kit.server.decide(id, "reject");
    const error = await answering;
    expect(isRefusal(error, "already_settled") && error.outcome).toMatchObject({
      kind: "decided",
      action: "reject",
    });
  });

  it("is refused at once when it comes too late", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.decide(id, "approve");
    const error = await failure(kit.hp.answer(id, { action: "approve" }));
    expect(isRefusal(error, "already_settled") && error.outcome).toMatchObject({ action: "approve" });
    expect(kit.server.calls(ANSWER)).toHaveLength(1);
  });

  it("succeeds when its repetition is refused because the first one counted", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    // The first is written only after the hold was read again and found open.
    kit.server.plan(ANSWER, "drop");
    kit.server.plan(`GET /v1/holds/${id}`, { status: 200, body: kit.server.holds.get(id) });
    const answering = kit.hp.answer(id, { action: "approve", data: { note: "x" } });
    kit.server.decide(id, "approve", { note: "x" });
    expect((await answering).outcome).toMatchObject({ action: "approve", data: { note: "x" } });
    expect(kit.server.calls(ANSWER)).toHaveLength(2);
  });

  it("is refused as expired when the hold expired meanwhile", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.plan(ANSWER, "drop");
    const answering = failure(kit.hp.answer(id, { action: "approve" }));
    kit.server.settle(id, { kind: "expired", at: "2026-03-01T09:30:00Z" });
    expect(isRefusal(await answering, "hold_expired")).toBe(true);
  });

  it("is sent again without reading the hold when the server says that nothing was written", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.plan(ANSWER, {
      status: 503,
      headers: { "retry-after": "0" },
      body: errorOut(503, "unavailable"),
    });
    await kit.hp.answer(id, { action: "approve" });
    expect(kit.server.calls(/GET/)).toHaveLength(0);
    expect(kit.server.calls(ANSWER)).toHaveLength(2);
  });
});

describe("a cancellation over HTTP", () => {
  it("succeeds when its reply was lost and the hold is cancelled", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.plan(/cancel/, "lose");
    expect((await kit.hp.cancel(id, { reason: "moot" })).status).toBe("cancelled");
    expect(kit.server.calls(/cancel/)).toHaveLength(1);
  });
});

describe("other writes over HTTP", () => {
  it("are not sent again when it is unknown whether they were done", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place(ask);
    kit.server.plan(/POST .*\/links/, "drop", 5);
    expect(isRetryableError(await failure(kit.hp.makeLink(id)))).toBe(true);
    expect(kit.server.calls(/links/)).toHaveLength(1);
  });
});

describe("isSameDecision", () => {
  const by = { kind: "session", id: "s" } as const;
  const decided = (data: object): Outcome => ({
    kind: "decided",
    action: "submit",
    data: data as never,
    by,
    door: "rest",
    at: "2026-03-01T09:30:00Z",
  });

  it.each([
    ["equal data", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    ["a value that is withheld", { iban: { withheld: true } }, { iban: "DE1" }, true],
    ["an empty value that was not kept", {}, { note: "" }, true],
    ["defaults filled in", { a: 1, extra: 2 }, { a: 1 }, true],
    ["another value", { a: 1 }, { a: 2 }, false],
    ["a value that is missing", {}, { a: 2 }, false],
  ])("decides whether a recorded answer is the same given %s", (_, recorded, given, same) => {
    expect(isSameDecision(decided(recorded), { action: "submit", data: given })).toBe(same);
  });

  it("never accepts another action, or a hold without a decision, as the same", () => {
    expect(isSameDecision(decided({}), { action: "approve" })).toBe(false);
    expect(isSameDecision({ kind: "expired", at: "2026-03-01T09:30:00Z" }, { action: "approve" })).toBe(
      false,
    );
  });
});
