/** What comes in over a socket, to its handler, and what the handler says, to the one person who acted (P4). */

import type { CardQuestion } from "@holdpoint/protocol/chat";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import { answerText } from "../chat/answer-text.ts";
import type { ChatAnswer, ChatHandlers } from "../chat/platform.ts";
import { type Incoming, readEnvelope } from "./read.ts";
import { renderNotice, renderPrivate, renderQuestion } from "./render.ts";
import type { SlackSender } from "./sender.ts";
import type { SlackUsers } from "./users.ts";
import type { SlackApi } from "./web-api.ts";

/** Slack waits three seconds for the acknowledgement, and the trigger of a modal is good for as long. */
const ACK_MS = 2_000;

type Ack = (payload?: JsonObject) => void;

export interface SlackInboxParts {
  readonly api: SlackApi;
  readonly sender: SlackSender;
  readonly users: SlackUsers;
  readonly clock: Clock;
  readonly handlers: ChatHandlers;
  /** The workspace of the bot. */
  readonly team: string;
}

/** Resolves once the envelope may be acknowledged; rejects if its handler did. */
export async function onEnvelope(envelope: JsonObject, ack: Ack, parts: SlackInboxParts): Promise<void> {
  const incoming = readEnvelope(envelope, parts.team);
  if (incoming === undefined) return;
  const { clock } = parts;
  // A commit that takes long must not look to the person as if the press had failed.
  let isLate = false;
  const cancel = clock.at(clock.now() + ACK_MS, () => {
    isLate = true;
    ack();
  });
  try {
    const answer = await answerTo(incoming, parts);
    const isSaid = !isLate && (await sayInTime(incoming, answer, ack, parts));
    if (!isSaid) await sayPrivately(incoming, answer, parts);
  } finally {
    cancel();
  }
}

async function answerTo(incoming: Incoming, { users, team, handlers }: SlackInboxParts): Promise<ChatAnswer> {
  const by = await users.account(incoming.user, team);
  const { id } = incoming;
  switch (incoming.kind) {
    case "press":
      return handlers.onPress({ id, button: incoming.button, message: incoming.message, by });
    case "submission":
      return handlers.onReply({ id, to: { question: incoming.question }, values: incoming.values, by });
    case "direct":
      return handlers.onDirect({ id, text: incoming.text, by });
  }
}

/** Says what needs the acknowledgement or the trigger of a modal. `false`: there is something left to say. */
async function sayInTime(
  incoming: Incoming,
  answer: ChatAnswer,
  ack: Ack,
  { api }: SlackInboxParts,
): Promise<boolean> {
  if (incoming.kind === "press" && answer.kind === "ask") {
    const view = viewOf(answer.question, incoming.message.chat);
    const opened = await api.call("views.open", { trigger_id: incoming.trigger, view });
    return opened.kind === "ok";
  }
  const payload = incoming.kind === "submission" ? dialogReply(incoming, answer) : undefined;
  if (payload !== undefined) ack(payload);
  return payload !== undefined;
}

/** A refusal stays in the dialog, so that what was written is not lost. */
function dialogReply(
  incoming: Extract<Incoming, { kind: "submission" }>,
  answer: ChatAnswer,
): JsonObject | undefined {
  const [field] = Object.keys(incoming.values);
  if (answer.kind === "ask")
    return { response_action: "update", view: viewOf(answer.question, incoming.chat) };
  if (answer.kind !== "refused") return undefined;
  return field === undefined
    ? { response_action: "update", view: renderNotice(incoming.title, { text: answer.text }) }
    : { response_action: "errors", errors: { [field]: answer.text } };
}

function viewOf(question: CardQuestion, chat: string): JsonObject {
  return renderQuestion(question, { chat, question: question.id });
}

async function sayPrivately(
  incoming: Incoming,
  answer: ChatAnswer,
  { sender }: SlackInboxParts,
): Promise<void> {
  const text = answerText(answer);
  if (text === undefined) return;
  if (incoming.kind === "direct") await sender.post(incoming.chat, { ...renderPrivate(text) });
  else if (incoming.kind === "press") await sender.whisper(incoming.message.chat, incoming.user.id, text);
  else await sender.whisper(incoming.chat, incoming.user.id, text);
}
