/**
 * The methods of Telegram's Bot API that this server uses. Every failure is data (P1): the token is part of the URL, so no URL and
 * no text of the network reaches an error.
 */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import { Agent, request } from "undici";
import type { Clock } from "../../system/clock.ts";
import type { ChatFailure, ChatResult } from "../chat/platform.ts";
import { failureOf, TimedOut } from "../failure.ts";

export interface TelegramClientOptions {
  readonly token: string;
  readonly apiUrl?: string;
  readonly clock: Clock;
}

/** A failure of Telegram, with what it says about a chat that has moved. */
export interface TelegramFailure extends ChatFailure {
  readonly movedTo?: string;
}

export type TelegramResult<T> = { readonly kind: "ok"; readonly value: T } | TelegramFailure;

export const TELEGRAM_API = "https://api.telegram.org";
const CALL_MS = 15_000;
/** How long Telegram keeps a poll open, and how much longer we wait for its answer. */
export const POLL_SECONDS = 50;
const POLL_SPARE_MS = 15_000;
const ANSWER_BYTES_MAX = 4 * 1_024 * 1_024;

export class TelegramClient {
  readonly #options: TelegramClientOptions;
  readonly #agent = new Agent({ keepAliveTimeout: 5_000, headersTimeout: 0, bodyTimeout: 0 });

  constructor(options: TelegramClientOptions) {
    this.#options = options;
  }

  getMe(signal?: AbortSignal): Promise<TelegramResult<JsonObject>> {
    return this.#call("getMe", {}, CALL_MS, signal);
  }

  sendMessage(body: JsonObject, signal?: AbortSignal): Promise<TelegramResult<JsonObject>> {
    return this.#call("sendMessage", body, CALL_MS, signal);
  }

  editMessageText(body: JsonObject, signal?: AbortSignal): Promise<TelegramResult<JsonObject>> {
    return this.#call("editMessageText", body, CALL_MS, signal);
  }

  answerCallbackQuery(body: JsonObject, signal?: AbortSignal): Promise<TelegramResult<JsonObject>> {
    return this.#call("answerCallbackQuery", body, CALL_MS, signal);
  }

  /** Asking with an offset confirms every update before it. */
  async getUpdates(
    offset: number | undefined,
    signal: AbortSignal,
  ): Promise<TelegramResult<readonly JsonObject[]>> {
    const body = {
      timeout: POLL_SECONDS,
      allowed_updates: ["message", "callback_query"],
      ...(offset === undefined ? {} : { offset }),
    };
    const got = await this.#call<Json>("getUpdates", body, POLL_SECONDS * 1_000 + POLL_SPARE_MS, signal);
    return listed(got);
  }

  /** What waits, without confirming it. */
  async peek(signal?: AbortSignal): Promise<TelegramResult<readonly JsonObject[]>> {
    const body = { timeout: 0, allowed_updates: ["message", "callback_query", "my_chat_member"] };
    return listed(await this.#call<Json>("getUpdates", body, CALL_MS, signal));
  }

  async #call<T extends Json = JsonObject>(
    method: string,
    body: JsonObject,
    mostMs: number,
    outer?: AbortSignal,
  ): Promise<TelegramResult<T>> {
    const { token, apiUrl = TELEGRAM_API, clock } = this.#options;
    const limit = new AbortController();
    const cancel = clock.at(clock.now() + mostMs, () => limit.abort(new TimedOut()));
    const signal = outer === undefined ? limit.signal : AbortSignal.any([limit.signal, outer]);
    try {
      const reply = await request(`${apiUrl}/bot${token}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        dispatcher: this.#agent,
        signal,
      });
      const text = await readText(reply.body);
      return resultOf<T>(reply.statusCode, text);
    } catch (error) {
      const cause: unknown = signal.aborted ? signal.reason : error;
      return { kind: "failed", error: failureOf(cause), retry: true };
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function listed(got: TelegramResult<Json>): TelegramResult<readonly JsonObject[]> {
  if (got.kind === "failed") return got;
  return { kind: "ok", value: Array.isArray(got.value) ? got.value.filter(isObject) : [] };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function resultOf<T extends Json>(status: number, text: string): TelegramResult<T> {
  const read = parse(text);
  if (status === 200 && isObject(read) && read["ok"] === true)
    return { kind: "ok", value: read["result"] as T };
  const said = isObject(read) ? read : {};
  const description = typeof said["description"] === "string" ? said["description"].toLowerCase() : "";
  const parameters = isObject(said["parameters"]) ? said["parameters"] : {};
  return failureFor(status, description, parameters);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** Telegram's words, and what they mean. Only these codes are stored and shown. */
const WORDS: readonly (readonly [words: string, error: string])[] = [
  ["message is not modified", "not_modified"],
  ["message to edit not found", "message_gone"],
  ["message can't be edited", "message_gone"],
  ["message to be replied not found", "message_gone"],
  ["message is too long", "does_not_fit"],
  ["reply markup is too long", "does_not_fit"],
  ["button_data_invalid", "does_not_fit"],
  ["chat not found", "chat_not_found"],
  ["message thread not found", "chat_not_found"],
  ["not enough rights", "not_allowed_in_chat"],
  ["query is too old", "press_too_old"],
  ["bot was blocked", "bot_blocked"],
  ["can't initiate conversation", "bot_not_started"],
  ["bot was kicked", "bot_not_in_chat"],
  ["not a member", "bot_not_in_chat"],
  ["webhook is active", "webhook_set"],
  ["terminated by other getupdates", "other_poller"],
];

function failureFor(status: number, description: string, parameters: JsonObject): TelegramFailure {
  const moved = parameters["migrate_to_chat_id"];
  const base = {
    kind: "failed" as const,
    status,
    ...(moved === undefined ? {} : { movedTo: String(moved) }),
  };
  if (status === 429) {
    const seconds = Number(parameters["retry_after"] ?? 1);
    return { ...base, error: "rate_limited", retry: true, retryAfterMs: Math.max(1, seconds) * 1_000 };
  }
  if (status === 401 || (status === 404 && description === "not found"))
    return { ...base, error: "bad_token", retry: false };
  const known = WORDS.find(([words]) => description.includes(words))?.[1];
  if (status === 409) return { ...base, error: known ?? "other_poller", retry: true };
  return { ...base, error: known ?? `http_${status}`, retry: status >= 500 };
}

/** A failure without what only Telegram knows. */
export function plainFailure({ movedTo: _chat, ...failure }: TelegramFailure): ChatFailure {
  return failure;
}

export function mapped<T, U>(result: TelegramResult<T>, map: (value: T) => U): ChatResult<U> {
  return result.kind === "ok" ? { kind: "ok", value: map(result.value) } : plainFailure(result);
}
