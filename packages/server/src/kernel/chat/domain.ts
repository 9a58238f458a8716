/** The table of kinds, commands and facts for messages in chats. */

import type { AnyCommand, CommandSpec } from "../domain.ts";
import { type CommandTable, type Domain, kind } from "../domain.ts";
import { refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { HOLDS } from "../hold/domain.ts";
import type { KernelBodies, KernelFact } from "../kernel.ts";
import type { Need, World } from "../world.ts";
import {
  type ChatMessage,
  type ChatPress,
  type ChatPrompt,
  type ChatQuestion,
  type Listener,
  PRESS_KEPT_MS,
  pressId,
  promptId,
} from "./chat.ts";
import type { ChatCommand, PressChat, ReplyChat } from "./commands.ts";
import { CHAT_FACTS } from "./facts.ts";
import { leaveListener, takeListener } from "./listener.ts";
import { dropPress, dropQuestion, makeMessage, noteAsked, noteClosed, noteSent } from "./messages.ts";
import { answerBy, givenBy, pressChat, replyChat } from "./press.ts";
import { presserNeeds, principalOf } from "./presser.ts";

export const CHAT_KINDS = {
  chat_message: kind<ChatMessage>(),
  /** (channel, the platform's id of the press) → what became of it. */
  chat_press: kind<ChatPress>({
    timer: {
      dueAt: ({ at }) => at + PRESS_KEPT_MS,
      command: (id) => ({ kind: "drop_chat_press", pressId: id }),
    },
  }),
  chat_question: kind<ChatQuestion>({
    timer: {
      dueAt: ({ expiresAt }) => expiresAt,
      command: (questionId) => ({ kind: "drop_chat_question", questionId }),
    },
  }),
  /** (channel, message) → the question that the message asks. */
  chat_prompt: kind<ChatPrompt>(),
  listener: kind<Listener>(),
};

const need = (kind: keyof typeof CHAT_KINDS, id: string): Need => ({ kind, id });

/** What an answer by this press may need: everything that the same answer through another door needs. */
function pressNeeds(command: PressChat, world: World): readonly Need[] {
  const message = world.get("chat_message", command.messageId);
  const needs: Need[] = [
    need("chat_press", pressId(command.channel, command.press)),
    need("chat_message", command.messageId),
    need("chat_question", command.fresh.questionId),
    ...presserNeeds(command.presser, world),
  ];
  if (message === undefined) return needs;
  const button = message.buttons[command.button];
  const given = button?.kind === "answer" ? button : { action: "", data: {} };
  return [...needs, ...answerNeeds(command, message, given, world)];
}

function replyNeeds(command: ReplyChat, world: World): readonly Need[] {
  const question = world.get("chat_question", command.questionId);
  const needs: Need[] = [
    need("chat_press", pressId(command.channel, command.press)),
    ...questionNeeds(command, world),
    ...presserNeeds(command.presser, world),
  ];
  if (question === undefined) return needs;
  needs.push(need("chat_message", question.messageId));
  const message = world.get("chat_message", question.messageId);
  if (message === undefined) return needs;
  const given = givenBy(command, question, message, world) ?? { action: "", data: {} };
  return [...needs, ...answerNeeds(command, message, given, world)];
}

function questionNeeds({ questionId }: { readonly questionId: string }, world: World): readonly Need[] {
  const { channel = "", prompt } = world.get("chat_question", questionId) ?? {};
  return [
    need("chat_question", questionId),
    ...(prompt === undefined ? [] : [need("chat_prompt", promptId(channel, prompt))]),
  ];
}

const { answer_hold: ANSWER, make_link: ON_HOLD } = HOLDS.commands;

function answerNeeds(
  command: PressChat | ReplyChat,
  message: ChatMessage,
  given: Parameters<typeof answerBy>[3],
  world: World,
): readonly Need[] {
  const by = principalOf(command.presser, message, world);
  const who = "refused" in by ? command.by : by;
  return ANSWER.needs(answerBy(command, message, who, given), world);
}

interface OnMessage extends AnyCommand {
  readonly holdId: string;
  readonly messageId: string;
}

/** The message, and whatever an ending of its hold changes: any command may find that its time has passed. */
function messageNeeds({ holdId, messageId, workspace, by }: OnMessage, world: World): readonly Need[] {
  const link = { id: "", hash: "", purpose: "review" } as const;
  const onHold = ON_HOLD.needs({ kind: "make_link", workspace, by, holdId, link }, world);
  return [need("chat_message", messageId), ...onHold];
}

const NOT_SYSTEM = failure("not_allowed", "only the server itself may record what happens in chats");

/** A command that only the server itself gives. */
function own<C extends AnyCommand, A extends keyof typeof CHAT_KINDS>(
  about: A,
  needs: (command: C, world: World) => readonly Need[],
  decide: CommandSpec<C>["decide"],
): CommandSpec<C, KernelBodies, KernelFact, A> {
  return {
    about,
    needs,
    decide: (command, draft, context) =>
      command.by.role === "system" ? decide(command, draft, context) : refuse(NOT_SYSTEM),
  };
}

const commands = {
  make_chat_message: own(
    "chat_message",
    ({ message, ...command }, world) => messageNeeds({ ...command, messageId: message.id }, world),
    makeMessage,
  ),
  note_chat_sent: own("chat_message", messageNeeds, noteSent),
  note_chat_closed: own("chat_message", messageNeeds, noteClosed),
  press_chat: own("chat_press", pressNeeds, pressChat),
  reply_chat: own("chat_press", replyNeeds, replyChat),
  note_chat_asked: own(
    "chat_question",
    (command, world) => {
      const { channel = "" } = world.get("chat_question", command.questionId) ?? {};
      return [...questionNeeds(command, world), need("chat_prompt", promptId(channel, command.ref))];
    },
    noteAsked,
  ),
  drop_chat_question: own("chat_question", questionNeeds, dropQuestion),
  drop_chat_press: own("chat_press", ({ pressId: id }) => [need("chat_press", id)], dropPress),
  take_listener: own("listener", ({ name }) => [need("listener", name)], takeListener),
  leave_listener: own("listener", ({ name }) => [need("listener", name)], leaveListener),
} satisfies CommandTable<ChatCommand>;

export const CHAT = { kinds: CHAT_KINDS, commands, facts: CHAT_FACTS } satisfies Domain;
