/** Bugs put in on purpose. A checker that does not notice its canary is no checker. */

import type { Outgoing } from "../src/channels/outgoing.ts";
import type { Changes, Shared } from "../src/store/port.ts";
import { QueueLock } from "../src/store/queue-lock.ts";
import {
  answerForAnother,
  answerOneself,
  approveRejected,
  changed,
  creditSomebody,
  decideTouched,
  flipOutcome,
  forgeLink,
  forgetRun,
  forgetRungs,
  hideCall,
  loseVote,
  pressForAnother,
  releaseAgain,
  reopen,
  repeatVote,
  swapQuestion,
  voteExcluded,
} from "./bent-rows.ts";
import type { Random } from "./random.ts";

interface Bug {
  /** The guarantee that such a server would break. */
  readonly breaks: `G${number}`;
  /** The checker that must notice it; empty: any of them. */
  readonly checker: string;
}

const bug = (breaks: Bug["breaks"], checker = ""): Bug => ({ breaks, checker });

export const SABOTAGES = {
  overwrite: bug("G1"),
  decide_twice: bug("G1", "once"),
  keep_buttons: bug("G1", "chats"),
  forget_press: bug("G1", "chats"),
  count_twice: bug("G1", "votes"),
  lie: bug("G2", "acknowledged"),
  refire: bug("G3", "timers"),
  forget_timer: bug("G3", "timers"),
  leave_to_dead: bug("G3", "timers"),
  drop_message: bug("G3", "messages"),
  rewrite: bug("G4", "chains"),
  credit: bug("G5", "once"),
  decide_unasked: bug("G6", "given"),
  answer_for_another: bug("G7", "given"),
  answer_oneself: bug("G7", "once"),
  press_for_another: bug("G7", "chats"),
  count_excluded: bug("G7", "votes"),
  forge_link: bug("G7"),
  forget_key: bug("G8", "acknowledged"),
  ignore_others: bug("G8", "refused"),
  leak: bug("G9", "secrets"),
  pay_twice: bug("G10", "proxied"),
  run_twice: bug("G10", "gated"),
  take_half: bug("G11", "refused"),
  swap_question: bug("G12"),
  wait_for_hung: bug("G13", "prompt"),
  decide_below: bug("G14", "votes"),
  pay_rejected: bug("G14", "proxied"),
  hide_call: bug("G15", "gated"),
} as const satisfies Readonly<Record<string, Bug>>;
export type Sabotage = keyof typeof SABOTAGES;

/** What the server understands instead of what it was sent: it leaves out what it does not like. */
export function understood(kind: Sabotage | undefined, body: unknown): unknown {
  if (kind !== "take_half" || typeof body !== "object" || body === null) return body;
  const { colour: _colour, ...rest } = body as { colour?: string; holds?: readonly { prompt?: unknown }[] };
  const { holds } = rest;
  return holds === undefined
    ? rest
    : { ...rest, holds: holds.filter(({ prompt }) => typeof prompt === "string") };
}

/** One message at a time, whoever it is for. */
export function sentBy(kind: Sabotage | undefined, outgoing: Outgoing): Outgoing {
  if (kind !== "wait_for_hung") return outgoing;
  const lock = new QueueLock();
  return {
    ...outgoing,
    async post(message) {
      const unlock = await lock.acquire();
      return outgoing.post(message).finally(unlock);
    },
  };
}

/** What a server sees of the others that share its store. */
export function sharedWith(kind: Sabotage | undefined, shared: Shared): Shared {
  // It never looks for what a dead server left.
  if (kind === "leave_to_dead") return { ...shared, lookMs: 1e12 };
  return kind === "ignore_others" ? { ...shared, watch: () => shared.watch(() => undefined) } : shared;
}

/** What the store writes instead of what it was given; `null`: nothing, while saying it did. */
export function sabotaged(kind: Sabotage | undefined, changes: Changes, random: Random): Changes | null {
  switch (kind) {
    case "lie":
      return random.chance(0.1) ? null : changes;
    case "overwrite":
      return { ...changes, puts: changes.puts.map((put) => changed(put, flipOutcome)) };
    case "refire":
      // Now and then only: a rung that reaches nobody brings the next one forward, so a server that forgot every rung would never rest.
      return random.chance(0.1)
        ? { ...changes, puts: changes.puts.map((put) => changed(put, forgetRungs)) }
        : changes;
    case "drop_message":
      return { ...changes, outbox: [] };
    case "forget_timer":
      return { ...changes, timers: changes.timers.map(({ key }) => ({ key, dueAt: null })) };
    case "decide_below":
      return { ...changes, puts: changes.puts.map((put) => changed(put, loseVote)) };
    case "decide_twice":
      return random.chance(0.3)
        ? { ...changes, puts: changes.puts.map((put) => changed(put, reopen)) }
        : changes;
    case "keep_buttons":
      return { ...changes, outbox: changes.outbox.filter(({ kind }) => kind !== "update") };
    case "press_for_another":
      return { ...changes, puts: changes.puts.map((put) => changed(put, pressForAnother)) };
    case "forget_press":
      return { ...changes, puts: changes.puts.filter(({ key }) => key.kind !== "chat_press") };
    case "answer_oneself":
      return { ...changes, puts: changes.puts.map((put) => changed(put, answerOneself)) };
    case "forget_key":
      return { ...changes, puts: changes.puts.filter(({ key }) => key.kind !== "hold_key") };
    case "run_twice":
      return { ...changes, puts: changes.puts.map((put) => changed(put, forgetRun)) };
    case "hide_call":
      return { ...changes, puts: changes.puts.map((put) => changed(put, hideCall)) };
    case "decide_unasked":
      return decideTouched(changes);
    case "answer_for_another":
      return { ...changes, puts: changes.puts.map((put) => changed(put, answerForAnother)) };
    case "pay_twice":
      return releaseAgain(changes);
    case "pay_rejected":
      return { ...changes, puts: changes.puts.map((put) => changed(put, approveRejected)) };
    case "count_twice":
      return { ...changes, puts: changes.puts.map((put) => changed(put, repeatVote)) };
    case "count_excluded":
      return { ...changes, puts: changes.puts.map((put) => changed(put, voteExcluded)) };
    case "rewrite":
      return {
        ...changes,
        events: changes.events.map((event) =>
          event.type === "hold.decided" ? { ...event, data: event.data.replace("approve", "reject") } : event,
        ),
      };
    case "credit":
      return { ...changes, puts: changes.puts.map((put) => changed(put, creditSomebody)) };
    case "swap_question":
      return { ...changes, puts: changes.puts.map((put) => changed(put, swapQuestion)) };
    case "forge_link":
      return { ...changes, puts: changes.puts.map(forgeLink) };
    case "leak":
      return {
        ...changes,
        events: changes.events.map((event) => ({ ...event, actor: "key:test-key-of-agent" })),
      };
    default:
      return changes;
  }
}
