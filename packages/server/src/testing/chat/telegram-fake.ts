/**
 * Telegram's Bot API as a bot sees it, on a free port. It keeps chats, messages and updates, refuses what Telegram refuses
 * in Telegram's words, and lets a test act as the people: press, write, reply, forward. `telegram-fake.test.ts` runs grammY
 * against it.
 */

import type { Chat, InlineKeyboardMarkup, Message, Update, User } from "grammy/types";
import { FakeHttp, type HttpRequest, type Reply } from "./fake-http.ts";
import { badRequest, checkedKeyboard, checkedText, TelegramRefusal } from "./telegram-checks.ts";
import { UpdateQueue } from "./telegram-updates.ts";

type Params = Readonly<Record<string, unknown>>;
type Method = (params: Params, gone: AbortSignal) => unknown;

/** A message as the fake keeps it, and as a bot gets it. */
export interface TelegramMessage {
  message_id: number;
  message_thread_id?: number;
  from: User;
  chat: Chat;
  date: number;
  edit_date?: number;
  text: string;
  entities?: Message["entities"];
  reply_markup?: InlineKeyboardMarkup;
  reply_to_message?: TelegramMessage;
  has_protected_content?: true;
  forward_origin?: { type: "user"; sender_user: User; date: number };
}

export interface CallbackAnswer {
  readonly text?: string;
  readonly show_alert?: boolean;
  readonly url?: string;
}

export interface TelegramLimits {
  readonly perSecond?: number;
  readonly perChatPerSecond?: number;
  readonly perGroupPerMinute?: number;
}

export interface TelegramFakeOptions {
  readonly token?: string;
  readonly username?: string;
  /** Milliseconds; rate limits and dates are measured by it. */
  readonly now?: () => number;
}

export class TelegramFake extends FakeHttp {
  readonly bot: User & { readonly username: string };
  token: string;
  webhook = "";
  limits: TelegramLimits = {};
  readonly updates = new UpdateQueue();
  readonly answers = new Map<string, CallbackAnswer>();
  readonly commands: unknown[] = [];
  readonly #now: () => number;
  readonly #chats = new Map<number, Chat>();
  readonly #members = new Map<number, Map<number, { user: User; status: string }>>();
  readonly #messages = new Map<string, TelegramMessage>();
  readonly #topics = new Set<string>();
  readonly #blocked = new Set<number>();
  readonly #queries = new Set<string>();
  readonly #sent: { readonly chat: number; readonly at: number }[] = [];
  #nextMessage = 100;
  #nextQuery = 4_000_001;

  private constructor(options: TelegramFakeOptions) {
    super();
    this.token = options.token ?? "123456789:AAfakeFAKEfakeFAKEfakeFAKEfakeFAKE12";
    this.#now = options.now ?? Date.now;
    this.bot = {
      id: Number(this.token.split(":")[0]),
      is_bot: true,
      first_name: "Holdpoint",
      username: options.username ?? "holdpoint_test_bot",
    };
  }

  static async start(options: TelegramFakeOptions = {}): Promise<TelegramFake> {
    const fake = new TelegramFake(options);
    await fake.listen();
    return fake;
  }

  // What people do.

  user(id: number, first_name: string, more: Partial<User> = {}): User {
    return { id, is_bot: false, first_name, language_code: "en", ...more };
  }

  /** The private chat of a person with the bot; until they start it, the bot cannot write to them. */
  privateChat(user: User): Chat {
    return this.#chat({ id: user.id, type: "private", first_name: user.first_name }, [user]);
  }

  group(id: number, title: string, people: readonly User[]): Chat {
    return this.#chat({ id, type: "group", title }, people);
  }

