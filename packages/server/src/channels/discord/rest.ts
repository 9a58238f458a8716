/** Discord's REST API: one call, and its errors as codes that are safe to store and to show. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { type ApiCall, type ChatApi, EVERY_LANE, rateLimited } from "../chat/api.ts";
import type { ChatFailure, ChatResult } from "../chat/platform.ts";

export interface DiscordApi {
  call(
    verb: ApiCall["verb"],
    path: string,
    body?: JsonObject,
    options?: CallOptions,
  ): Promise<ChatResult<JsonObject>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Discord limits each route for each channel. */
  readonly lane?: string;
  /** Interactions carry their own token. */
  readonly withoutToken?: true;
}

/** By Discord's own error code. */
const CODES: Readonly<Record<number, string>> = {
  10003: "chat_not_found",
  10008: "message_not_found",
  10013: "chat_not_found",
  10062: "too_late",
  40060: "already_answered",
  50001: "not_in_chat",
  50007: "bot_blocked",
  50013: "not_in_chat",
  50027: "too_late",
  50033: "chat_not_found",
  50035: "does_not_fit",
};

const DEFAULT_PAUSE_MS = 5_000;

export function createDiscordApi(api: ChatApi, root: string, token: string): DiscordApi {
  return {
    async call(verb, path, body, { signal, lane = `${verb} ${path}`, withoutToken } = {}) {
      const reply = await api.call({
        verb,
        url: `${root}${path}`,
        headers: {
          "user-agent": "DiscordBot (https://github.com/holdpoint/holdpoint, 1)",
          ...(withoutToken === undefined ? { authorization: `Bot ${token}` } : {}),
        },
        ...(body === undefined ? {} : { body }),
        signal,
        lane,
        isUrgent: withoutToken,
      });
      if (reply.kind === "failed") return reply;
      const { status } = reply;
      if (status === 429) {
        const seconds = Number(reply.body["retry_after"]);
        const waitMs = Number.isFinite(seconds)
          ? Math.ceil(seconds * 1000)
          : (reply.retryAfterMs ?? DEFAULT_PAUSE_MS);
        api.pause(reply.body["global"] === true ? EVERY_LANE : lane, waitMs);
        return rateLimited(waitMs);
      }
      return status < 300 ? { kind: "ok", value: reply.body } : failed(status, reply.body["code"]);
    },
  };
}

function failed(status: number, code: unknown): ChatFailure {
  const known = typeof code === "number" ? CODES[code] : undefined;
  const error = status === 401 && code !== 50_027 ? "bad_token" : (known ?? `status_${status}`);
  return { kind: "failed", error, retry: status >= 500, status };
}
