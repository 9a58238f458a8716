/** Facts about chat messages. Those that a person can see are events of the hold; leases and bookkeeping are not in the log. */

import type { FactTable } from "../domain.ts";
import type { Hold } from "../hold/hold.ts";
import { updateOf } from "../hold/messages.ts";
import type { Rung } from "../hold/time.ts";
import { must } from "../must.ts";
import type { Change, World } from "../world.ts";
import type { ChatMessage, ChatPress, ChatQuestion, Listener, MessageRef } from "./chat.ts";
import { promptId } from "./chat.ts";

export type ChatFact =
  | { readonly type: "hold.message_made"; readonly message: ChatMessage }
  | { readonly type: "hold.message_sent"; readonly message: ChatMessage }
  | { readonly type: "hold.message_closed"; readonly message: ChatMessage }
  | {
      readonly type: "hold.press_refused";
      readonly message: ChatMessage;
      readonly reason: string;
      readonly person?: string;
      /** A copy of the message that nobody knew of. */
      readonly isStray?: true;
    }
  | { readonly type: "hold.message_seen"; readonly message: ChatMessage }
  | { readonly type: "hold.reminder_set"; readonly rung: Rung; readonly person: string }
  | { readonly type: "chat.pressed"; readonly press: ChatPress | null }
  | { readonly type: "chat.asked"; readonly question: ChatQuestion }
  | { readonly type: "chat.prompted"; readonly ref: MessageRef }
  | { readonly type: "chat.question_over" }
  | { readonly type: "chat.listener_set"; readonly listener: Listener };

interface HasMessage {
  readonly message: ChatMessage;
}

function messageRow({ message }: HasMessage): Change {
  return { kind: "chat_message", id: message.id, body: message };
}

function holdOf(world: World, id: string): Hold {
  return must(world.get("hold", id), `hold ${id} of a chat message`);
}

function questionOf(world: World, id: string): ChatQuestion {
  return must(world.get("chat_question", id), `chat question ${id}`);
}

const unlogged = { log: () => null } as const;
const onMessage = { evolve: (_world: World, _id: string, fact: HasMessage) => [messageRow(fact)] };

function logged({ message: { channel, attempt } }: HasMessage) {
  return { channel, attempt };
}

export const CHAT_FACTS: FactTable<ChatFact> = {
  /** The hold lists the message from now on, so that its end reaches it even if the sending server dies. */
  "hold.message_made": {
    evolve(world, id, fact) {
      const hold = holdOf(world, id);
      const { id: messageId, channel } = fact.message;
      const chats = [...(hold.chats ?? []), { id: messageId, channel }];
      return [{ kind: "hold", id, body: { ...hold, chats } }, messageRow(fact)];
    },
    ...unlogged,
  },
  /** Whatever happened while the message was on its way must show in it too. */
  "hold.message_sent": {
    evolve(world, id, fact) {
      const { unreached: _somebody, ...hold } = holdOf(world, id);
      return [{ kind: "hold", id, body: hold }, messageRow(fact)];
    },
    log: logged,
    messages({ fact: { message } }, event, world) {
      const hold = holdOf(world, message.holdId);
      const isAsSent = hold.status === "open" && hold.votes === undefined && message.strays === undefined;
      return isAsSent ? [] : [updateOf(event, hold.id, message, 0)];
    },
  },
  "hold.message_closed": { ...onMessage, ...unlogged },
  "hold.message_seen": { ...onMessage, ...unlogged },
  "hold.reminder_set": {
    evolve(world, id, { rung }) {
      const hold = holdOf(world, id);
      const rungs = [...hold.rungs, rung].toSorted((one, other) => one.at - other.at);
      return [{ kind: "hold", id, body: { ...hold, rungs } }];
    },
    log: ({ rung: { channel, at }, person }) => ({ channel: channel ?? null, until: at, person }),
  },
  "hold.press_refused": {
    ...onMessage,
    log: ({ message: { channel }, reason, person }) => ({
      channel,
      reason,
      ...(person === undefined ? {} : { person }),
    }),
    messages: ({ fact: { message, isStray } }, event) =>
      isStray === true ? [updateOf(event, message.holdId, message, 0)] : [],
  },
  "chat.pressed": {
    evolve: (_world, id, { press }) => [{ kind: "chat_press", id, body: press }],
    ...unlogged,
  },
  "chat.asked": {
    evolve: (_world, id, { question }) => [{ kind: "chat_question", id, body: question }],
    ...unlogged,
  },
  "chat.prompted": {
    evolve(world, id, { ref }) {
      const question = questionOf(world, id);
      return [
        { kind: "chat_question", id, body: { ...question, prompt: ref } },
        { kind: "chat_prompt", id: promptId(question.channel, ref), body: { questionId: id } },
      ];
    },
    ...unlogged,
  },
  "chat.question_over": {
    evolve(world, id) {
      const { channel, prompt } = questionOf(world, id);
      const over: Change = { kind: "chat_question", id, body: null };
      return prompt === undefined
        ? [over]
        : [over, { kind: "chat_prompt", id: promptId(channel, prompt), body: null }];
    },
    ...unlogged,
  },
  "chat.listener_set": {
    evolve: (_world, id, { listener }) => [{ kind: "listener", id, body: listener }],
    ...unlogged,
  },
};
