import { describe, expect, it } from "vitest";
import { MailServer } from "../../testing/mail-server.ts";
import { type ChannelHarness, channelSuite } from "../channel.suite.ts";
import { noticeOf } from "../channel.ts";
import { readSender } from "./address.ts";
import { emailChannel } from "./channel.ts";
import type { SmtpServer } from "./smtp.ts";

const LOGIN = { user: "holdpoint", password: "SMTP-PASSWORD" };
const FROM = { name: "Holdpoint", address: "holdpoint@example.com" };

function serverAt(url: string, part: Partial<SmtpServer> = {}): SmtpServer {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port), isSecure: false, requireTls: false, ...part };
}

async function setUp(): Promise<ChannelHarness> {
  const mail = await MailServer.start({ login: LOGIN });
  const server = serverAt(mail.url, LOGIN);
  let isGone = false;
  const close = async () => {
    if (!isGone) await mail[Symbol.asyncDispose]();
    isGone = true;
  };
  return {
    channel: emailChannel({ server, from: FROM, to: "team@example.com", addressOf: () => undefined }),
    secrets: [LOGIN.password, "lead@example.com"],
    sent: async () =>
      mail.mails.map(({ headers, text, html }) => `${JSON.stringify(headers)}\n${text}\n${html}`),
    async behave(how) {
      mail.refuse = how === "fails temporarily" ? 451 : how === "refuses permanently" ? 550 : undefined;
      if (how === "is gone") await close();
    },
    [Symbol.asyncDispose]: close,
  };
}

channelSuite("an e-mail", setUp);

const NOTICE = noticeOf(
  {
    holdId: "hold_7",
    type: "approval",
    prompt: 'Refund 40 EUR\nto <Ada> & "co"?',
    askedBy: "refunder",
    expiresAt: Date.UTC(2026, 0, 2),
  },
  {
    id: "msg_1",
    workspace: "default",
    attempt: 2,
    recipient: "lead@example.com",
    reviewUrl: "https://holdpoint.example/review/7?a=1&token=t0ken",
  },
);

function channelAt(mail: MailServer, part: Partial<Parameters<typeof emailChannel>[0]> = {}) {
  return emailChannel({ server: serverAt(mail.url), from: FROM, addressOf: () => undefined, ...part });
}

describe("e-mail notices", () => {
  it("an e-mail names the asker, the prompt, the expiry and the link, as text and as HTML", async () => {
    await using mail = await MailServer.start();
    expect(await channelAt(mail).deliver(NOTICE)).toEqual({ kind: "sent" });
    const [letter] = mail.mails;
    expect(letter).toMatchObject({ from: "holdpoint@example.com", to: ["lead@example.com"] });
    expect(letter?.headers).toMatchObject({
      subject: 'Reminder 2: Refund 40 EUR to <Ada> & "co"?',
      from: "Holdpoint <holdpoint@example.com>",
      to: "lead@example.com",
      "message-id": "<msg_1@example.com>",
      "auto-submitted": "auto-generated",
    });
    expect(letter?.text).toContain('refunder asks:\n\n> Refund 40 EUR\n> to <Ada> & "co"?');
    expect(letter?.text).toContain(`\n${NOTICE.reviewUrl}\n`);
    expect(letter?.text).toContain("Answer before 2026-01-02 00:00 UTC.");
    expect(letter?.html).toContain("Refund 40 EUR<br>to &lt;Ada&gt; &amp; &quot;co&quot;?");
    expect(letter?.html).toContain('href="https://holdpoint.example/review/7?a=1&amp;token=t0ken"');
  });

  it("an e-mail's subject is shortened and has one line", async () => {
    await using mail = await MailServer.start();
    const prompt = `${"x".repeat(300)}\r\nSubject: other`;
    await channelAt(mail).deliver({ ...NOTICE, attempt: 1, prompt, expiresAt: null });
    expect(mail.mails[0]?.headers["subject"]).toBe(`Your answer is needed: ${"x".repeat(119)}…`);
    expect(mail.mails[0]?.text).not.toContain("Answer before");
  });

  it("an e-mail goes to the configured address of a named person, and never to more than one address", async () => {
    await using mail = await MailServer.start();
    const channel = channelAt(mail, {
      addressOf: (name) => (name === "ada" ? "ada@example.com" : undefined),
    });
    expect(await channel.deliver({ ...NOTICE, recipient: "ada" })).toEqual({ kind: "sent" });
    expect(mail.mails[0]?.to).toEqual(["ada@example.com"]);
    for (const recipient of [
      "grace",
      "a@example.com, b@example.com",
      "a@b>\r\nRCPT TO:<c@d",
      "Ada <a@b.c>",
    ]) {
      expect(await channel.deliver({ ...NOTICE, recipient })).toMatchObject({
        reason: "no_address",
        retry: false,
      });
    }
    expect(await channel.deliver({ ...NOTICE, recipient: null })).toMatchObject({ reason: "no_recipient" });
    expect(mail.mails).toHaveLength(1);
  });

  it("an e-mail is not sent without TLS if TLS is required", async () => {
    await using mail = await MailServer.start();
    const channel = channelAt(mail, { server: serverAt(mail.url, { requireTls: true }) });
    expect(await channel.deliver(NOTICE)).toEqual({ kind: "failed", reason: "tls_failed", retry: true });
    expect(mail.mails).toEqual([]);
  });

  it("TLS from the first byte with a mail server that has none is told as a failure of TLS", async () => {
    await using mail = await MailServer.start();
    const channel = channelAt(mail, { server: serverAt(mail.url, { isSecure: true }) });
    expect(await channel.deliver(NOTICE)).toEqual({ kind: "failed", reason: "tls_failed", retry: true });
  });

  it("an SMTP sign-in that fails is reported without the password", async () => {
    await using mail = await MailServer.start({ login: LOGIN });
    const channel = channelAt(mail, {
      server: serverAt(mail.url, { user: "holdpoint", password: "GUESSED" }),
    });
    expect(await channel.deliver(NOTICE)).toEqual({
      kind: "failed",
      reason: "smtp_auth_failed",
      retry: false,
    });
  });

  it("aborting ends an SMTP delivery at once", async () => {
    await using mail = await MailServer.start();
    mail.refuse = "hang";
    const stop = new AbortController();
    const result = channelAt(mail).deliver(NOTICE, stop.signal);
    setImmediate(() => stop.abort());
    expect(await result).toEqual({ kind: "failed", reason: "stopped", retry: true });
  });
});

describe("e-mail senders", () => {
  it.each([
    ["a@example.com", { name: "", address: "a@example.com" }],
    ["Holdpoint <a@example.com>", { name: "Holdpoint", address: "a@example.com" }],
    [" <a@example.com> ", { name: "", address: "a@example.com" }],
    ["Holdpoint", null],
    ["a@b, c@d", null],
    ["x <a@b> y", null],
  ])("the e-mail sender %j is read as %j", (text, sender) => {
    expect(readSender(text)).toEqual(sender);
  });
});
