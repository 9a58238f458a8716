/** Telegram for the shared suite. */

import type { Chat, User } from "grammy/types";
import { telegramPlatform } from "../../channels/telegram/platform.ts";
import type { Acted, ChatDriver, Linked, Shown, Where, Who } from "./chat-driver.ts";
import { AGREE } from "./chat-driver.ts";
import { telegramHtml } from "./message-html.ts";
import { TelegramFake, type TelegramMessage } from "./telegram-fake.ts";

export async function telegramDriver(now: () => number): Promise<ChatDriver> {
  const fake = await TelegramFake.start({ now });
  const people: Partial<Record<Who, User>> = {
    ada: fake.user(1, "Ada"),
    grace: fake.user(2, "Grace"),
    stranger: fake.user(3, "Mallory"),
    robot: fake.user(4, "Robot", { is_bot: true }),
  };
  const person = (who: Who) => people[who] as User;
  const everybody = Object.values(people);
  const chats: Readonly<Record<Where, Chat>> = {
    group: fake.supergroup(-1001, "Finance", everybody),
    other: fake.supergroup(-1002, "Audit", everybody),
    ada: fake.privateChat(person("ada")),
    grace: fake.privateChat(person("grace")),
  };
  const whereOf = ({ chat }: TelegramMessage) =>
    (Object.keys(chats) as Where[]).find((where) => chats[where].id === chat.id) ?? "other";
  const isQuestion = (message: TelegramMessage) => message.reply_markup === undefined;
  const show = (message: TelegramMessage): Shown => ({
    id: String(message.message_id),
    where: whereOf(message),
    text: message.text,
    buttons: (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text),
    ...(message.reply_to_message === undefined
      ? {}
      : { threadOf: String(message.reply_to_message.message_id) }),
  });
  const kept = ({ where, id }: Shown) => fake.message(chats[where].id, Number(id)) as TelegramMessage;
  const dataOf = (message: Shown, label: string) => {
    const button = (kept(message).reply_markup?.inline_keyboard ?? [])
      .flat()
      .find(({ text }) => text === label);
    return (button as { readonly callback_data: string }).callback_data;
  };
  const acted = (query: string): Acted => {
    const update = fake.updates.pending.at(-1);
    return {
      told: fake.answered(query).then(({ text = "" }) => text),
      async again() {
        // Before the next poll, the confirmation of the first delivery would take it away again.
        await fake.until(() => fake.updates.isPolled);
        const before = fake.callsOf("answerCallbackQuery").length;
        if (update !== undefined) fake.updates.again(update);
        await fake.until(() => fake.callsOf("answerCallbackQuery").length > before);
      },
    };
  };
  /** The next message of the bot to this person. */
  const written = async (who: Who, work: () => void) => {
    const chat = fake.privateChat(person(who));
    const before = fake.fromBot(chat).length;
    work();
    await fake.until(() => fake.fromBot(chat).length > before);
    return fake.fromBot(chat).at(-1)?.text ?? "";
  };

  return {
    kind: "telegram",
    hasDialogs: false,
    keepsPresses: true,
    knows: ["ada", "grace", "stranger", "robot"],
    accounts: { ada: { userId: "1" }, grace: { userId: "2" } },
    address: (where) => String(chats[where].id),
    platform: (clock) =>
      telegramPlatform({ name: "telegram", token: fake.token, apiUrl: fake.origin, clock }),
    isListening: () => fake.updates.isPolled,
    shown: (where) =>
      fake
        .fromBot(where === undefined ? undefined : chats[where])
        .filter((message) => /^[^\n]+\nfrom /.test(message.text))
        .map(show),
    press: (who, message, label) => acted(fake.press(person(who), kept(message), label)),
    keepButton(who, message, label) {
      const [seen, data] = [{ ...kept(message) }, dataOf(message, label)];
      return () => acted(fake.pressData(person(who), seen, data));
    },
    forge(who, message, label) {
      const elsewhere = { ...kept(message), chat: fake.group(-99, "Elsewhere", everybody) };
      return acted(fake.pressData(person(who), elsewhere, dataOf(message, label)));
    },
    reply(who: Linked, values) {
      const question = fake.fromBot(chats[who]).findLast(isQuestion) as TelegramMessage;
      const [text = ""] = Object.values(values);
      const told = written(who, () => fake.write(person(who), chats[who], text, { replyTo: question }));
      return { told, again: async () => undefined };
    },
    agree(who) {
      const terms = fake.fromBot(chats[who]).findLast((message) => !isQuestion(message)) as TelegramMessage;
      return { ...acted(fake.press(person(who), terms, AGREE)), terms: terms.text };
    },
    rotateToken: () => {
      fake.token = `${fake.token}-new`;
    },
    write: (who, text) => written(who, () => fake.write(person(who), fake.privateChat(person(who)), text)),
    limit(what, seconds) {
      const body = {
        ok: false,
        error_code: 429,
        description: `Too Many Requests: retry after ${seconds}`,
        parameters: { retry_after: seconds },
      };
      fake.fail(what === "send" ? "sendMessage" : "editMessageText", {
        kind: "reply",
        reply: { status: 429, body },
      });
    },
    loseNextSend: () => fake.fail("sendMessage", { kind: "drop", after: true }),
    replaceConnection: () => fake.dropConnections(),
    until: (test) => fake.until(test),
    draw: (message) => telegramHtml(kept(message)),
    left: () => JSON.stringify(fake.calls.map(({ params }) => params)),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}
