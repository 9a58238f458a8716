/** What every channel must do. A channel's own test file calls `channelSuite` with a stand-in for its far end. */

import { describe, expect, it } from "vitest";
import { type Channel, type Notice, noticeOf } from "./channel.ts";

/** The far end of a channel, under the test's control. */
export interface ChannelHarness extends AsyncDisposable {
  readonly channel: Channel;
  /** Everything that reached the far end, one text a message: headers, subject and body as they were sent. */
  sent(): Promise<readonly string[]>;
  /** How the far end treats the next messages. */
  behave(how: FarEnd): Promise<void>;
  /** What must never be recorded: passwords, signing keys, addresses that are secrets in themselves. */
  readonly secrets: readonly string[];
}

export type FarEnd = "accepts" | "fails for now" | "refuses for good" | "is gone";

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
  describe(`${name} as a channel`, () => {
    it("tells what is asked and where to answer, once", async () => {
      await using harness = await setUp();
      expect(await harness.channel.deliver(notice())).toMatchObject({ kind: "sent" });
      const sent = await harness.sent();
      expect(sent).toHaveLength(1);
      expect(sent[0]).toContain("Refund 40 EUR to Ada?");
      expect(sent[0]).toContain(harness.channel.signedIn ? "hold_7" : TOKEN);
    });

    it("sends nothing but the notice, whatever rode along with the facts", async () => {
      await using harness = await setUp();
      const laden = {
        ...facts,
        outcome: { data: { iban: "DE00-SECRET" } },
        context: { note: "SENSITIVE-CONTEXT" },
      };
      await harness.channel.deliver(noticeOf(laden, delivery));
      const all = (await harness.sent()).join("\n");
      expect(all).not.toContain("DE00-SECRET");
      expect(all).not.toContain("SENSITIVE-CONTEXT");
    });

    it("keeps a prompt a prompt, however it is written", async () => {
      await using harness = await setUp();
      const prompt = 'Über "50 %"? \u{1F44D}\r\nBcc: everyone@example.com\r\n\r\n<script>alert(1)</script>';
      expect(await harness.channel.deliver(notice({ prompt }))).toMatchObject({ kind: "sent" });
      const [sent = ""] = await harness.sent();
      expect(sent).not.toMatch(/^bcc:/im);
      expect(sent).toContain("Über");
    });

    it("works without a recipient, an end or more than one attempt", async () => {
      await using harness = await setUp();
      const plain = notice({ recipient: null, expiresAt: null, attempt: 1 });
      expect(await harness.channel.deliver(plain)).toMatchObject({ kind: "sent" });
    });

    it.each([
      ["fails for now", true],
      ["refuses for good", false],
      ["is gone", true],
    ] as const)("says whether to try again when the far end %s", async (how, retry) => {
      await using harness = await setUp();
      await harness.behave(how);
      const told = await harness.channel.deliver(notice());
      expect(told).toMatchObject({ kind: "failed", retry });
    });

    it.each(["fails for now", "refuses for good", "is gone"] as const)(
      "gives away neither the link nor a secret when the far end %s",
      async (how) => {
        await using harness = await setUp();
        await harness.behave(how);
        const told = JSON.stringify(await harness.channel.deliver(notice()));
        for (const secret of [TOKEN, ...harness.secrets]) expect(told).not.toContain(secret);
      },
    );

    it("delivers again after a failure, under the same id", async () => {
      await using harness = await setUp();
      await harness.behave("fails for now");
      await harness.channel.deliver(notice());
      await harness.behave("accepts");
      expect(await harness.channel.deliver(notice())).toMatchObject({ kind: "sent" });
    });

    it("stops when it is told to", async () => {
      await using harness = await setUp();
      const told = await harness.channel.deliver(notice(), AbortSignal.abort());
      expect(told).toMatchObject({ kind: "failed", retry: true });
      expect(await harness.sent()).toHaveLength(0);
    });
  });
}
