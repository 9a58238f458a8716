import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { HITL, reviewWith } from "../testing/reviews.ts";
import { COMPLETED, handFedStream, PENDING, polled, stubService } from "../testing/stub-service.ts";
import type { Open } from "./poll.ts";
import { type WaitOptions, waitForDecision } from "./wait.ts";

const POLL = HITL["poll_url"] as string;
const EVENTS = "https://api.shop.example/reviews/review_ab12/events";
const SECOND = 1_000;
const EXPIRED: JsonObject = {
  status: "expired",
  expired_at: "2026-03-02T10:00:00Z",
  default_action: "abort",
};

function setUp(members: JsonObject = {}, options: Partial<WaitOptions> = {}) {
  const clock = manualClock();
  const service = stubService({ "https://api.shop.example": { authorization: "Bearer key-1" } });
  const review = reviewWith(members);
  const start = () => waitForDecision(review, { access: service.access, clock, ...options });
  return { clock, service, review, start, polls: () => service.askedFor(POLL).length };
}

describe("polling", () => {
  test("HP-213 the agent polls at once, then every 30 seconds, and stops at the end", async () => {
    const { clock, service, start, polls } = setUp();
    service.on(POLL, polled(PENDING), polled(PENDING), polled(COMPLETED));
    const waiting = start();
    await clock.settle();
    expect(polls()).toBe(1);
    await clock.advance(29 * SECOND);
    expect(polls()).toBe(1);
    await clock.advance(1 * SECOND);
    expect(polls()).toBe(2);
    await clock.advance(30 * SECOND);
    expect(await waiting).toEqual({
      kind: "completed",
      caseId: "review_ab12",
      action: "confirm",
      data: {},
      completedAt: "2026-03-01T10:05:00Z",
    });
    await clock.advance(600 * SECOND);
    expect(polls()).toBe(3);
    expect(clock.sleeping()).toBe(0);
  });

  test("HP-213 the agent keeps to the pace that Retry-After names, in seconds or as a date", async () => {
    const { clock, service, start, polls } = setUp();
    service.on(
      POLL,
      polled(PENDING, { "retry-after": "90" }),
      polled(PENDING, { "retry-after": "Sun, 01 Mar 2026 10:01:40 GMT" }),
      polled(COMPLETED),
    );
    const waiting = start();
    await clock.advance(89 * SECOND);
    expect(polls()).toBe(1);
    await clock.advance(1 * SECOND);
    expect(polls()).toBe(2);
    await clock.advance(10 * SECOND);
    expect((await waiting).kind).toBe("completed");
  });

  test("HP-213 a Retry-After of zero does not make the agent poll in a tight loop", async () => {
    const { clock, service, start, polls } = setUp();
    service.on(POLL, polled(PENDING, { "retry-after": "0" }));
    const waiting = start();
    await clock.advance(10 * SECOND);
    expect(polls()).toBeLessThanOrEqual(11);
    service.on(POLL, new Response("{}", { status: 429, headers: { "retry-after": "0" } }));
    await clock.advance(10 * SECOND);
    expect(polls()).toBeLessThanOrEqual(22);
    service.on(POLL, polled(COMPLETED));
    await clock.advance(2 * SECOND);
    await waiting;
  });

  test("HP-213 the agent polls no more often than its owner or the service allows", async () => {
    const { clock, service, start, polls } = setUp({}, { pollEveryMs: 60 * SECOND });
    service.on(
      POLL,
      polled(PENDING, { "retry-after": "5" }),
      polled(PENDING, { "retry-after": "90" }),
      polled(COMPLETED),
    );
    const waiting = start();
    await clock.advance(59 * SECOND);
    expect(polls()).toBe(1);
    await clock.advance(1 * SECOND);
    expect(polls()).toBe(2);
    await clock.advance(89 * SECOND);
    expect(polls()).toBe(2);
    await clock.advance(1 * SECOND);
    await waiting;
  });

  test("HP-213 the agent sends the ETag back and treats 304 as unchanged", async () => {
    const { clock, service, start } = setUp();
    const unchanged = new Response(null, { status: 304, headers: { etag: '"v1"' } });
    service.on(POLL, polled(PENDING, { etag: '"v1"' }), unchanged, polled(COMPLETED, { etag: '"v2"' }));
    const waiting = start();
    await clock.advance(60 * SECOND);
    await waiting;
    expect(service.askedFor(POLL).map((asked) => asked.headers.get("if-none-match"))).toEqual([
      null,
      '"v1"',
      '"v1"',
    ]);
  });

  test("HP-213 the agent waits out a 429, however many events arrive meanwhile", async () => {
    const stream = handFedStream();
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    const limited = (headers: HeadersInit) => new Response("{}", { status: 429, headers });
    service.on(EVENTS, stream.reply);
    service.on(POLL, limited({ "retry-after": "7" }), limited({}), polled(COMPLETED));
    const waiting = start();
    await clock.settle();
    stream.event(1, "review.opened", { case_id: "review_ab12", opened_at: "x" });
    await clock.advance(6 * SECOND);
    expect(polls()).toBe(1);
    await clock.advance(1 * SECOND);
    expect(polls()).toBe(2);
    await clock.advance(60 * SECOND);
    expect((await waiting).kind).toBe("completed");
  });

  test("an unreachable service is polled with growing delays, and given up long after the end", async () => {
    const { clock, service, start, polls } = setUp({ expires_at: "2026-03-01T11:00:00Z" });
    service.on(
      POLL,
      new TypeError("no route"),
      new Response("busy", { status: 503 }),
      new TypeError("no route"),
    );
    const waiting = start();
    const failed = expect(waiting).rejects.toMatchObject({
      name: "HitlError",
      kind: "unreachable",
      retryable: true,
    });
    await clock.advance(5 * SECOND);
    expect(polls()).toBe(2);
    await clock.advance(10 * SECOND);
    expect(polls()).toBe(3);
    await clock.advance(7_200 * SECOND);
    await failed;
    expect(polls()).toBeLessThan(30);
  });

  test("credentials go to the origin they belong to, and no redirect is followed", async () => {
    const { clock, service, start } = setUp({ poll_url: "https://other.example/status" });
    service.on("https://other.example/status", polled(COMPLETED));
    await start();
    await clock.settle();
    expect(service.asked[0]?.headers.get("authorization")).toBeNull();
    expect(service.asked[0]?.redirect).toBe("error");
    const own = setUp();
    own.service.on(POLL, polled(COMPLETED));
    await own.start();
    expect(own.service.asked[0]?.headers.get("authorization")).toBe("Bearer key-1");
  });

  test.each([
    [401, "unauthorized"],
    [403, "unauthorized"],
    [404, "not_found"],
    [410, "not_found"],
    [418, "bad_reply"],
  ])("a poll that answers %s ends the wait with %s", async (status, kind) => {
    const { service, start } = setUp();
    service.on(POLL, new Response("{}", { status }));
    await expect(start()).rejects.toMatchObject({ kind, caseId: "review_ab12", retryable: false });
  });

  test.each([
    ["of another case", { ...COMPLETED, case_id: "review_other" }],
    ["with a status nobody knows", { status: "paused" }],
    ["completed without a result", { status: "completed" }],
    ["that is no object", []],
  ])("a poll %s is an error, and not taken for a decision", async (_what, answer) => {
    const { service, start } = setUp();
    service.on(POLL, Array.isArray(answer) ? Response.json(answer) : polled(answer as JsonObject));
    await expect(start()).rejects.toMatchObject({ kind: "bad_reply" });
  });

  test("HP-085 the agent is told of each new status and of the progress, if there is any", async () => {
    const told: Open[] = [];
    const { clock, service, start } = setUp({}, { onStatus: (open) => told.push(open) });
    const progress = { current_step: 2, total_steps: 3, completed_fields: 4, total_fields: 9 };
    service.on(
      POLL,
      polled(PENDING),
      polled(PENDING),
      polled({ status: "in_progress" }),
      polled({ status: "in_progress", progress }),
      polled(COMPLETED),
    );
    const waiting = start();
    await clock.advance(120 * SECOND);
    await waiting;
    expect(told).toEqual([
      { kind: "open", status: "pending" },
      { kind: "open", status: "in_progress" },
      {
        kind: "open",
        status: "in_progress",
        progress: { currentStep: 2, totalSteps: 3, completedFields: 4, totalFields: 9 },
      },
    ]);
  });

  test("an aborted wait ends at once and leaves no timer or listener behind", async () => {
    const stop = new AbortController();
    const stream = handFedStream();
    const { clock, service, start } = setUp({ events_url: EVENTS }, { signal: stop.signal });
    service.on(POLL, polled(PENDING));
    service.on(EVENTS, stream.reply);
    const waiting = start();
    const failed = expect(waiting).rejects.toThrow("enough");
    await clock.settle();
    stop.abort(new Error("enough"));
    await failed;
    expect(clock.sleeping()).toBe(0);
  });
});

