/** Records refused presses on the hold, each kind of refusal once for an account (K3). */

import type { Draft } from "../draft.ts";
import type { Hold } from "../hold/hold.ts";
import { SYSTEM } from "../principal.ts";
import { type ChatMessage, isSameRef, type Presser } from "./chat.ts";
import type { PressChat } from "./commands.ts";
import { presserAccount } from "./presser.ts";

/** Enough to see who tried; more would let strangers fill the log. */
const REFUSED_MAX = 50;

export function stateRefused(
  { id }: ChatMessage,
  presser: Presser,
  reason: string,
  person: string | undefined,
  draft: Draft,
  now: number,
): void {
  const before = draft.get("chat_message", id) as ChatMessage;
  const { refused = [] } = before;
  const entry = `${reason}\n${presserAccount(presser)}`;
  if (refused.includes(entry) || refused.length >= REFUSED_MAX) return;
  const message = { ...before, refused: [...refused, entry] };
  record(message, { reason, ...(person === undefined ? {} : { person }) }, draft, now);
}

/** Copies of one message that are stored at most. */
const STRAYS_MAX = 10;

/**
 * A press from another message than the stored one. In the same chat it is a copy that was sent when a server died: it is
 * stored once, so that it is closed too. Anywhere else it is forged or forwarded.
 */
export function stateStray(
  { id }: ChatMessage,
  { ref, channel, presser }: PressChat,
  draft: Draft,
  now: number,
): void {
  const before = draft.get("chat_message", id) as ChatMessage;
  const { strays = [] } = before;
  const isCopy = channel === before.channel && ref.chat === before.ref?.chat;
  const isKnown = strays.some((stray) => isSameRef(stray, ref));
  if (!isCopy || isKnown || strays.length >= STRAYS_MAX) {
    stateRefused(before, presser, "other_message", undefined, draft, now);
    return;
  }
  const message = { ...before, strays: [...strays, ref] };
  record(message, { reason: "other_message", isStray: true }, draft, now);
}

function record(
  message: ChatMessage,
  more: { readonly reason: string; readonly person?: string; readonly isStray?: true },
  draft: Draft,
  at: number,
): void {
  const hold = draft.get("hold", message.holdId) as Hold;
  const fact = { type: "hold.press_refused", message, ...more } as const;
  draft.state({ kind: "hold", id: hold.id, fact, at, actor: SYSTEM.name, audience: hold.createdBy });
}
