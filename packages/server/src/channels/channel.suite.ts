/** The tests every channel must pass. A channel's test file calls `channelSuite` with a fake receiver. */

import { describe, expect, it } from "vitest";
import { type Channel, type Notice, noticeOf } from "./channel.ts";

/** The receiver of a channel, controlled by the test. */
export interface ChannelHarness extends AsyncDisposable {
  readonly channel: Channel;
  /** Everything the receiver got, one text per message: headers, subject and body as they were sent. */
  sent(): Promise<readonly string[]>;
  /** How the receiver treats the next messages. */
  behave(how: ReceiverState): Promise<void>;
  /** Texts that must never be recorded: passwords, signing keys, secret URLs. */
  readonly secrets: readonly string[];
}

export type ReceiverState = "accepts" | "fails temporarily" | "refuses permanently" | "is gone";

const TOKEN = "tok_Zb4nX9qLw2Rt7KvYc1Md6Hs8Pf3Jg5Ae0UiOoTrEwQy";

const facts = {
  holdId: "hold_7",
  type: "approval",
  prompt: "Refund 40 EUR to Ada?",
  askedBy: "refunder",
  expiresAt: Date.UTC(2026, 0, 2),
};
const delivery = {
  id: "msg_1",
  workspace: "default",
  attempt: 2,
  recipient: "lead@example.com",
  reviewUrl: `https://holdpoint.example/review/hold_7?token=${TOKEN}`,
};

function notice(changes: Partial<Notice> = {}): Notice {
  return { ...noticeOf(facts, delivery), ...changes };
}

export function channelSuite(name: string, setUp: () => Promise<ChannelHarness>): void {
  describe(`${name} channel`, () => {
    it(`${name} channel sends the prompt and the address to answer at, once`, async () => {
      await using harness = await setUp();
      expect(await harness.channel.deliver(notice())).toMatchObject({ kind: "sent" });
      const sent = await harness.sent();
      expect(sent).toHaveLength(1);
      expect(sent[0]).toContain("Refund 40 EUR to Ada?");
      expect(sent[0]).toContain(harness.channel.signedIn ? "hold_7" : TOKEN);
    });

    it(`${name} channel sends only the fields of the notice, even if the facts contain more`, async () => {
      await using harness = await setUp();
      const withMore = {
        ...facts,
        outcome: { data: { iban: "DE00-SECRET" } },
        context: { note: "SENSITIVE-CONTEXT" },
      };
      await harness.channel.deliver(noticeOf(withMore, delivery));
      const all = (await harness.sent()).join("\n");
      expect(all).not.toContain("DE00-SECRET");
      expect(all).not.toContain("SENSITIVE-CONTEXT");
    });

    it(`${name} channel sends a prompt with line breaks, quotes and HTML without interpreting it`, async () => {
      await using harness = await setUp();
      const prompt = 'Über "50 %"? \u{1F44D}\r\nBcc: everyone@example.com\r\n\r\n<script>alert(1)</script>';
      expect(await harness.channel.deliver(notice({ prompt }))).toMatchObject({ kind: "sent" });
      const [sent = ""] = await harness.sent();
      expect(sent).not.toMatch(/^bcc:/im);
      expect(sent).toContain("Über");
    });

    it(`${name} channel delivers a first notice without recipient and expiry`, async () => {
      await using harness = await setUp();
      const plain = notice({ recipient: null, expiresAt: null, attempt: 1 });
      expect(await harness.channel.deliver(plain)).toMatchObject({ kind: "sent" });
    });

    it.each([
      ["fails temporarily", true],
      ["refuses permanently", false],
      ["is gone", true],
    ] as const)(
      `${name} channel reports whether a retry may help when the receiver %s`,
      async (how, retry) => {
        await using harness = await setUp();
        await harness.behave(how);
        const result = await harness.channel.deliver(notice());
        expect(result).toMatchObject({ kind: "failed", retry });
      },
    );

    it.each(["fails temporarily", "refuses permanently", "is gone"] as const)(
      `${name} channel records neither the link nor a secret when the receiver %s`,
      async (how) => {
        await using harness = await setUp();
        await harness.behave(how);
        const result = JSON.stringify(await harness.channel.deliver(notice()));
        for (const secret of [TOKEN, ...harness.secrets]) expect(result).not.toContain(secret);
      },
    );

    it(`${name} channel delivers a notice again after a failure`, async () => {
      await using harness = await setUp();
      await harness.behave("fails temporarily");
      await harness.channel.deliver(notice());
      await harness.behave("accepts");
      expect(await harness.channel.deliver(notice())).toMatchObject({ kind: "sent" });
    });

    it(`${name} channel sends nothing when its signal is already aborted`, async () => {
      await using harness = await setUp();
      const result = await harness.channel.deliver(notice(), AbortSignal.abort());
      expect(result).toMatchObject({ kind: "failed", retry: true });
      expect(await harness.sent()).toHaveLength(0);
    });
  });
}