describe("the end of a wait", () => {
  test("HP-142 an expired review gives its default action and says that nobody decided", async () => {
    const { service, start } = setUp();
    service.on(POLL, polled(EXPIRED));
    expect(await start()).toEqual({
      kind: "expired",
      caseId: "review_ab12",
      action: "abort",
      expired: true,
      expiredAt: "2026-03-02T10:00:00Z",
    });
  });

  test("HP-142 a very long Retry-After does not make the agent miss the end, or poll too early after it", async () => {
    const { clock, service, start, polls } = setUp({ expires_at: "2026-03-01T11:00:00Z" });
    service.on(POLL, polled(PENDING, { "retry-after": "999999999" }));
    const waiting = start();
    await clock.advance(3_600 * SECOND);
    expect(polls()).toBe(1);
    await clock.advance(1 * SECOND);
    expect(polls()).toBe(2);
    service.on(POLL, polled(EXPIRED));
    await clock.advance(299 * SECOND);
    expect(polls()).toBe(2);
    await clock.advance(1 * SECOND);
    expect(await waiting).toMatchObject({ kind: "expired", action: "abort" });
    expect(polls()).toBe(3);
  });

  test("HP-142 the default of the 202 counts when the poll names none", async () => {
    const { service, start } = setUp({ default_action: "reject" });
    service.on(POLL, polled({ status: "expired" }));
    expect(await start()).toMatchObject({ action: "reject", expired: true });
  });

  test("a cancelled review ends the wait with its reason", async () => {
    const { service, start } = setUp();
    service.on(
      POLL,
      polled({ status: "cancelled", cancelled_at: "2026-03-01T10:01:00Z", reason: "Not needed" }),
    );
    expect(await start()).toEqual({
      kind: "cancelled",
      caseId: "review_ab12",
      cancelled: true,
      reason: "Not needed",
    });
  });

  test("a decision says who answered and which case follows", async () => {
    const { service, start } = setUp();
    service.on(POLL, polled({ ...COMPLETED, responded_by: { name: "Ada" }, next_case_id: "review_b" }));
    expect(await start()).toMatchObject({ respondedBy: { name: "Ada" }, nextCaseId: "review_b" });
  });
});

