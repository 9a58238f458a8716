/**
 * K1, K2: what counts in a chat was pressed by that person's account on a message of that hold, each press counts at most once and
 * the same press is always told the same, and no message of a hold that has ended can still be pressed.
 */

import { type ChatMessage, isSameRef } from "../../src/kernel/chat/chat.ts";
import type { StoredEvent } from "../../src/kernel/record.ts";
import type { Act, ChatApp } from "../chat-app.ts";
import { accountOf, STRANGER } from "../chats.ts";
import type { Evidence } from "./evidence.ts";
import { rowsIn } from "./evidence.ts";
import type { Checker } from "./index.ts";

type Messages = ReadonlyMap<string, ChatMessage>;

export const chats: Checker = async (evidence) => {
  const { chat } = evidence.sim;
  const messages = await rowsIn(evidence.store, "chat_message");
  const known = [...messages.values()].flatMap((row) => {
    const mark = evidence.holds.get(row.holdId)?.chats?.some(({ id }) => id === row.id);
    return mark === true ? [] : [`message ${row.id} is not listed by its hold ${row.holdId}`];
  });
  return [...known, ...open(chat, messages, evidence), ...counted(chat, messages, evidence), ...told(chat)];
};

/**
 * Copies that no server knew of are found when somebody presses them. One in another chat stays, because it looks like a forgery: the
 * person went away between two tries, and the delegate got the second one. Nothing that is pressed there counts.
 */
function open(chat: ChatApp, messages: Messages, { holds }: Evidence): readonly string[] {
  return chat.shown.flatMap(({ key, ref, card }) => {
    const row = messages.get(key);
    if (row === undefined) return [`${key} is shown and no message of ours`];
    const isOver = holds.get(row.holdId)?.status !== "open";
    const isElsewhere = row.ref !== undefined && row.ref.chat !== ref.chat;
    return isOver && !isElsewhere && card.buttons.length > 0
      ? [`${row.holdId} has ended and ${ref.chat}/${ref.message} still has buttons`]
      : [];
  });
}

function counted(chat: ChatApp, messages: Messages, { holds, events }: Evidence): readonly string[] {
  const complaints: string[] = [];
  for (const [id, { outcome, votes = [] }] of holds) {
    const decided = outcome?.kind === "decided" ? [outcome] : [];
    for (const { by, action } of [...votes, ...decided].filter(({ door }) => door === "channel"))
      if (!actsOf(chat, messages, id, by.name).some((act) => actionOf(act, messages) === action))
        complaints.push(`${id} counts ${action} by ${by.name}, whose account never pressed that`);
  }
  const times = new Map<string, number>();
  for (const event of events.filter(isAnswer)) {
    const name = `${event.stream.slice("hold:".length)} ${event.actor.slice("channel:".length)}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  for (const [name, count] of times) {
    const [id = "", person = ""] = name.split(" ");
    const acts = actsOf(chat, messages, id, person).length;
    if (count > acts)
      complaints.push(`${person} pressed ${acts} times on ${id}, and it counted ${count} times`);
  }
  return complaints;
}

/** What decides at once is not stated as a vote before. */
function isAnswer({ type, actor }: StoredEvent): boolean {
  return actor.startsWith("channel:") && (type === "hold.voted" || type === "hold.decided");
}

/** What the account of this person did on messages about this hold, in their own places. */
function actsOf(chat: ChatApp, messages: Messages, id: string, person = ""): readonly Act[] {
  return chat.acts.filter(({ user, button, on }) => {
    const row = messages.get(rowOf(button));
    const isThere = row?.ref !== undefined && isSameRef(row.ref, on);
    return user === accountOf(person) && row?.holdId === id && isThere;
  });
}

function rowOf(button: string): string {
  return button.slice(0, button.lastIndexOf("."));
}

function actionOf({ button }: Act, messages: Messages): string | undefined {
  const found = messages.get(rowOf(button))?.buttons[Number(button.slice(button.lastIndexOf(".") + 1))];
  return found !== undefined && "action" in found ? found.action : undefined;
}

/** A press may come too early, while its message is still being sent. Once it was taken, it stays taken. */
function told({ acts }: ChatApp): readonly string[] {
  return acts.flatMap((act) => {
    if (act.told.length === 0) return [`${act.id} was never acknowledged`];
    const taken = act.told.slice(act.told.findIndex(({ kind }) => kind === "done"));
    const texts = new Set(taken.map((answer) => (answer.kind === "done" ? answer.text : answer.kind)));
    const isDone = taken[0]?.kind === "done";
    if (isDone && act.user === accountOf(STRANGER)) return [`${act.id} of a stranger was taken`];
    return isDone && texts.size > 1 ? [`${act.id} was told ${[...texts].join(", then ")}`] : [];
  });
}
