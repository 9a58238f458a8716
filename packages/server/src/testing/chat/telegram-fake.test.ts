/** grammY runs its normal calls against the fake, so that the fake cannot lie about Telegram. */

import { Api, Bot, GrammyError, HttpError } from "grammy";
import { expect, test } from "vitest";
import { TelegramFake, type TelegramMessage } from "./telegram-fake.ts";

async function stage() {
  const fake = await TelegramFake.start();
  const ada = fake.user(1001, "Ada");
  const chat = fake.privateChat(ada);
  return { fake, ada, chat, api: new Api(fake.token, { apiRoot: fake.origin }) };
}

/** A bot of grammY's that polls the fake until the test ends. */
async function polling(fake: TelegramFake, set: (bot: Bot) => void) {
  const bot = new Bot(fake.token, { client: { apiRoot: fake.origin } });
  set(bot);
  const ended = bot.start();
  await fake.until(() => fake.updates.isPolled);
  return {
    bot,
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await ended;
    },
  };
}

const KEYBOARD = {
  inline_keyboard: [
    [
      { text: "Approve", callback_data: "a1" },
      { text: "Reject", callback_data: "r1" },
    ],
  ],
};

async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error);
}

test("grammY sends, edits and closes a message with buttons", async () => {
  const { fake, api, chat } = await stage();
  await using _ = fake;
  const sent = await api.sendMessage(chat.id, "<b>Refund</b> 40 &lt; 50?", {
    parse_mode: "HTML",
    reply_markup: KEYBOARD,
    protect_content: true,
  });
  expect(sent.text).toBe("Refund 40 < 50?");
  expect(sent.entities).toEqual([{ type: "bold", offset: 0, length: 6 }]);
  expect(fake.message(chat.id, sent.message_id)).toMatchObject({ has_protected_content: true });
  await api.editMessageText(chat.id, sent.message_id, "Approved by Ada");
  const closed = fake.message(chat.id, sent.message_id);
  expect(closed?.text).toBe("Approved by Ada");
  expect(closed?.reply_markup).toBeUndefined();
});

test("grammY's bot gets a press, answers it and confirms it by its offset", async () => {
  const { fake, ada, chat, api } = await stage();
  await using _ = fake;
  await api.sendMessage(chat.id, "Refund?", { reply_markup: KEYBOARD });
  const message = fake.fromBot(chat)[0] as TelegramMessage;
  await using _bot = await polling(fake, (bot) =>
    bot.on("callback_query:data", (context) =>
      context.answerCallbackQuery({
        text: `${context.from.first_name} pressed ${context.callbackQuery.data}`,
      }),
    ),
  );
  const query = fake.press(ada, message, "Reject");
  expect((await fake.answered(query)).text).toBe("Ada pressed r1");
  await fake.until(() => fake.updates.pending.length === 0);
});

test("an update stays until a higher offset confirms it", async () => {
  const { fake, ada, chat, api } = await stage();
  await using _ = fake;
  fake.write(ada, chat, "first");
  fake.write(ada, chat, "second");
  const twice = [await api.getUpdates(), await api.getUpdates()];
  expect(twice[0]).toEqual(twice[1]);
  const [first] = twice[0] ?? [];
  const rest = await api.getUpdates({ offset: (first?.update_id ?? 0) + 1 });
  expect(rest.map(({ message }) => message?.text)).toEqual(["second"]);
});

test("a second poller ends the first one with 409, and a webhook blocks polling", async () => {
  const { fake, api } = await stage();
  await using _ = fake;
  const first = refusalOf(api.getUpdates({ timeout: 30 }));
  await fake.until(() => fake.updates.isPolled);
  const second = api.getUpdates({ timeout: 30 });
  expect(await first).toMatch(/^409 Conflict: terminated by other getUpdates/);
  fake.updates.endPoll();
  expect(await second).toEqual([]);
  await api.setWebhook("https://example.com/hook");
  expect(await refusalOf(api.getUpdates())).toMatch(
    /^409 Conflict: can't use getUpdates method while webhook/,
  );
  await api.deleteWebhook();
  expect(await api.getUpdates()).toEqual([]);
});

