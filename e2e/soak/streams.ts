/** Followers: many of one hold each, as agents and pages have it, some of everything, and one that knows when holds expire. */

import { setTimeout as pause } from "node:timers/promises";
import { KEYS, type SoakServer } from "./server.ts";

const EVENTS = "/v1/events";

export interface Stream {
  /** Of the hold that it follows; without one it follows everything. */
  readonly holdId: string | undefined;
  isOpen(): boolean;
  bytes(): number;
  /** Whether it was sent that its hold was decided. */
  hasDecision(): boolean;
  close(): void;
}

export function follow(server: SoakServer, holdId?: string): Stream {
  let [isOpen, bytes, hasDecision] = [false, 0, false];
  const close = server.open(
    holdId === undefined ? EVENTS : `${EVENTS}?hold_id=${holdId}`,
    (reply) => {
      isOpen = reply.statusCode === 200;
      reply.on("data", (part: Buffer) => {
        bytes += part.length;
        if (holdId !== undefined) hasDecision ||= part.includes("event: hold.decided");
      });
    },
    () => {
      isOpen = false;
    },
  );
  return {
    holdId,
    isOpen: () => isOpen,
    bytes: () => bytes,
    hasDecision: () => hasDecision,
    close,
  };
}

export async function allOpen(streams: readonly Stream[]): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (streams.every((stream) => stream.isOpen())) return;
    await pause(100);
  }
  throw new Error("Not all streams were open after a minute.");
}

/** How late holds expire, as somebody hears of it who follows the events. */
export class Expiries {
  readonly #due = new Map<string, number>();
  readonly #close: () => void;
  readonly #server: SoakServer;
  #late: number[] = [];

  constructor(server: SoakServer) {
    this.#server = server;
    let rest = "";
    this.#close = server.open(
      `${EVENTS}?types=hold.expired`,
      (reply) => {
        reply.setEncoding("utf8").on("data", (part: string) => {
          const frames = (rest + part).split("\n\n");
          rest = frames.pop() ?? "";
          for (const frame of frames) this.#expired(frame);
        });
      },
      () => undefined,
    );
  }

  async place(ask: object, timeout: string): Promise<void> {
    const { status, text } = await this.#server.call("POST", "/v1/holds", KEYS.agent, { ...ask, timeout });
    if (status !== 201) throw new Error(`placing a hold that expires: ${status} ${text}`);
    const { id, expires_at } = JSON.parse(text) as { readonly id: string; readonly expires_at: string };
    this.#due.set(id, Date.parse(expires_at));
  }

  #expired(frame: string): void {
    const data = /^data: (.*)$/m.exec(frame)?.[1] ?? "{}";
    const { hold_id: id = "" } = JSON.parse(data) as { readonly hold_id?: string };
    const due = this.#due.get(id);
    if (due === undefined) return;
    this.#due.delete(id);
    this.#late.push(Math.max(0, Date.now() - due));
  }

  /** Milliseconds, of those that were heard of since the last time. */
  taken(): readonly number[] {
    const late = this.#late;
    this.#late = [];
    return late;
  }

  /** Of those that are over a second late now and were never heard of. */
  missing(): number {
    const now = Date.now();
    return [...this.#due.values()].filter((due) => now - due > 1_000).length;
  }

  close(): void {
    this.#close();
  }
}
