/** Bugs put in on purpose. A checker that does not notice its canary is no checker. */

import type { Changes } from "../src/store/port.ts";
import {
  answerForAnother,
  approveRejected,
  changed,
  creditSomebody,
  decideTouched,
  flipOutcome,
  forgeLink,
  forgetRungs,
  loseVote,
  pressForAnother,
  releaseAgain,
  reopen,
  repeatVote,
  swapQuestion,
  voteExcluded,
} from "./bent-rows.ts";
import type { Random } from "./random.ts";

/** Each with the checker that must notice it; empty: any of them. */
export const SABOTAGES = {
  lie: "acknowledged",
  overwrite: "",
  refire: "timers",
  drop_message: "messages",
  leak: "",
  forget_timer: "timers",
  decide_below: "votes",
  decide_twice: "once",
  decide_unasked: "given",
  answer_for_another: "given",
  pay_twice: "proxied",
  pay_rejected: "proxied",
  keep_buttons: "chats",
  press_for_another: "chats",
  forget_press: "chats",
  count_twice: "votes",
  count_excluded: "votes",
  rewrite: "chains",
  credit: "",
  forge_link: "",
  swap_question: "",
} as const;
export type Sabotage = keyof typeof SABOTAGES;

/** What the store writes instead of what it was given; `null`: nothing, while saying it did. */
export function sabotaged(kind: Sabotage | undefined, changes: Changes, random: Random): Changes | null {
  switch (kind) {
    case "lie":
      return random.chance(0.1) ? null : changes;
    case "overwrite":
      return { ...changes, puts: changes.puts.map((put) => changed(put, flipOutcome)) };
    case "refire":
      // Now and then only: a rung that reaches nobody brings the next one forward, so a server that forgot every rung would never rest.
      return random.chance(0.3)
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