  /** With topics, as a forum has them. */
  supergroup(id: number, title: string, people: readonly User[], topics: readonly number[] = []): Chat {
    for (const topic of topics) this.#topics.add(`${id}/${topic}`);
    return this.#chat(
      { id, type: "supergroup", title, ...(topics.length > 0 ? { is_forum: true } : {}) } as Chat,
      people,
    );
  }

  setMember(chat: Chat, user: User, status: string): void {
    this.#members.get(chat.id)?.set(user.id, { user, status });
  }

  /** Opens the chat with the bot, as the link `t.me/<bot>?start=<payload>` does. */
  startBot(user: User, payload?: string): Update {
    this.#blocked.delete(user.id);
    return this.write(user, this.privateChat(user), payload === undefined ? "/start" : `/start ${payload}`);
  }

  block(user: User): void {
    this.#blocked.add(user.id);
  }

  write(user: User, chat: Chat, text: string, more: { readonly replyTo?: TelegramMessage } = {}): Update {
    const message = this.#keep({
      chat,
      from: user,
      text,
      ...(text.startsWith("/")
        ? { entities: [{ type: "bot_command", offset: 0, length: text.split(/\s/)[0]?.length ?? 0 }] }
        : {}),
      ...(more.replyTo === undefined ? {} : { reply_to_message: withoutReply(more.replyTo) }),
    });
    return this.#update({ message: asMessage(message) });
  }

  /** A copy in another chat; its buttons stay behind. */
  forward(user: User, message: TelegramMessage, chat: Chat): TelegramMessage {
    if (message.has_protected_content) throw new Error("This message cannot be forwarded: it is protected.");
    const copy = this.#keep({
      chat,
      from: user,
      text: message.text,
      forward_origin: { type: "user", sender_user: message.from, date: message.date },
    });
    this.#update({ message: asMessage(copy) });
    return copy;
  }

  /** Presses the button with this label. Resolves to the query's id; `answers` has what the bot answered. */
  press(user: User, message: TelegramMessage, label: string): string {
    const now = this.message(message.chat.id, message.message_id);
    const button = now?.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label);
    if (button === undefined) throw new Error(`The message has no button "${label}".`);
    if (!("callback_data" in button)) throw new Error(`"${label}" opens a page.`);
    return this.pressData(user, now ?? message, button.callback_data);
  }

  /** A press with data that no button of the message has: a changed client, or a button that is gone. */
  pressData(user: User, message: TelegramMessage, data: string): string {
    const id = String(this.#nextQuery);
    this.#nextQuery += 1;
    this.#queries.add(id);
    this.#update({
      callback_query: {
        id,
        from: user,
        message: asMessage(message),
        chat_instance: `-${message.chat.id}`,
        data,
      },
    });
    return id;
  }

  /** After about this long Telegram takes no answer to a press any more. */
  expireQueries(): void {
    this.#queries.clear();
  }

  async answered(query: string): Promise<CallbackAnswer> {
    await this.until(() => this.answers.has(query));
    return this.answers.get(query) ?? {};
  }

  message(chat: number, id: number): TelegramMessage | undefined {
    return this.#messages.get(`${chat}/${id}`);
  }

  /** What the bot has written into a chat, oldest first, as it looks now. */
  fromBot(chat?: Chat): readonly TelegramMessage[] {
    return [...this.#messages.values()].filter(
      (message) => message.from.id === this.bot.id && (chat === undefined || message.chat.id === chat.id),
    );
  }

  deleteMessage(message: TelegramMessage): void {
    this.#messages.delete(`${message.chat.id}/${message.message_id}`);
  }

  // What the bot does.

  readonly #methods: Readonly<Record<string, Method>> = {
    getMe: () => ({
      ...this.bot,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: false,
      allows_users_to_create_topics: false,
      can_manage_bots: false,
      supports_join_request_queries: false,
    }),
    sendMessage: (params) => this.#sendMessage(params),
    editMessageText: (params) => this.#edit(params, checkedText(params)),
    editMessageReplyMarkup: (params) => this.#edit(params, {}),
    deleteMessage: (params) => {
      this.deleteMessage(this.#own(params));
      return true;
    },
    answerCallbackQuery: (params) => this.#answerQuery(params),
    getUpdates: (params, gone) => {
      if (this.webhook !== "") {
        throw new TelegramRefusal(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      const updates = this.updates.take(params, gone);
      this.changed();
      return updates;
    },
    setWebhook: ({ url }) => {
      this.webhook = String(url ?? "");
      return true;
    },
    deleteWebhook: ({ drop_pending_updates: drop }) => {
      this.webhook = "";
      if (drop === true) this.updates.clear();
      return true;
    },
    getWebhookInfo: () => ({
      url: this.webhook,
      has_custom_certificate: false,
      pending_update_count: this.updates.pending.length,
    }),
    getChat: (params) => ({
      ...this.#chatOf(params),
      accent_color_id: 0,
      max_reaction_count: 11,
      accepted_gift_types: {},
      permissions: { can_send_messages: true },
    }),
    getChatMember: (params) => this.#member(params),
    setMyCommands: ({ commands }) => {
      this.commands.splice(0, this.commands.length, ...(commands as unknown[]));
      return true;
    },
    getMyCommands: () => this.commands,
    sendChatAction: (params) => this.#chatOf(params) !== undefined,
  };

  protected methodOf({ path }: HttpRequest): string {
    return path.split("/")[2] ?? "";
  }

  protected async handle({ path, params, gone }: HttpRequest): Promise<Reply> {
    const [, bot = "", name = ""] = path.split("/");
    if (!/^bot\d+:[\w-]{30,}$/.test(bot)) return refused(new TelegramRefusal(404, "Not Found"));
    if (bot !== `bot${this.token}`) return refused(new TelegramRefusal(401, "Unauthorized"));
    const method = Object.entries(this.#methods).find(([each]) => each.toLowerCase() === name.toLowerCase());
    if (method === undefined) return refused(new TelegramRefusal(404, "Not Found: method not found"));
    try {
      return { status: 200, body: { ok: true, result: await method[1](params, gone) } };
    } catch (error) {
      if (error instanceof TelegramRefusal) return refused(error);
      throw error;
    }
  }

  #sendMessage(params: Params): TelegramMessage {
    const chat = this.#chatOf(params);
    if (this.#blocked.has(chat.id)) throw new TelegramRefusal(403, "Forbidden: bot was blocked by the user");
    const { text, entities } = checkedText(params);
    const keyboard = checkedKeyboard(params["reply_markup"]);
    const thread = this.#thread(chat, params);
    const reply = this.#replied(chat, params);
    this.#countSending(chat);
    return this.#keep({
      chat,
      from: this.bot,
      text,
      ...(entities === undefined ? {} : { entities: [...entities] }),
      ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
      ...(thread === undefined ? {} : { message_thread_id: thread }),
      ...(reply === undefined ? {} : { reply_to_message: withoutReply(reply) }),
      ...(params["protect_content"] === true ? { has_protected_content: true } : {}),
    });
  }

  #thread(chat: Chat, params: Params): number | undefined {
    const thread = params["message_thread_id"];
    if (thread === undefined) return undefined;
    if (!this.#topics.has(`${chat.id}/${thread}`)) throw badRequest("message thread not found");
    return Number(thread);
  }

  #replied(chat: Chat, params: Params): TelegramMessage | undefined {
    const parameters = params["reply_parameters"] as
      | { readonly message_id: number; readonly allow_sending_without_reply?: boolean }
      | undefined;
    if (parameters === undefined) return undefined;
    const message = this.message(chat.id, Number(parameters.message_id));
    if (message === undefined && parameters.allow_sending_without_reply !== true) {
      throw badRequest("message to be replied not found");
    }
    return message;
  }

  #edit(params: Params, content: Partial<ReturnType<typeof checkedText>>): TelegramMessage {
    const message = this.#own(params);
    const keyboard = checkedKeyboard(params["reply_markup"]);
    const next: TelegramMessage = { ...message, ...content, edit_date: this.#seconds() } as TelegramMessage;
    if ("text" in content && content.entities === undefined) delete next.entities;
    if (keyboard === undefined) delete next.reply_markup;
    else next.reply_markup = keyboard;
    const looks = ({ text, entities, reply_markup }: TelegramMessage) =>
      JSON.stringify([text, entities, reply_markup]);
    if (looks(next) === looks(message)) {
      throw badRequest(
        "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      );
    }
    this.#countSending(message.chat);
    this.#messages.set(`${message.chat.id}/${message.message_id}`, next);
    this.changed();
    return next;
  }

  #own(params: Params): TelegramMessage {
    const chat = this.#chatOf(params);
    const message = this.message(chat.id, Number(params["message_id"]));
    if (message === undefined) throw badRequest("message to edit not found");
    if (message.from.id !== this.bot.id) throw badRequest("message can't be edited");
    return message;
  }

  #answerQuery(params: Params): true {
    const id = String(params["callback_query_id"]);
    const answer = params as CallbackAnswer;
    if ((answer.text ?? "").length > 200) throw badRequest("MESSAGE_TOO_LONG");
    // Only games and links to the bot itself may be opened by an answer.
    if (answer.url !== undefined && !answer.url.startsWith(`https://t.me/${this.bot.username}?start=`)) {
      throw badRequest("URL_INVALID");
    }
    if (!this.#queries.delete(id)) {
      throw badRequest("query is too old and response timeout expired or query ID is invalid");
    }
    this.answers.set(id, answer);
    this.changed();
    return true;
  }

  #chatOf(params: Params): Chat {
    const id = params["chat_id"];
    if (id === undefined || id === "") throw badRequest("chat_id is empty");
    const chat = this.#chats.get(Number(id));
    if (chat === undefined) throw badRequest("chat not found");
    return chat;
  }

  #member(params: Params): unknown {
    const chat = this.#chatOf(params);
    const member = this.#members.get(chat.id)?.get(Number(params["user_id"]));
    if (member === undefined) throw badRequest("member not found");
    return member;
  }

  #chat(chat: Chat, people: readonly User[]): Chat {
    const known = this.#chats.get(chat.id);
    if (known !== undefined) return known;
    this.#chats.set(chat.id, chat);
    this.#members.set(chat.id, new Map(people.map((user) => [user.id, { user, status: "member" }])));
    return chat;
  }

  #keep(message: Omit<TelegramMessage, "message_id" | "date">): TelegramMessage {
    this.#nextMessage += 1;
    const kept: TelegramMessage = { message_id: this.#nextMessage, date: this.#seconds(), ...message };
    this.#messages.set(`${kept.chat.id}/${kept.message_id}`, kept);
    this.changed();
    return kept;
  }

  #update(update: Omit<Update, "update_id">): Update {
    const numbered = this.updates.add(update);
    this.changed();
    return numbered;
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  /** Counts one sending, or says for how long the bot must wait. */
  #countSending(chat: Chat): void {
    const now = this.#now();
    const waits = [
      waitFor(this.#sent, this.limits.perSecond, 1000, now),
      waitFor(this.#of(chat), this.limits.perChatPerSecond, 1000, now),
      chat.type === "private" ? 0 : waitFor(this.#of(chat), this.limits.perGroupPerMinute, 60_000, now),
    ];
    const seconds = Math.ceil(Math.max(...waits) / 1000);
    if (seconds > 0) {
      throw new TelegramRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
    }
    this.#sent.push({ chat: chat.id, at: now });
  }

  #of(chat: Chat): readonly { readonly at: number }[] {
    return this.#sent.filter((each) => each.chat === chat.id);
  }
}

/** Milliseconds until one more fits into the window. */
function waitFor(
  sent: readonly { readonly at: number }[],
  limit: number | undefined,
  windowMs: number,
  now: number,
): number {
  if (limit === undefined) return 0;
  const recent = sent.filter(({ at }) => at > now - windowMs);
  const oldest = recent.at(-limit);
  return oldest === undefined ? 0 : oldest.at + windowMs - now;
}

function refused(refusal: TelegramRefusal): Reply {
  const { status, message, parameters } = refusal;
  return {
    status,
    ...(parameters?.["retry_after"] === undefined
      ? {}
      : { headers: { "retry-after": String(parameters["retry_after"]) } }),
    body: {
      ok: false,
      error_code: status,
      description: message,
      ...(parameters === undefined ? {} : { parameters }),
    },
  };
}

function withoutReply(message: TelegramMessage): TelegramMessage {
  const { reply_to_message: _nested, ...rest } = message;
  return rest;
}

/** The fake keeps fewer members than Telegram's types have; those it has are the same. */
function asMessage(message: TelegramMessage): Message & Update.NonChannel & Update.Private {
  return message as unknown as Message & Update.NonChannel & Update.Private;
}
