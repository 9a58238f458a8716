import { describe, expect, it } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Receiver } from "../../testing/receiver.ts";
import { ALLOW_NOTHING } from "../allow-list.ts";
import { channelSuite, type ReceiverState } from "../channel.suite.ts";
import { type Notice, noticeOf } from "../channel.ts";
import { createOutgoing } from "../outgoing.ts";
import { presetChannel } from "./channel.ts";
import { PRESET, type PresetName } from "./presets.ts";

const clock = new ManualClock({ startAt: Date.UTC(2026, 0, 1) });
const outgoing = createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: true }, clock });

const SECRETS = { teams: undefined, pagerduty: "R0UTINGKEY", ntfy: "tk_ACCESS" } as const;
const PATHS = { teams: "/workflows/SECRET-PATH", pagerduty: "/v2/enqueue", ntfy: "/SECRET-TOPIC" } as const;
const NAMES = ["teams", "pagerduty", "ntfy"] as const;

const STATUS: Readonly<Record<Exclude<ReceiverState, "is gone">, number>> = {
  accepts: 202,
  "fails temporarily": 503,
  "refuses permanently": 400,
};

function channelTo(receiver: Receiver, name: PresetName) {
  const config = { url: receiver.url(PATHS[name]), secret: SECRETS[name] };
  return presetChannel(name, config, { outgoing, clock });
}

for (const name of NAMES)
  channelSuite(`a ${name} webhook`, async () => {
    const receiver = await Receiver.start();
    return {
      channel: channelTo(receiver, name),
      secrets: ["R0UTINGKEY", "tk_ACCESS", "SECRET-PATH", "SECRET-TOPIC"],
      sent: async () => receiver.requests.map(({ headers, body }) => `${JSON.stringify(headers)}\n${body}`),
      async behave(how) {
        if (how === "is gone") await receiver[Symbol.asyncDispose]();
        else receiver.answer = () => ({ status: STATUS[how], body: "R0UTINGKEY tk_ACCESS SECRET-PATH" });
      },
      [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
    };
  });

const PAGE = "https://h.example/console/holds/hold_7";

function notice(changes: Partial<Notice> = {}): Notice {
  const facts = { holdId: "hold_7", type: "approval", prompt: "Refund 40 EUR?", askedBy: "refunder" };
  const delivery = { id: "msg_1", workspace: "acme", attempt: 1, recipient: null, reviewUrl: PAGE };
  return { ...noticeOf({ ...facts, expiresAt: Date.UTC(2026, 0, 2) }, delivery), ...changes };
}

async function sentBy(name: PresetName, changes: Partial<Notice> = {}) {
  await using receiver = await Receiver.start();
  receiver.answer = () => 202;
  expect(await channelTo(receiver, name).deliver(notice(changes))).toEqual({ kind: "sent", status: 202 });
  const [request] = receiver.requests;
  return { path: request?.path, headers: request?.headers, body: JSON.parse(request?.body ?? "") };
}

describe("webhook presets", () => {
  it("Teams gets an adaptive card that only opens the console", async () => {
    const { path, body } = await sentBy("teams");
    expect(path).toBe("/workflows/SECRET-PATH");
    const text = (words: string, style = {}) => ({
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text: words, ...style }],
    });
    expect(body).toEqual({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              text("refunder asks", { weight: "Bolder" }),
              text("Refund 40 EUR?"),
              text("Open until 2026-01-02T00:00:00.000Z", { isSubtle: true, size: "Small" }),
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open", url: PAGE }],
          },
        },
      ],
    });
  });

  it("PagerDuty gets a trigger whose dedup_key is the hold, so that a reminder belongs to the same alert", async () => {
    const { path, body } = await sentBy("pagerduty");
    expect(path).toBe("/v2/enqueue");
    expect(body).toEqual({
      ...{ routing_key: "R0UTINGKEY", event_action: "trigger", dedup_key: "hold_7" },
      ...{ client: "Holdpoint", client_url: PAGE, links: [{ href: PAGE, text: "Open" }] },
      payload: {
        ...{ summary: "refunder asks: Refund 40 EUR?", source: "refunder", severity: "warning" },
        ...{ component: "acme", class: "approval" },
        custom_details: { hold_id: "hold_7", attempt: 1, expires_at: "2026-01-02T00:00:00.000Z" },
      },
    });
    const reminder = await sentBy("pagerduty", { attempt: 2, expiresAt: null });
    expect(reminder.body).toMatchObject({
      dedup_key: "hold_7",
      payload: { summary: "Reminder 2: refunder asks: Refund 40 EUR?", custom_details: { expires_at: null } },
    });
  });

  it("PagerDuty resolves the hold's alert when the hold has ended, and learns nothing else of it", async () => {
    await using receiver = await Receiver.start();
    const channel = channelTo(receiver, "pagerduty");
    const closing = { id: "msg_2", workspace: "acme", holdId: "hold_7", prompt: "Refund 40 EUR?", url: PAGE };
    await channel.close?.({ ...closing, text: "Approved by Ada.", recipients: [null] });
    expect(receiver.requests.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ["/v2/enqueue", { routing_key: "R0UTINGKEY", event_action: "resolve", dedup_key: "hold_7" }],
    ]);
    expect(channelTo(receiver, "teams").close ?? channelTo(receiver, "ntfy").close).toBeUndefined();
  });

  it("ntfy gets a JSON message for the topic, with the token in a header and only a view action", async () => {
    const { path, headers, body } = await sentBy("ntfy");
    expect(path).toBe("/");
    expect(headers).toMatchObject({ authorization: "Bearer tk_ACCESS" });
    expect(body).toEqual({
      ...{
        topic: "SECRET-TOPIC",
        title: "refunder asks",
        message: "Refund 40 EUR?",
        priority: 4,
        click: PAGE,
      },
      actions: [{ action: "view", label: "Open", url: PAGE }],
    });
  });

  it("a ntfy topic without a token is published without one", async () => {
    await using receiver = await Receiver.start();
    const config = { url: receiver.url("/under/topic"), secret: undefined };
    await presetChannel("ntfy", config, { outgoing, clock }).deliver(notice());
    expect(receiver.requests[0]?.path).toBe("/under/");
    expect(receiver.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("long texts fit into the limits of PagerDuty (1,024 characters) and ntfy (4,096 bytes)", async () => {
    const long = { prompt: "\u{1F44D}".repeat(2_000), askedBy: "\u{1F680}".repeat(500) };
    const { summary } = (await sentBy("pagerduty", long)).body.payload;
    expect([...summary]).toHaveLength(1_024);
    const { title, message } = (await sentBy("ntfy", long)).body;
    expect([...title]).toHaveLength(200);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
  });

  it.each([
    ["teams", { url: "https://x.example/hook", secret: "s" }, "remove secret_env"],
    ["pagerduty", { url: "https://events.pagerduty.com/v2/enqueue", secret: undefined }, "routing key"],
    ["ntfy", { url: "https://ntfy.sh/", secret: undefined }, "must end with the topic"],
    ["ntfy", { url: "ntfy", secret: undefined }, "must end with the topic"],
  ] as const)("the preset %s refuses settings that cannot work: %j", (name, config, words) => {
    expect(PRESET[name].whyNot(config)).toContain(words);
  });
});
