/** The whole delivery path: outbox, sender, signature, address guard, and a real receiver on loopback. */

import { describe, expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { Receiver } from "../testing/receiver.ts";
import { ALLOW_NOTHING } from "./allow-list.ts";
import { noticeCarrier } from "./notices.ts";
import { createOutgoing } from "./outgoing.ts";
import { outboxRow, START, TestOutbox } from "./rows.fake.ts";
import { Sender } from "./sender.ts";
import { type Render, webhookCarrier } from "./webhook/carrier.ts";
import { webhookChannel } from "./webhook/channel.ts";
import { type Signing, signedHeaders, writeSecret } from "./webhook/signature.ts";

const SECRET = writeSecret(Buffer.alloc(32, 3));
const STANDARD: readonly Signing[] = [{ kind: "standard", secrets: [SECRET] }];
const HITL: readonly Signing[] = [{ kind: "hitl", secret: "shared" }];

interface Setting {
  readonly sign?: readonly Signing[];
  readonly loopback?: boolean;
  readonly outbox?: TestOutbox;
  readonly render?: Render;
}

async function setUp({ sign = STANDARD, loopback = true, outbox = new TestOutbox(), render }: Setting = {}) {
  const receiver = await Receiver.start();
  const arrivedAt: number[] = [];
  const clock: ManualClock = new ManualClock({ startAt: START, settle: () => sender.idle() });
  const outgoing = createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback }, clock });
  const body = '{"type":"hold.decided","data":{"hold_id":"hold_1"}}';
  const url = receiver.url("/hook");
  const webhook = webhookCarrier({ outgoing, clock, render: render ?? (async () => ({ url, body, sign })) });
  const channel = webhookChannel({ url, secrets: [SECRET] }, { outgoing, clock });
  const notice = noticeCarrier({
    channel: (_workspace, name) => (name === "pager" ? channel : undefined),
    describe: async () => ({
      ...{ holdId: "hold_1", type: "approval", prompt: "Go?", askedBy: "refunder" },
      expiresAt: null,
    }),
    consoleUrl: () => "",
    makeLink: async () => `https://holdpoint.example/review/hold_1?token=token-${clock.now()}`,
  });
  const carriers = { webhook, callback: webhook, notice };
  const sender: Sender = new Sender({ store: outbox.store, clock, random: () => 1, carriers });
  onTestFinished(async () => {
    await sender.stop();
    await receiver[Symbol.asyncDispose]();
  });
  return { receiver, arrivedAt, clock, sender, outbox, body };
}

describe("webhooks from the outbox", () => {
  it("a webhook arrives signed, with the row's id", async () => {
    const { receiver, clock, sender, outbox, body } = await setUp();
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(0);
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]).toMatchObject({
      body,
      headers: {
        "content-type": "application/json",
        ...signedHeaders({ id: "msg_1", sentAt: START, body }, STANDARD),
      },
    });
    expect(await outbox.row()).toMatchObject({ state: "sent", attempts: [{ ok: true, status: 204 }] });
  });

  it("a webhook is retried with growing delays, with the same id and a new timestamp", async () => {
    const { receiver, clock, sender, outbox, arrivedAt } = await setUp();
    receiver.answer = (_received, n) => {
      arrivedAt.push(clock.now() - START);
      return n < 2 ? 500 : 200;
    };
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(3_600_000);
    expect(arrivedAt).toEqual([0, 5_000, 35_000]);
    const headers = receiver.requests.map((request) => request.headers);
    expect(headers.map((each) => each["webhook-id"])).toEqual(["msg_1", "msg_1", "msg_1"]);
    expect(new Set(headers.map((each) => each["webhook-timestamp"])).size).toBe(3);
    expect((await outbox.row()).attempts.map(({ ok, status }) => [ok, status])).toEqual([
      [false, 500],
      [false, 500],
      [true, 200],
    ]);
  });

  it("a webhook retry waits as long as the receiver's Retry-After asks", async () => {
    const { receiver, clock, sender, outbox, arrivedAt } = await setUp();
    receiver.answer = (_received, n) => {
      arrivedAt.push(clock.now() - START);
      return n === 0 ? { status: 429, headers: { "retry-after": "60" } } : 200;
    };
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(60_000);
    expect(arrivedAt).toEqual([0, 60_000]);
  });

  it.each([
    [404, "http_404"],
    [410, "http_410"],
    [302, "redirected"],
  ])("a webhook answered with %i fails without a retry", async (status, error) => {
    const { receiver, clock, sender, outbox } = await setUp();
    receiver.answer = () => status;
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(86_400_000);
    expect(receiver.requests).toHaveLength(1);
    expect(await outbox.row()).toMatchObject({ state: "failed", attempts: [{ ok: false, status, error }] });
  });

  it("a webhook to a private network fails without a connection and without a retry", async () => {
    const { receiver, clock, sender, outbox } = await setUp({ loopback: false });
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(86_400_000);
    expect(receiver.requests).toHaveLength(0);
    expect(await outbox.row()).toMatchObject({
      state: "failed",
      attempts: [{ error: "callback_refused: address" }],
    });
  });

  it("a webhook with nothing left to send is withdrawn", async () => {
    const { receiver, clock, sender, outbox } = await setUp({ render: async () => null });
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(0);
    expect(receiver.requests).toHaveLength(0);
    expect(await outbox.row()).toMatchObject({ state: "failed", attempts: [{ error: "withdrawn" }] });
  });

  it("a failed webhook can be replayed by hand with the same message id", async () => {
    const { receiver, clock, sender, outbox } = await setUp();
    receiver.answer = (_received, n) => (n === 0 ? 404 : 200);
    await outbox.add(outboxRow());
    sender.start();
    await clock.advance(1_000);
    const failed = await outbox.row();
    expect(failed.state).toBe("failed");
    await outbox.store.settleOutbox({ ...failed, state: "waiting", dueAt: clock.now() }, clock.now());
    sender.wake();
    await clock.advance(0);
    expect(receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_1", "msg_1"]);
    expect(await outbox.row()).toMatchObject({ state: "sent", attempts: [{ ok: false }, { ok: true }] });
  });
});

