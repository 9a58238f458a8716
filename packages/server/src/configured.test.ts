import { describe, expect, it } from "vitest";
import { channelsFrom, outgoingFrom, platformFrom, smtpServer } from "./configured.ts";
import type { ChannelConfig } from "./system/config.ts";
import { MailServer } from "./testing/mail-server.ts";
import { ManualClock } from "./testing/manual-clock.ts";

const clock = new ManualClock();
const outgoing = outgoingFrom("", true, clock);
const people = { ada: { email: "ada@example.com" }, grace: {} };
const NOTICE = {
  id: "msg_1",
  workspace: "default",
  holdId: "hold_1",
  type: "approval",
  prompt: "Go?",
  askedBy: "refunder",
  attempt: 1,
  expiresAt: null,
  recipient: "ada",
  reviewUrl: "http://localhost:4100/review/1?token=t",
};

const email = (part: object): ChannelConfig =>
  ({ kind: "email", url: "smtp://mail.example.com", from: "hp@example.com", ...part }) as ChannelConfig;
const build = (config: ChannelConfig, env = {}) =>
  channelsFrom({ channels: { it: config }, people }, { env, outgoing, clock })["it"];

describe("configured channels", () => {
  it("an e-mail channel sends to the configured address of a person, or to its default recipient", async () => {
    await using mail = await MailServer.start({ login: { user: "hp", password: "secret" } });
    const channel = build(email({ url: mail.url, user: "hp", secret_env: "SMTP" }), { SMTP: "secret" });
    expect(await channel?.deliver(NOTICE)).toEqual({ kind: "sent" });
    expect(mail.mails[0]?.to).toEqual(["ada@example.com"]);
    const usual = build(
      email({ url: mail.url, user: "hp", secret_env: "SMTP", to: ["team@example.com", "x@example.com"] }),
      { SMTP: "secret" },
    );
    await usual?.deliver({ ...NOTICE, recipient: null });
    expect(mail.mails[1]?.to).toEqual(["team@example.com"]);
  });

  it("the port of an e-mail channel comes from its URL, or from its scheme", () => {
    const placeOf = (url: string) => {
      const { host, port } = smtpServer("mail", { kind: "email", url, from: "hp@example.com" }, undefined);
      return [host, port];
    };
    expect(placeOf("smtp://mail.example.com")).toEqual(["mail.example.com", 587]);
    expect(placeOf("smtps://mail.example.com")).toEqual(["mail.example.com", 465]);
    expect(placeOf("smtp://[::1]:25")).toEqual(["::1", 25]);
    const chat = { kind: "webhook", url: "https://chat.example.com/x" } as const;
    expect(build(chat)).toMatchObject({ kind: "webhook" });
  });

  it("a webhook channel with a preset sends people to the console and makes no review link", () => {
    const ntfy = { kind: "webhook", preset: "ntfy", url: "https://ntfy.example.com/holds" } as const;
    expect(build(ntfy)).toMatchObject({ kind: "webhook", signedIn: true });
  });

  it.each([
    [
      { kind: "webhook", preset: "pagerduty", url: "https://events.pagerduty.com/v2/enqueue" } as const,
      "PagerDuty needs the integration's routing key",
    ],
    [email({ url: "http://mail.example.com" }), "url must be smtp"],
    [email({ url: "smtp://user:pass@mail.example.com" }), "url must be smtp"],
    [email({ from: "nobody" }), "from is not an e-mail address"],
    [email({ secret_env: "MISSING" }), "MISSING is not set"],
  ])("a channel with a wrong setting is refused: %j", (config, words) => {
    expect(() => build(config)).toThrow(words);
  });
});

describe("notification settings", () => {
  const settings = {
    agentLinks: "always",
    channels: {},
    people,
    notifyAllow: ["*@example.org"],
    defaultRetryPolicy: null,
  } as const;

  it("recipients may be the configured people by name and address, and the operator's allow-list", () => {
    const { notify } = platformFrom({
      ...settings,
      channels: { it: email({ to: ["team@example.com"] }) },
      defaultChannel: undefined,
    });
    expect(notify).toEqual({
      allow: ["ada", "ada@example.com", "grace", "*@example.org"],
      channels: { it: ["team@example.com"] },
      kinds: { it: "email" },
      closing: [],
    });
  });

  it("a PagerDuty channel closes its alerts; other receivers of webhooks cannot", () => {
    const webhook = (preset?: "pagerduty" | "ntfy"): ChannelConfig => ({
      ...({ kind: "webhook", url: "https://hooks.example.com/x" } as const),
      ...(preset === undefined ? {} : { preset }),
    });
    const channels = { pager: webhook("pagerduty"), phone: webhook("ntfy"), own: webhook() };
    const { notify } = platformFrom({ ...settings, channels, defaultChannel: undefined });
    expect(notify.closing).toEqual(["pager"]);
  });

  it("a default channel that is not configured is refused", () => {
    expect(platformFrom({ ...settings, defaultChannel: "console" }).notify.defaultChannel).toBe("console");
    expect(() => platformFrom({ ...settings, defaultChannel: "pager" })).toThrow("no channel named pager");
  });
});

describe("the webhook allow-list", () => {
  it("HOLDPOINT_WEBHOOK_ALLOW is refused if an entry is not a host or range", () => {
    expect(() => outgoingFrom("hooks.example.com 10.0.0.0/8", false, clock)).not.toThrow();
    expect(() => outgoingFrom("http://x/", false, clock)).toThrow("HOLDPOINT_WEBHOOK_ALLOW");
  });
});
