/** Discord for the shared suite. */

import { discordPlatform } from "../../channels/discord/discord.ts";
import { type Acted, AGREE, type ChatDriver, type Shown, type Where, type Who } from "./chat-driver.ts";
import type { Json } from "./discord-checks.ts";
import { DiscordFake } from "./discord-fake.ts";
import {
  type DiscordChannel,
  type DiscordMessage,
  type DiscordUser,
  type Interaction,
  parts,
} from "./discord-shapes.ts";
import { discordHtml } from "./message-html.ts";

export async function discordDriver(now: () => number): Promise<ChatDriver> {
  const fake = await DiscordFake.start({ now });
  const people: Partial<Record<Who, DiscordUser>> = {
    ada: fake.know(fake.user("Ada")),
    grace: fake.know(fake.user("Grace")),
    stranger: fake.know(fake.user("Mallory")),
    robot: fake.user("Robot", { bot: true }),
  };
  const person = (who: Who) => people[who] as DiscordUser;
  const chats: Readonly<Record<Where, DiscordChannel>> = {
    group: fake.addChannel("finance"),
    other: fake.addChannel("audit"),
    ada: fake.directMessages(person("ada")),
    grace: fake.directMessages(person("grace")),
  };
  const elsewhere = fake.addChannel("elsewhere");
  const show = (message: DiscordMessage): Shown => ({
    id: message.id,
    where: (Object.keys(chats) as Where[]).find((where) => chats[where].id === message.channel_id) ?? "other",
    text: readable(message),
    buttons: parts(message).map((part) => String(part["label"])),
    ...(message.reference === undefined ? {} : { threadOf: message.reference }),
  });
  const kept = ({ id }: Shown) => fake.messages.find((message) => message.id === id) as DiscordMessage;
  const acted = (interaction: Interaction): Acted => ({
    told: fake
      .answered(interaction)
      .then(({ type, data }) => (type === 4 || type === 7 ? plain(data["content"]) : "")),
    async again() {
      const path = "POST /interactions/:id/:token/callback";
      const before = fake.callsOf(path).length;
      fake.again(interaction);
      await fake.until(() => fake.callsOf(path).length > before);
    },
  });

  return {
    kind: "discord",
    hasDialogs: true,
    keepsPresses: false,
    knows: ["ada", "grace", "stranger", "robot"],
    accounts: { ada: { userId: person("ada").id }, grace: { userId: person("grace").id } },
    address: (where) => chats[where].id,
    platform: (clock) => discordPlatform({ name: "discord", clock, token: fake.token, apiUrl: fake.apiUrl }),
    isListening: () => fake.gateway.count > 0,
    shown: (where) =>
      fake.messages
        .filter(
          (message) =>
            message.author.id === fake.bot.id &&
            message.embeds.length > 0 &&
            (where === undefined || message.channel_id === chats[where].id),
        )
        .map(show),
    press: (who, message, label) => acted(fake.press(person(who), kept(message), label)),
    keepButton(who, message, label) {
      const seen = { ...kept(message) };
      return () => acted(fake.press(person(who), seen, label));
    },
    forge: (who, message, label) =>
      acted(fake.press(person(who), { ...kept(message), channel_id: elsewhere.id }, label)),
    reply(who, values) {
      const asked = fake.interactions.findLast(
        ({ user, callback }) => user.id === person(who).id && callback?.type === 9,
      );
      if (asked === undefined) throw new Error("no modal is open");
      return acted(fake.submit(person(who), asked, values));
    },
    agree(who) {
      const asked = fake.interactions.findLast(
        ({ user, callback }) => user.id === person(who).id && callback?.data["components"] !== undefined,
      );
      const rows = (asked?.callback?.data["components"] ?? []) as readonly { components: readonly Json[] }[];
      const button = rows.flatMap(({ components }) => components).find((part) => part["label"] === AGREE);
      if (asked?.message === undefined || button === undefined) throw new Error("no terms were shown");
      const press = fake.pressId(person(who), asked.message, String(button["custom_id"]));
      return { ...acted(press), terms: plain(asked.callback?.data["content"]) };
    },
    rotateToken: () => {
      fake.token = `${fake.token}new`;
    },
    async write(who, text) {
      const chat = fake.directMessages(person(who));
      const before = fake.in(chat).length;
      fake.write(person(who), text);
      await fake.until(() => fake.in(chat).length > before + 1);
      return plain(fake.in(chat).at(-1)?.content);
    },
    limit(what, seconds) {
      fake.fail(what === "send" ? "POST /channels/:id/messages" : "PATCH /channels/:id/messages/:id", {
        kind: "reply",
        reply: {
          status: 429,
          headers: { "retry-after": String(Math.ceil(seconds)) },
          body: { message: "You are being rate limited.", retry_after: seconds, global: false },
        },
      });
    },
    loseNextSend: () => fake.fail("POST /channels/:id/messages", { kind: "drop", after: true }),
    replaceConnection: () => fake.gateway.askToReconnect(),
    until: (test) => fake.until(test),
    draw: (message) => discordHtml(kept(message)),
    left: () => JSON.stringify(fake.calls.map(({ params }) => params)),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

function readable({ content, embeds }: DiscordMessage): string {
  const texts = embeds.flatMap((embed) => [
    embed["title"],
    embed["description"],
    (embed["footer"] as Json | undefined)?.["text"],
  ]);
  return plain([content, ...texts].filter(Boolean).join("\n"));
}

/** As a person reads it: without the escapes. */
function plain(text: unknown): string {
  return String(text ?? "").replaceAll(/\\([^a-zA-Z0-9\s])/g, "$1");
}