test("limits are Telegram's: message, callback data, callback answer, local links, unchanged edits", async () => {
  const { fake, api, ada, chat } = await stage();
  await using _ = fake;
  const with_ = (button: object) =>
    refusalOf(api.sendMessage(chat.id, "x", { reply_markup: { inline_keyboard: [[button as never]] } }));
  expect(await refusalOf(api.sendMessage(chat.id, "x".repeat(4097)))).toMatch(
    /400 Bad Request: message is too long/,
  );
  expect(await with_({ text: "a", callback_data: "é".repeat(33) })).toMatch(/BUTTON_DATA_INVALID/);
  expect(await with_({ text: "a", url: "http://localhost:1/h" })).toMatch(/Wrong HTTP URL/);
  const html = { parse_mode: "HTML" } as const;
  expect(await refusalOf(api.sendMessage(chat.id, "<table>", html))).toMatch(/Unsupported start tag "table"/);
  expect(await refusalOf(api.sendMessage(chat.id, "<b>x", html))).toMatch(/Can't find end tag/);
  expect(await refusalOf(api.sendMessage(77, "x"))).toMatch(/400 Bad Request: chat not found/);
  const sent = await api.sendMessage(chat.id, "x", { reply_markup: KEYBOARD });
  expect(
    await refusalOf(api.editMessageText(chat.id, sent.message_id, "x", { reply_markup: KEYBOARD })),
  ).toMatch(/message is not modified/);
  expect(await refusalOf(api.editMessageText(chat.id, 9, "x"))).toMatch(/message to edit not found/);
  const query = fake.press(ada, fake.fromBot()[0] as TelegramMessage, "Approve");
  expect(await refusalOf(api.answerCallbackQuery(query, { text: "x".repeat(201) }))).toMatch(
    /MESSAGE_TOO_LONG/,
  );
  await api.answerCallbackQuery(query);
  expect(await refusalOf(api.answerCallbackQuery(query))).toMatch(/query is too old/);
});

test("too many messages get 429 with retry_after, as grammY reads it", async () => {
  let now = 1_000_000;
  const fake = await TelegramFake.start({ now: () => now });
  await using _ = fake;
  const chat = fake.group(-55, "Finance", []);
  fake.limits = { perGroupPerMinute: 2 };
  const api = new Api(fake.token, { apiRoot: fake.origin });
  await api.sendMessage(chat.id, "1");
  now += 1000;
  await api.sendMessage(chat.id, "2");
  const error = await api.sendMessage(chat.id, "3").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(GrammyError);
  expect((error as GrammyError).parameters.retry_after).toBe(59);
  now += 59_000;
  await api.sendMessage(chat.id, "3");
});

test("deep links, replies, topics, blocked bots, wrong tokens and lost connections look as they do to a bot", async () => {
  const { fake, ada, chat, api } = await stage();
  await using _ = fake;
  fake.startBot(ada, "code-1");
  const [start] = await api.getUpdates();
  expect(start?.message).toMatchObject({ text: "/start code-1", entities: [{ type: "bot_command" }] });
  const asked = await api.sendMessage(chat.id, "Why?", { reply_markup: { force_reply: true } });
  fake.write(ada, chat, "Too much", { replyTo: fake.message(chat.id, asked.message_id) as TelegramMessage });
  const reply = (await api.getUpdates()).at(-1)?.message;
  expect(reply?.reply_to_message?.message_id).toBe(asked.message_id);
  const forum = fake.supergroup(-100_7, "Ops", [ada], [5]);
  expect((await api.sendMessage(forum.id, "x", { message_thread_id: 5 })).message_thread_id).toBe(5);
  expect(await refusalOf(api.sendMessage(forum.id, "x", { message_thread_id: 6 }))).toMatch(
    /thread not found/,
  );
  expect((await api.getChatMember(forum.id, ada.id)).status).toBe("member");
  expect((await api.getChat(forum.id)).title).toBe("Ops");
  fake.block(ada);
  expect(await refusalOf(api.sendMessage(chat.id, "x"))).toMatch(/403 Forbidden: bot was blocked/);
  const stranger = new Api("1:AAwrongWRONGwrongWRONGwrongWRONGwr", { apiRoot: fake.origin });
  expect(await refusalOf(stranger.getMe())).toMatch(/401 Unauthorized/);
  fake.fail("getMe", { kind: "drop", after: false });
  await expect(api.getMe()).rejects.toBeInstanceOf(HttpError);
  expect((await api.getMe()).username).toBe(fake.bot.username);
});
