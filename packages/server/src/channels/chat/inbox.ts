/**
 * Turns what comes in from a chat into commands, and their results into private answers. Nothing is decided here: the kernel does
 * that in one commit, and the platform acknowledges only what was committed (P2).
 */

import type { Engine, Result } from "../../engine/engine.ts";
import { Limiter } from "../../identity/limiter.ts";
import { readButtonId } from "../../kernel/chat/card.ts";
import { type ChatPress, type Presser, pressId, promptId } from "../../kernel/chat/chat.ts";
import { askOf } from "../../kernel/chat/plan.ts";
import { CONFIRM, questionOf } from "../../kernel/chat/question.ts";
import type { Failure } from "../../kernel/failure.ts";
import { readCode } from "../../kernel/people/account-code.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import { tokenHash } from "../../system/digest.ts";
import type { Ids } from "../../system/ids.ts";
import type { Redact } from "../../system/redact.ts";
import type { ChatBot } from "./bot.ts";
import type { ChatAccount, ChatAnswer, ChatHandlers, ChatReply, DirectText, Press } from "./platform.ts";
import { redactAsk, redactQuestion } from "./way-out.ts";
import { answeredText, HELP, LINK_LABEL, LINK_TEXT, refusalText, snoozedText } from "./words.ts";

export interface InboxParts {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly redact: Redact;
  /** Makes a review link for this person and commits its hash, or says why the rules refuse one. */
  readonly makeLink: (
    workspace: string,
    holdId: string,
    person: string,
    channel: string,
  ) => Promise<{ readonly url: string } | { readonly refused: Failure }>;
}

type Handled = Pick<ChatHandlers, "onPress" | "onReply" | "onDirect" | "onAsked">;

/** How long a press waits for the reference of its message, which another server may be storing at this moment. */
const NOT_SENT_MS = 3_000;

/** Anybody can write to a bot. What one account writes beyond this is not answered, so that others are (G13). */
const DIRECTS = { budget: 10, windowMs: 60_000 };

export function inboxOf(bot: ChatBot, parts: InboxParts): Handled {
  const directs = new Limiter(parts.engine.clock, DIRECTS);
  return {
    onPress: (press) => onPress(press, bot, parts),
    onReply: (reply) => onReply(reply, bot, parts),
    onDirect: async (text) => {
      const { tenant = "", userId } = text.by;
      return directs.spend(`${tenant}\n${userId}`).ok ? onDirect(text, bot, parts) : { kind: "done" };
    },
    async onAsked(questionId, ref) {
      const found = await parts.engine.store.find("chat_question", questionId);
      if (found === undefined) return;
      const { workspace } = found;
      await parts.engine.run({ kind: "note_chat_asked", workspace, by: SYSTEM, questionId, ref });
    },
  };
}

async function onPress(press: Press, bot: ChatBot, parts: InboxParts): Promise<ChatAnswer> {
  const { engine } = parts;
  const button = readButtonId(press.button);
  const message = button && (await engine.store.find("chat_message", button.row));
  if (button !== undefined && message !== undefined) {
    const command = {
      ...({ kind: "press_chat", workspace: message.workspace, by: SYSTEM } as const),
      ...{ channel: bot.name, press: press.id, messageId: button.row, button: button.index },
      ...{ ref: press.message, presser: presserOf(press.by, bot), fresh: freshIds(parts) },
    };
    const run = () => engine.run(command);
    return answerTo(await whenSent(button.row, run, engine), message.workspace, bot, parts);
  }
  const question = button && (await engine.store.find("chat_question", button.row));
  if (button === undefined || question === undefined) return refused("unknown");
  const values = button.index === CONFIRM ? { values: {} } : {};
  return replyTo(question.id, press.id, values, press.by, bot, parts);
}

async function onReply(reply: ChatReply, bot: ChatBot, parts: InboxParts): Promise<ChatAnswer> {
  const questionId = "question" in reply.to ? reply.to.question : await askedBy(reply, bot, parts);
  if (questionId === undefined) return { kind: "done" };
  return replyTo(questionId, reply.id, { values: reply.values }, reply.by, bot, parts);
}

async function askedBy(
  { to }: ChatReply,
  { name }: ChatBot,
  { engine }: InboxParts,
): Promise<string | undefined> {
  if ("question" in to) return to.question;
  return (await engine.store.find("chat_prompt", promptId(name, to.message)))?.body.questionId;
}

async function replyTo(
  questionId: string,
  press: string,
  given: { readonly values?: Readonly<Record<string, string>> },
  by: ChatAccount,
  bot: ChatBot,
  parts: InboxParts,
): Promise<ChatAnswer> {
  const { engine } = parts;
  const found = await engine.store.find("chat_question", questionId);
  if (found === undefined) return repliedBefore(press, bot, parts);
  const { workspace } = found;
  const result = await engine.run({
    ...({ kind: "reply_chat", workspace, by: SYSTEM, channel: bot.name } as const),
    ...{ press, questionId, presser: presserOf(by, bot), fresh: freshIds(parts) },
    ...given,
  });
  return answerTo(result, workspace, bot, parts);
}

