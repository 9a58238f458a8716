/** Telegram's queue of updates: kept until a higher offset confirms them, given to one poller at a time. */

import type { Update } from "grammy/types";
import { TelegramRefusal } from "./telegram-checks.ts";

/** Not sent unless a bot asks for them. */
const ON_REQUEST = new Set(["chat_member", "message_reaction", "message_reaction_count"]);

interface Poll {
  readonly end: (updates: readonly Update[]) => void;
  readonly conflict: () => void;
  readonly ready: () => void;
}

export class UpdateQueue {
  readonly #waiting: Update[] = [];
  #next = 700_000_001;
  #poll: Poll | undefined;
  #heldBack: Update[] | undefined;
  #allowed: readonly string[] | undefined;

  get pending(): readonly Update[] {
    return this.#waiting;
  }

  get isPolled(): boolean {
    return this.#poll !== undefined;
  }

  add(update: Omit<Update, "update_id">): Update {
    const numbered: Update = { ...update, update_id: this.#next };
    this.#next += 1;
    const target = this.#heldBack ?? this.#waiting;
    target.push(numbered);
    this.#poll?.ready();
    return numbered;
  }

  /** The same update once more, as a bot sees it when its confirmation was lost. */
  again(update: Update): void {
    this.#waiting.unshift(update);
    this.#waiting.sort((a, b) => a.update_id - b.update_id);
    this.#poll?.ready();
  }

  /** Keeps new updates back until the returned function is called; `order` may change their order. */
  holdBack(): (order?: (updates: readonly Update[]) => readonly Update[]) => void {
    this.#heldBack = [];
    return (order = (updates) => updates) => {
      const held = this.#heldBack ?? [];
      this.#heldBack = undefined;
      this.#waiting.push(...order(held));
      this.#poll?.ready();
    };
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  /** Ends a running long poll as its timeout would: with nothing. */
  endPoll(): void {
    this.#poll?.end([]);
  }

  take(params: Readonly<Record<string, unknown>>, gone: AbortSignal): Promise<readonly Update[]> {
    // The older of two pollers is the one that is turned away.
    this.#poll?.conflict();
    this.#confirm(Number(params["offset"] ?? 0));
    const { allowed_updates: allowed } = params;
    if (Array.isArray(allowed)) this.#allowed = allowed as string[];
    const limit = Math.min(Math.max(Number(params["limit"] ?? 100), 1), 100);
    const seconds = Number(params["timeout"] ?? 0);
    const now = this.#next100(limit);
    if (now.length > 0 || seconds === 0) return Promise.resolve(now);
    return this.#wait(limit, seconds, gone);
  }

  #wait(limit: number, seconds: number, gone: AbortSignal): Promise<readonly Update[]> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        if (this.#poll === poll) this.#poll = undefined;
      };
      const poll: Poll = {
        end: (updates) => {
          finish();
          resolve(updates);
        },
        conflict: () => {
          finish();
          reject(
            new TelegramRefusal(
              409,
              "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            ),
          );
        },
        ready: () => {
          const updates = this.#next100(limit);
          if (updates.length > 0) poll.end(updates);
        },
      };
      const timer = setTimeout(() => poll.end([]), seconds * 1000);
      gone.addEventListener("abort", () => poll.end([]), { once: true });
      this.#poll = poll;
    });
  }

  #confirm(offset: number): void {
    if (offset < 0) {
      this.#waiting.splice(0, Math.max(0, this.#waiting.length + offset));
      return;
    }
    const confirmed = this.#waiting.filter((update) => update.update_id < offset);
    for (const update of confirmed) this.#waiting.splice(this.#waiting.indexOf(update), 1);
  }

  #next100(limit: number): readonly Update[] {
    return this.#waiting.filter((update) => this.#isWanted(update)).slice(0, limit);
  }

  #isWanted(update: Update): boolean {
    const kind = Object.keys(update).find((key) => key !== "update_id") ?? "";
    const { length } = this.#allowed ?? [];
    return length > 0 ? (this.#allowed ?? []).includes(kind) : !ON_REQUEST.has(kind);
  }
}
