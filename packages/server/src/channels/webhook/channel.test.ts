import { describe, expect, it } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Receiver } from "../../testing/receiver.ts";
import { ALLOW_NOTHING } from "../allow-list.ts";
import { type ChannelHarness, channelSuite, type ReceiverState } from "../channel.suite.ts";
import { noticeOf } from "../channel.ts";
import { createOutgoing } from "../outgoing.ts";
import { webhookChannel } from "./channel.ts";
import { signedHeaders, writeSecret } from "./signature.ts";

const SECRET = writeSecret(Buffer.alloc(32, 7));
const clock = new ManualClock({ startAt: Date.UTC(2026, 0, 1) });
const outgoing = createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: true }, clock });

const STATUS: Readonly<Record<Exclude<ReceiverState, "is gone">, number>> = {
  accepts: 200,
  "fails temporarily": 503,
  "refuses permanently": 404,
};

async function setUp(): Promise<ChannelHarness> {
  const receiver = await Receiver.start();
  const url = receiver.url("/hooks/SECRET-PATH");
  return {
    channel: webhookChannel({ url, secrets: [SECRET] }, { outgoing, clock }),
    secrets: [SECRET, "SECRET-PATH"],
    sent: async () => receiver.requests.map(({ headers, body }) => `${JSON.stringify(headers)}\n${body}`),
    async behave(how) {
      if (how === "is gone") await receiver[Symbol.asyncDispose]();
      else receiver.answer = () => ({ status: STATUS[how], body: "SECRET-PATH is what you asked for" });
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

channelSuite("a webhook", setUp);

describe("webhook channels", () => {
  const notice = noticeOf(
    {
      holdId: "hold_7",
      type: "approval",
      prompt: "Go?",
      askedBy: "refunder",
      expiresAt: Date.UTC(2026, 0, 2),
    },
    {
      id: "msg_1",
      workspace: "acme",
      attempt: 1,
      recipient: null,
      reviewUrl: "https://holdpoint.example/r/hold_7",
    },
  );

  it("a webhook channel posts a signed Standard Webhooks message", async () => {
    await using receiver = await Receiver.start();
    const channel = webhookChannel({ url: receiver.url("/"), secrets: [SECRET] }, { outgoing, clock });
    await channel.deliver(notice);
    const [request] = receiver.requests;
    expect(JSON.parse(request?.body ?? "")).toEqual({
      type: "hold.notice",
      timestamp: "2026-01-01T00:00:00.000Z",
      data: {
        hold_id: "hold_7",
        workspace: "acme",
        type: "approval",
        prompt: "Go?",
        asked_by: "refunder",
        attempt: 1,
        expires_at: "2026-01-02T00:00:00.000Z",
        to: null,
        review_url: "https://holdpoint.example/r/hold_7",
      },
    });
    const signable = { id: "msg_1", sentAt: clock.now(), body: request?.body ?? "" };
    expect(request?.headers).toMatchObject(
      signedHeaders(signable, [{ kind: "standard", secrets: [SECRET] }]) ?? {},
    );
  });

  it("a notice's prompt is shortened to 2,000 characters", () => {
    const long = { prompt: "\u{1F44D}".repeat(3_000), askedBy: "refunder", expiresAt: null };
    const facts = { holdId: "hold_7", type: "approval", ...long };
    const { prompt } = noticeOf(facts, notice);
    expect([...prompt]).toHaveLength(2_000);
    expect(prompt.endsWith("\u{1F44D}…")).toBe(true);
  });

  it("a webhook channel without a secret posts unsigned messages", async () => {
    await using receiver = await Receiver.start();
    const channel = webhookChannel({ url: receiver.url("/"), secrets: [] }, { outgoing, clock });
    expect(await channel.deliver(notice)).toMatchObject({ kind: "sent" });
    expect(receiver.requests[0]?.headers).toMatchObject({ "webhook-id": "msg_1" });
    expect(receiver.requests[0]?.headers).not.toHaveProperty("webhook-signature");
  });

  it("a webhook channel with an invalid secret sends nothing", async () => {
    await using receiver = await Receiver.start();
    const channel = webhookChannel({ url: receiver.url("/"), secrets: ["hunter2"] }, { outgoing, clock });
    expect(await channel.deliver(notice)).toEqual({ kind: "failed", reason: "bad_secret", retry: false });
    expect(receiver.requests).toHaveLength(0);
  });
});
