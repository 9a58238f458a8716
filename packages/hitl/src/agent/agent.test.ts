import type { JsonObject } from "@holdpoint/protocol/rules";
import { afterEach, describe, expect, test, vi } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { accepted, HITL, INLINE, reviewWith, SUBMIT_TOKEN } from "../testing/reviews.ts";
import { COMPLETED, PENDING, polled, stubService } from "../testing/stub-service.ts";
import { type HitlAgentOptions, hitlAgent } from "./agent.ts";
import { byMessage } from "./deliver.ts";
import * as surface from "./index.ts";

const POLL = HITL["poll_url"] as string;

function setUp(options: Partial<HitlAgentOptions> = {}) {
  const clock = manualClock();
  const service = stubService();
  const sent: string[] = [];
  const agent = hitlAgent({
    access: service.access,
    clock,
    deliver: byMessage(({ text }) => sent.push(text)),
    ...options,
  });
  return { clock, service, sent, agent };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("calling a service", () => {
  test("HP-005 a response without a review is returned as it is", async () => {
    const { agent, sent } = setUp();
    for (const response of [
      Response.json({ ok: true }),
      Response.json({ job: 1 }, { status: 202 }),
      new Response("bad", { status: 400 }),
      new Response("oops", { status: 500 }),
    ])
      expect(await agent.call(async () => response)).toEqual({ kind: "response", response });
    expect(sent).toEqual([]);
  });

  test("HP-212 a 202 with a review is delivered to the person and waited for", async () => {
    const { agent, sent, service, clock } = setUp();
    service.on(POLL, polled(PENDING), polled(COMPLETED));
    const stored: string[] = [];
    const calling = agent.call(async () => accepted(), {
      onReview: (review) => void stored.push(review.caseId),
    });
    await clock.advance(30_000);
    expect(await calling).toMatchObject({ kind: "settled", decision: { action: "confirm" } });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain(HITL["review_url"]);
    expect(stored).toEqual(["review_ab12"]);
  });

  test("HP-212 a review with an unsafe link is reported as invalid, neither ignored nor taken for a result", async () => {
    const { agent, sent } = setUp();
    const called = await agent.call(async () => accepted({ review_url: "http://evil.example/" }));
    expect(called).toMatchObject({ kind: "invalid", problems: [{ key: "review_url" }] });
    expect(sent).toEqual([]);
  });

  test("HP-212 the agent never submits an answer by itself, also when it has an inline token", async () => {
    const { agent, service, clock } = setUp();
    service.on(
      POLL,
      polled(PENDING),
      polled(PENDING),
      polled({ status: "expired", default_action: "approve" }),
    );
    const calling = agent.call(async () => accepted({ ...INLINE, default_action: "approve" }));
    await clock.advance(120_000);
    expect(await calling).toMatchObject({ decision: { kind: "expired", action: "approve", expired: true } });
    expect(service.asked.every((asked) => asked.method === "GET")).toBe(true);
    expect(JSON.stringify(service.asked.map((asked) => [...asked.headers]))).not.toContain(SUBMIT_TOKEN);
  });

  test("HP-212 only submitInline submits, it needs a human action, and no function renders a page", () => {
    const names = Object.keys(surface);
    expect(names.filter((name) => /submit|respond|answer|approve/i.test(name))).toEqual(["submitInline"]);
    expect(names.filter((name) => /page|html/i.test(name))).toEqual([]);
    expect(surface.submitInline.length).toBe(2);
  });

  test("a stored review is resumed without being delivered again", async () => {
    const { agent, sent, service, clock } = setUp();
    service.on(POLL, polled(COMPLETED));
    const stored = JSON.parse(JSON.stringify(reviewWith()));
    expect(await agent.resume(stored)).toMatchObject({ kind: "settled", decision: { action: "confirm" } });
    expect(sent).toEqual([]);
    await clock.settle();
  });

  test("HP-149 a reminder that cannot be delivered does not end the wait, but a review that cannot be delivered does", async () => {
    const tried: string[] = [];
    const { agent, service, clock } = setUp({
      deliver: async (_review, occasion) => {
        tried.push(occasion);
        if (occasion === "reminder") throw new Error("the chat is down");
      },
    });
    service.on(POLL, polled(PENDING));
    const calling = agent.call(async () => accepted({ reminder_at: "2026-03-01T10:10:00Z" }));
    await clock.advance(600_000);
    expect(tried).toEqual(["first", "reminder"]);
    service.on(POLL, polled(COMPLETED));
    await clock.advance(30_000);
    expect(await calling).toMatchObject({ kind: "settled", decision: { action: "confirm" } });
    const { agent: mute } = setUp({ deliver: () => Promise.reject(new Error("the chat is down")) });
    await expect(mute.call(async () => accepted())).rejects.toThrow("the chat is down");
  });

  test("HP-149 reminders go out the same way as the review", async () => {
    const { agent, sent, service, clock } = setUp();
    service.on(POLL, polled(PENDING));
    const calling = agent.call(async () => accepted({ reminder_at: "2026-03-01T10:10:00Z" }));
    await clock.advance(600_000);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatch(/^Reminder/);
    expect(sent[1]).toContain(HITL["review_url"]);
    service.on(POLL, polled(COMPLETED));
    await clock.advance(30_000);
    await calling;
  });

  test("HP-174 each round of a chain is delivered and waited for", async () => {
    const { agent, sent, service, clock } = setUp();
    const edit = { ...COMPLETED, result: { action: "edit", data: { feedback: "Shorter" } } };
    service.on(POLL, polled(edit));
    const second = "https://api.shop.example/reviews/review_2/status";
    service.on(
      second,
      polled({ ...COMPLETED, case_id: "review_2", result: { action: "approve", data: {} } }),
    );
    const called = await agent.call(async () => accepted({ type: "approval" }), {
      revise: async () =>
        accepted({
          type: "approval",
          case_id: "review_2",
          poll_url: second,
          previous_case_id: "review_ab12",
        }),
    });
    await clock.settle();
    expect(called).toMatchObject({ kind: "settled", decision: { action: "approve", caseId: "review_2" } });
    expect(sent).toHaveLength(2);
  });
});

describe("confirmations", () => {
  const cancel: JsonObject = { ...COMPLETED, result: { action: "cancel", data: {} } };

  test("HP-056 a confirmation that a person cancelled is not asked again", async () => {
    const { agent, service, sent } = setUp();
    service.on(POLL, polled(cancel));
    const request = vi.fn(async () => accepted());
    await agent.call(request, { action: "send:batch-42" });
    expect(await agent.call(request, { action: "send:batch-42" })).toEqual({
      kind: "cancelled_before",
      action: "send:batch-42",
    });
    expect(request).toHaveBeenCalledTimes(1);
    expect(sent).toHaveLength(1);
    await agent.call(request, { action: "send:batch-43" });
    expect(request).toHaveBeenCalledTimes(2);
  });

  test("HP-056 a confirmed or expired confirmation, and a rejected approval, may be asked again", async () => {
    for (const [answer, members] of [
      [COMPLETED, {}],
      [{ status: "expired", default_action: "skip" }, {}],
      [{ ...COMPLETED, result: { action: "reject", data: {} } }, { type: "approval" }],
      [cancel, { type: "x-own" }],
    ] as const) {
      const { agent, service } = setUp();
      service.on(POLL, polled(answer));
      const request = vi.fn(async () => accepted(members));
      await agent.call(request, { action: "a" });
      await agent.call(request, { action: "a" });
      expect(request).toHaveBeenCalledTimes(2);
    }
  });

  test("HP-056 a cancelled confirmation is remembered in a store that can outlive the process", async () => {
    const cancelled = new Set(["a"]);
    const { agent } = setUp({
      cancelled: { has: async (one) => cancelled.has(one), add: (one) => cancelled.add(one) },
    });
    const request = vi.fn(async () => accepted());
    expect((await agent.call(request, { action: "a" })).kind).toBe("cancelled_before");
    expect(request).not.toHaveBeenCalled();
  });
});

test("HP-224 a custom type is handled like input: the person gets the link", async () => {
  const { agent, service, sent, clock } = setUp();
  service.on(POLL, polled({ ...COMPLETED, result: { action: "submit", data: { winner: "b" } } }));
  const called = await agent.call(async () => accepted({ ...INLINE, type: "x-compare" }));
  await clock.settle();
  expect(called).toMatchObject({ decision: { action: "submit", data: { winner: "b" } } });
  expect(sent[0]).toContain(HITL["review_url"]);
});

test("HP-223 neither a person's answer nor a token is logged anywhere", async () => {
  const logged: string[] = [];
  for (const method of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void logged.push(words.join(" ")));
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      logged.push(String(text));
      return true;
    });
  const told: string[] = [];
  const { agent, service, sent, clock } = setUp({ onStatus: (open) => void told.push(JSON.stringify(open)) });
  const form = { fields: [{ key: "salary", label: "Salary", type: "number", sensitive: true }] };
  service.on(
    POLL,
    polled({ status: "in_progress", progress: { current_step: 1 } }),
    new Response("{}", { status: 500 }),
    polled({ ...COMPLETED, result: { action: "submit", data: { salary: "CANARY-81" } } }),
  );
  const calling = agent.call(async () => accepted({ ...INLINE, type: "input", context: { form } }));
  await clock.advance(60_000);
  expect(await calling).toMatchObject({ decision: { data: { salary: "CANARY-81" } } });
  vi.restoreAllMocks();
  const everything = [...logged, ...told, ...sent].join("\n");
  expect(everything).not.toContain("CANARY-81");
  expect(everything).not.toContain(SUBMIT_TOKEN);
});