/** A question is gone once it was answered. The same reply again gets what it got the first time (K2). */
async function repliedBefore(press: string, bot: ChatBot, parts: InboxParts): Promise<ChatAnswer> {
  const before = await parts.engine.store.find("chat_press", pressId(bot.name, press));
  if (before === undefined) return refused("question_over");
  return answerTo({ ok: true, fresh: false, entity: before }, before.workspace, bot, parts);
}

/** A press may be faster than the commit that stores where its message is. */
async function whenSent(
  messageId: string,
  run: () => Promise<Result<"chat_press">>,
  engine: Engine,
): Promise<Result<"chat_press">> {
  const changed = Promise.withResolvers<void>();
  const detach = engine.onCommit(({ entities }) => {
    if (entities.some(({ kind, id }) => kind === "chat_message" && id === messageId)) changed.resolve();
  });
  const cancel = engine.clock.at(engine.clock.now() + NOT_SENT_MS, () => changed.resolve());
  try {
    const first = await run();
    if (first.ok || first.failure.code !== "not_settled") return first;
    await changed.promise;
    return await run();
  } finally {
    cancel();
    detach();
  }
}

async function answerTo(
  result: Result<"chat_press">,
  workspace: string,
  bot: ChatBot,
  parts: InboxParts,
): Promise<ChatAnswer> {
  if (!result.ok) return refused(result.failure.code === "not_settled" ? "not_ready" : "unknown");
  const { result: pressed, holdId, messageId } = result.entity.body;
  switch (pressed.kind) {
    case "refused":
      return refused(pressed.code, pressed.message);
    case "answered":
      return { kind: "done", text: answeredText(pressed) };
    case "snoozed":
      return { kind: "done", text: snoozedText(pressed.until) };
    case "details": {
      const made = await parts.makeLink(workspace, holdId, pressed.person, bot.name);
      // The hold may have ended since the press. Thrown, it would come again for ever, and on some platforms before everything else.
      if ("refused" in made) return refused(made.refused.code, made.refused.message);
      const { url } = made;
      return { kind: "private", text: { text: LINK_TEXT, link: { label: LINK_LABEL, url } } };
    }
    case "asked":
      return ask(pressed.question, { holdId, messageId }, workspace, bot, parts);
  }
}

async function ask(
  questionId: string,
  { holdId, messageId }: Pick<ChatPress, "holdId" | "messageId">,
  workspace: string,
  { platform }: ChatBot,
  { engine, redact }: InboxParts,
): Promise<ChatAnswer> {
  const load = { workspace, read: true } as const;
  const [[question], [message], [hold]] = await Promise.all([
    engine.store.load([{ ...load, kind: "chat_question", id: questionId }]),
    engine.store.load([{ ...load, kind: "chat_message", id: messageId }]),
    engine.store.load([{ ...load, kind: "hold", id: holdId }]),
  ]);
  const button = question && message?.body.buttons[question.body.button];
  // The same press again, after its question was answered or the hold was erased.
  if (question === undefined || button === undefined || hold?.body.status !== "open")
    return refused("already_settled");
  const { ask: shown } = await redactAsk(askOf(hold.body), redact);
  const asked = questionOf({
    ...{ question: question.body, button, ask: shown, agent: hold.body.createdBy },
    replyLength: platform.limits.replyLength,
  });
  return { kind: "ask", question: await redactQuestion(asked, redact) };
}

/** A code links the account; anything else gets a short explanation. */
async function onDirect({ text, by }: DirectText, bot: ChatBot, { engine }: InboxParts): Promise<ChatAnswer> {
  const code = readCode(text);
  if (by.isBot === true) return refused("bot");
  if (code === undefined) return { kind: "private", text: { text: HELP } };
  const hash = tokenHash(code);
  const found = await engine.store.find("account_code", hash);
  const account = {
    ...{ platform: bot.platform.kind, userId: by.userId },
    ...(by.tenant === undefined ? {} : { tenant: by.tenant }),
  };
  const workspace = found?.workspace ?? "default";
  const linked = await engine.run({ kind: "use_account_code", workspace, by: SYSTEM, hash, account });
  if (!linked.ok)
    return refused(linked.failure.code === "not_found" ? "bad_code" : "", linked.failure.message);
  const said = `You are linked as ${linked.entity.body.name}. From now on your presses here count as yours.`;
  return { kind: "private", text: { text: said } };
}

function presserOf({ name: _shown, email, ...account }: ChatAccount, bot: ChatBot): Presser {
  return {
    ...account,
    platform: bot.platform.kind,
    ...(bot.isByEmail && email !== undefined ? { email } : {}),
  };
}

function freshIds({ ids, engine }: InboxParts) {
  return {
    questionId: ids.token().slice(0, 32),
    grantId: `grant_${ids.next(engine.clock.now())}`,
    grantSalt: ids.salt(),
  };
}

function refused(code: string, message?: string): ChatAnswer {
  return { kind: "refused", text: refusalText(code, message) };
}