describe("HITL callbacks from the outbox", () => {
  const row = outboxRow({ kind: "callback", endpoint: "callback", detail: { schedule: "hitl" } });

  it("a HITL callback is retried after 1 s, 5 s and 30 s with the same body and signature", async () => {
    const { receiver, clock, sender, outbox, arrivedAt } = await setUp({ sign: HITL });
    receiver.answer = () => {
      arrivedAt.push(clock.now() - START);
      return 503;
    };
    await outbox.add(row);
    sender.start();
    await clock.advance(3_600_000);
    expect(arrivedAt).toEqual([0, 1_000, 6_000, 36_000]);
    const sent = receiver.requests.map(({ headers, body }) => [
      body,
      headers["x-hitl-signature"],
      headers["x-hitl-delivery"],
    ]);
    expect(new Set(sent.map((each) => each.join("\n"))).size).toBe(1);
    expect((await outbox.row()).state).toBe("failed");
  });

  it("a HITL callback is not retried after a 4xx", async () => {
    const { receiver, clock, sender, outbox } = await setUp({ sign: HITL });
    receiver.answer = () => 429;
    await outbox.add(row);
    sender.start();
    await clock.advance(3_600_000);
    expect(receiver.requests).toHaveLength(1);
    expect((await outbox.row()).state).toBe("failed");
  });
});

describe("notices from the outbox", () => {
  it("a notice has a new link at every try, and the outbox row stores none of them", async () => {
    const { receiver, clock, sender, outbox } = await setUp();
    receiver.answer = (_received, n) => (n === 0 ? 503 : 200);
    await outbox.add(outboxRow({ kind: "notice", endpoint: "pager", detail: { attempt: 2 } }));
    sender.start();
    await clock.advance(10_000);
    const links = receiver.requests.map(({ body }) => JSON.parse(body).data.review_url);
    expect(new Set(links).size).toBe(2);
    const row = await outbox.row();
    expect(row.state).toBe("sent");
    expect(JSON.stringify(row)).not.toContain("token-");
  });

  it("a notice through an unknown channel ends as no_channel", async () => {
    const { clock, sender, outbox } = await setUp();
    await outbox.add(outboxRow({ kind: "notice", endpoint: "fax" }));
    sender.start();
    await clock.advance(0);
    expect((await outbox.row()).state).toBe("no_channel");
  });
});

describe("crashes of the sender", () => {
  it("a crash between sending and recording makes the message arrive twice under one id and never loses it", async () => {
    const before = await setUp();
    await before.outbox.add(outboxRow());
    const outgoing = createOutgoing({
      policy: { allow: ALLOW_NOTHING, loopback: true },
      clock: before.clock,
    });
    const render: Render = async () => ({
      url: before.receiver.url("/hook"),
      body: before.body,
      sign: STANDARD,
    });
    const carrier = webhookCarrier({ outgoing, clock: before.clock, render });
    const dying = new Sender({
      store: { ...boundTo(before.outbox), settleOutbox: () => Promise.reject(new Error("killed")) },
      clock: before.clock,
      random: () => 1,
      carriers: { webhook: carrier, callback: carrier, notice: carrier },
    });
    dying.start();
    await dying.stop();
    expect(before.receiver.requests).toHaveLength(1);
    expect(await before.outbox.row()).toMatchObject({ state: "waiting", attempts: [] });

    const after = await setUp({ outbox: new TestOutbox(before.outbox.data), render });
    after.sender.start();
    await after.clock.advance(5_000);
    expect(before.receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_1", "msg_1"]);
    expect((await after.outbox.row()).state).toBe("sent");
  });
});

function boundTo({ store }: TestOutbox) {
  return {
    claimOutbox: store.claimOutbox.bind(store),
    nextOutboxAt: store.nextOutboxAt.bind(store),
    renewOutbox: store.renewOutbox.bind(store),
  };
}