describe("listening to events", () => {
  test("HP-106 an event only wakes the poll, which says what was decided", async () => {
    const stream = handFedStream();
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    service.on(EVENTS, stream.reply);
    service.on(POLL, polled(PENDING), polled({ ...COMPLETED, result: { action: "cancel", data: {} } }));
    const waiting = start();
    for (let minute = 0; minute < 4; minute += 1) {
      await clock.advance(60 * SECOND);
      stream.send(": still here\n\n");
    }
    expect(polls()).toBe(1);
    stream.event(1, "review.completed", { case_id: "review_ab12", result: { action: "confirm", data: {} } });
    await clock.advance(0);
    expect(await waiting).toMatchObject({ action: "cancel" });
    expect(polls()).toBe(2);
  });

  test("HP-158 an agent whose stream breaks off goes on polling, and continues the stream where it was", async () => {
    const stream = handFedStream();
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    service.on(EVENTS, stream.reply);
    service.on(
      POLL,
      polled(PENDING),
      polled({ status: "opened" }),
      polled({ status: "opened" }),
      polled(COMPLETED),
    );
    const waiting = start();
    await clock.settle();
    stream.event(41, "review.opened", { case_id: "review_ab12", opened_at: "2026-03-01T10:00:01Z" });
    await clock.advance(1 * SECOND);
    expect(polls()).toBe(2);
    stream.fail();
    await clock.advance(2 * SECOND);
    expect(polls()).toBe(3);
    expect(stream.opened()).toBe(2);
    expect(stream.lastEventId()).toBe("41");
    stream.event(42, "review.completed", { case_id: "review_ab12" });
    await clock.advance(1 * SECOND);
    expect((await waiting).kind).toBe("completed");
  });

  test("HP-158 an agent polls a service that cannot stream", async () => {
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    service.on(EVENTS, new Response("nope", { status: 500 }), new TypeError("no route"), Response.json({}));
    service.on(POLL, polled(PENDING), polled(PENDING), polled(COMPLETED));
    const waiting = start();
    await clock.advance(60 * SECOND);
    expect((await waiting).kind).toBe("completed");
    expect(polls()).toBe(3);
    expect(service.askedFor(EVENTS)).toHaveLength(3);
  });

  test("HP-158 an agent gives up a stream that ends as soon as it begins, and keeps its polling pace", async () => {
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    const ends = () => new Response("", { headers: { "content-type": "text/event-stream" } });
    service.on(EVENTS, ends);
    service.on(POLL, polled(PENDING));
    const waiting = start();
    await clock.advance(60 * SECOND);
    expect(service.askedFor(EVENTS)).toHaveLength(3);
    const before = polls();
    expect(before).toBeLessThanOrEqual(7);
    await clock.advance(600 * SECOND);
    expect(service.askedFor(EVENTS)).toHaveLength(3);
    expect(polls() - before).toBeLessThanOrEqual(20);
    service.on(POLL, polled(COMPLETED));
    await clock.advance(30 * SECOND);
    expect((await waiting).kind).toBe("completed");
  });

  test("HP-158 an agent treats a silent stream as dead", async () => {
    const stream = handFedStream();
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    service.on(EVENTS, stream.reply);
    service.on(POLL, polled(PENDING), polled(COMPLETED));
    const waiting = start();
    await clock.advance(60 * SECOND);
    stream.send(": still here\n\n");
    await clock.advance(89 * SECOND);
    expect(polls()).toBe(1);
    await clock.advance(2 * SECOND);
    expect((await waiting).kind).toBe("completed");
  });

  test("events of another case, of unknown kinds or unreadable do not wake the poll", async () => {
    const stream = handFedStream();
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    service.on(EVENTS, stream.reply);
    service.on(POLL, polled(PENDING), polled(COMPLETED));
    const waiting = start();
    await clock.settle();
    stream.event(1, "review.completed", { case_id: "review_other" });
    stream.event(2, "review.pending", { case_id: "review_ab12" });
    stream.send("event: review.completed\ndata: {oops\n\n");
    await clock.advance(10 * SECOND);
    expect(polls()).toBe(1);
    stream.close();
    await clock.advance(1 * SECOND);
    await waiting;
  });

  test("a stream with many events cannot make the agent poll more than once a second", async () => {
    const stream = handFedStream();
    const { clock, service, start, polls } = setUp({ events_url: EVENTS });
    service.on(EVENTS, stream.reply);
    service.on(POLL, polled(PENDING));
    const waiting = start();
    for (let id = 0; id < 50; id += 1) {
      await clock.settle();
      stream.event(id, "review.in_progress", { case_id: "review_ab12" });
      await clock.advance(100);
    }
    expect(polls()).toBeLessThanOrEqual(6);
    service.on(POLL, polled(COMPLETED));
    stream.event(99, "review.completed", { case_id: "review_ab12" });
    await clock.advance(2 * SECOND);
    await waiting;
  });

  test("an agent that is told to poll only does not open a stream", async () => {
    const { clock, service, start } = setUp({ events_url: EVENTS }, { transport: "polling" });
    service.on(POLL, polled(PENDING), polled(COMPLETED));
    const waiting = start();
    await clock.advance(30 * SECOND);
    await waiting;
    expect(service.askedFor(EVENTS)).toHaveLength(0);
  });
});

