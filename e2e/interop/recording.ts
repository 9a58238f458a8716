/** Plays what a client sent once to a server of now, and makes replies comparable with those that the client understood. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";

export interface Exchange {
  /** The client's method. */
  readonly call: string;
  readonly key: "agent" | "operator";
  readonly method: string;
  readonly path: string;
  readonly ifMatch?: string;
  readonly body?: Json;
  readonly status: number;
  readonly reply: Json;
}

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

const ID = /^[a-z]+_[0-9a-z]{16,}$/;

/** Ids of the recorded server, as they are called on the server of now. */
export class Ids {
  readonly #now = new Map<string, string>();

  /** Where both replies have an id, they have it for the same thing. */
  learn(recorded: Json, now: Json): void {
    if (typeof recorded === "string" && typeof now === "string" && ID.test(recorded))
      this.#now.set(recorded, now);
    else if (Array.isArray(recorded) && Array.isArray(now))
      for (const [at, each] of recorded.entries()) this.learn(each, now[at] ?? null);
    else if (isObject(recorded) && isObject(now))
      for (const [name, each] of Object.entries(recorded)) this.learn(each, now[name] ?? null);
  }

  in<T extends Json>(value: T): T {
    const text = JSON.stringify(value).replaceAll(/[a-z]+_[0-9a-z]{16,}/g, (id) => this.#now.get(id) ?? id);
    return JSON.parse(text) as T;
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|\+00:00)$/;
const OPAQUE = /^(?:[0-9a-f]{64}|sha256:[\w-]{43}|did:key:\w+|[\w-]{40,}|0[0-9a-z]{12,})$/;

/** Without what differs between two servers that say the same: ids, times, hashes, addresses, members in another order. */
export function comparable(value: Json): Json {
  if (typeof value === "string") {
    if (TIME.test(value)) return "<time>";
    if (OPAQUE.test(value)) return "<opaque>";
    return value
      .replaceAll(/[a-z]+_[0-9a-z]{16,}/g, "<id>")
      .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, "<server>");
  }
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const members = Object.entries(value as JsonObject).map(
    ([name, each]) => [name, comparable(each)] as const,
  );
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
