/** Slack for the shared suite. */

import { slackPlatform } from "../../channels/slack/slack.ts";
import type { Acted, ChatDriver, Shown, Where, Who } from "./chat-driver.ts";
import { slackHtml } from "./message-html.ts";
import { SlackFake } from "./slack-fake.ts";
import type { SlackChannel, SlackMessage, SlackUser } from "./slack-shapes.ts";
import type { Delivery } from "./slack-sockets.ts";

type Json = Readonly<Record<string, unknown>>;

export async function slackDriver(now: () => number): Promise<ChatDriver> {
  const fake = await SlackFake.start({ now });
  const people: Readonly<Record<Who, SlackUser>> = {
    ada: fake.addUser({ id: "U0ADA", name: "Ada" }),
    grace: fake.addUser({ id: "U0GRACE", name: "Grace" }),
    stranger: fake.addUser({ id: "U0MAL", name: "Mallory" }),
    robot: fake.addUser({ id: "U0ROBOT", name: "Robot", is_bot: true }),
    guest: fake.addUser({ id: "U0GUEST", name: "Guest", is_restricted: true }),
    outsider: fake.addUser({ id: "U0OUT", name: "Outsider", team_id: "T0OTHER" }),
  };
  const everybody = Object.values(people);
  const chats: Readonly<Record<Where, SlackChannel>> = {
    group: fake.addChannel("C0FIN", "finance", everybody),
    other: fake.addChannel("C0AUD", "audit", everybody),
    ada: fake.directMessages(people.ada),
    grace: fake.directMessages(people.grace),
  };
  const elsewhere = fake.addChannel("C0ELSE", "elsewhere", everybody);
  const isCard = ({ blocks, ephemeralFor }: SlackMessage) =>
    ephemeralFor === undefined && blocks.some(({ type }) => type === "header");
  const show = (message: SlackMessage): Shown => ({
    id: message.ts,
    where: (Object.keys(chats) as Where[]).find((where) => chats[where].id === message.channel) ?? "other",
    text: message.blocks.map(textIn).join("\n"),
    buttons: buttonsIn(message).map((button) => String((button["text"] as Json)["text"])),
    ...(message.thread_ts === undefined ? {} : { threadOf: message.thread_ts }),
  });
  const kept = ({ id }: Shown) => fake.messages.find(({ ts }) => ts === id) as SlackMessage;
  /** Texts that only this person has seen so far, apart from cards. */
  const privateTexts = (who: Who) =>
    fake.messages
      .filter(
        (message) =>
          message.ephemeralFor === people[who].id ||
          (message.channel === fake.directMessages(people[who]).id && !isCard(message)),
      )
      .map(({ text }) => text);
  const acted = (who: Who, deliver: () => Delivery): Acted => {
    const before = privateTexts(who).length;
    const delivery = deliver();
    const told = fake.acknowledged(delivery).then(({ ack }) => {
      const errors = ack?.payload?.["errors"] as Json | undefined;
      const notice = textIn((ack?.payload?.["view"] ?? {}) as Json);
      return [...privateTexts(who).slice(before), ...Object.values(errors ?? {}), notice]
        .filter(Boolean)
        .join(" ");
    });
    return { told, again: async () => void (await fake.acknowledged(fake.again(delivery))) };
  };

  return {
    kind: "slack",
    hasDialogs: true,
    keepsPresses: false,
    knows: ["ada", "grace", "stranger", "robot", "guest", "outsider"],
    accounts: {
      ada: { tenant: fake.team, userId: people.ada.id },
      grace: { tenant: fake.team, userId: people.grace.id },
    },
    address: (where) => `#${chats[where].name}`,
    platform: (clock) =>
      slackPlatform({
        ...{ name: "slack", clock, token: fake.botToken, appToken: fake.appToken },
        apiUrl: `${fake.origin}/api`,
      }),
    isListening: () => fake.sockets.count > 0,
    shown: (where) =>
      fake.messages
        .filter((message) => isCard(message) && (where === undefined || message.channel === chats[where].id))
        .map(show),
    press: (who, message, label) => acted(who, () => fake.press(people[who], kept(message), label)),
    keepButton(who, message, label) {
      const seen = { ...kept(message) };
      return () => acted(who, () => fake.press(people[who], seen, label));
    },
    forge: (who, message, label) =>
      acted(who, () => fake.press(people[who], { ...kept(message), channel: elsewhere.id }, label)),
    reply(who, values) {
      const view = fake.views.findLast(({ user }) => user === people[who].id);
      if (view === undefined) throw new Error("no modal is open");
      return acted(who, () => fake.submit(people[who], view, values));
    },
    agree(who) {
      const view = fake.views.findLast(({ user }) => user === people[who].id);
      if (view === undefined) throw new Error("no modal is open");
      return { ...acted(who, () => fake.submit(people[who], view, {})), terms: textIn(view) };
    },
    rotateToken: () => {
      fake.botToken = `${fake.botToken}-new`;
    },
    async write(who, text) {
      const before = privateTexts(who).length;
      await fake.acknowledged(fake.write(people[who], text));
      return privateTexts(who).slice(before).join(" ");
    },
    limit(what, seconds) {
      fake.fail(what === "send" ? "chat.postMessage" : "chat.update", {
        kind: "reply",
        reply: {
          status: 429,
          headers: { "retry-after": String(seconds) },
          body: { ok: false, error: "ratelimited" },
        },
      });
    },
    loseNextSend: () => fake.fail("chat.postMessage", { kind: "drop", after: true }),
    replaceConnection: () => fake.sockets.announce("refresh_requested"),
    until: (test) => fake.until(test),
    draw: (message) => slackHtml(kept(message)),
    left: () => JSON.stringify(fake.calls.map(({ params }) => params)),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

function buttonsIn({ blocks }: SlackMessage): readonly Json[] {
  return blocks.flatMap((block) =>
    block["type"] === "actions" ? (block["elements"] as readonly Json[]) : [],
  );
}

/** Everything that can be read in a block or a view, without buttons. */
function textIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join("\n");
  if (typeof value !== "object" || value === null) return "";
  const { type, text, title: _title, ...rest } = value as Json;
  if (type === "actions") return "";
  if (typeof text === "string") return text;
  return [text, ...Object.values(rest)].map(textIn).filter(Boolean).join("\n");
}