describe("reminders", () => {
  const AT_NOON = { reminder_at: ["2026-03-01T10:10:00Z", "2026-03-01T10:20:00Z"] };

  test("HP-149 the stored link is sent again at each reminder time, while nobody has begun to answer", async () => {
    const sent: string[] = [];
    const { clock, service, review, start } = setUp(AT_NOON, {
      onReminder: (one) => void sent.push(one.reviewUrl),
    });
    service.on(POLL, polled(PENDING));
    const waiting = start();
    await clock.advance(599 * SECOND);
    expect(sent).toEqual([]);
    await clock.advance(1 * SECOND);
    expect(sent).toEqual([review.reviewUrl]);
    await clock.advance(600 * SECOND);
    expect(sent).toEqual([review.reviewUrl, review.reviewUrl]);
    service.on(POLL, polled(COMPLETED));
    await clock.advance(30 * SECOND);
    await waiting;
  });

  test("HP-149 no reminder is sent while somebody is answering, or after the review has ended", async () => {
    let sent = 0;
    const count = () => {
      sent += 1;
    };
    const { clock, service, start } = setUp(AT_NOON, { onReminder: count });
    service.on(POLL, polled({ status: "in_progress" }));
    const waiting = start();
    await clock.advance(900 * SECOND);
    expect(sent).toBe(0);
    service.on(POLL, polled(COMPLETED));
    await clock.advance(300 * SECOND);
    await waiting;
    expect(sent).toBe(0);
  });

  test("HP-149 a reminder that both the service and the clock announce is sent once", async () => {
    let sent = 0;
    const count = () => {
      sent += 1;
    };
    const stream = handFedStream();
    const { clock, service, start } = setUp({ ...AT_NOON, events_url: EVENTS }, { onReminder: count });
    service.on(EVENTS, stream.reply);
    service.on(POLL, polled(PENDING));
    const waiting = start();
    await clock.advance(599 * SECOND);
    stream.event(1, "review.reminder", { case_id: "review_ab12", reminder_at: "2026-03-01T10:10:00Z" });
    await clock.advance(30 * SECOND);
    expect(sent).toBe(1);
    stream.event(1, "review.reminder", { case_id: "review_ab12", reminder_at: "2026-03-01T10:10:00Z" });
    await clock.advance(5 * SECOND);
    expect(sent).toBe(1);
    stream.event(2, "review.reminder", { case_id: "review_ab12", reminder_at: "2026-03-01T10:15:00Z" });
    await clock.advance(5 * SECOND);
    expect(sent).toBe(2);
    service.on(POLL, polled(COMPLETED));
    stream.close();
    await clock.advance(5 * SECOND);
    await waiting;
  });

  test("HP-149 reminders whose time passed before the wait began are not sent", async () => {
    let sent = 0;
    const count = () => {
      sent += 1;
    };
    const { clock, service, start } = setUp({ reminder_at: "2026-03-01T09:00:00Z" }, { onReminder: count });
    service.on(POLL, polled(PENDING), polled(COMPLETED));
    const waiting = start();
    await clock.advance(30 * SECOND);
    await waiting;
    expect(sent).toBe(0);
  });
});
