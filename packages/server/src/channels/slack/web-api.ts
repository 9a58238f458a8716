/** Slack's Web API: one call, and its errors as codes that are safe to store and to show. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { type ChatApi, rateLimited } from "../chat/api.ts";
import type { ChatFailure, ChatResult } from "../chat/platform.ts";

export interface SlackApi {
  call(method: string, body: JsonObject, options?: CallOptions): Promise<ChatResult<JsonObject>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Slack limits posting for each channel. */
  readonly lane?: string;
}

const BAD_TOKEN = [
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "not_allowed_token_type",
  "org_login_required",
];

const CODES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BAD_TOKEN.map((word) => [word, "bad_token"])),
  channel_not_found: "chat_not_found",
  user_not_found: "chat_not_found",
  users_not_found: "chat_not_found",
  not_in_channel: "not_in_chat",
  restricted_action: "not_in_chat",
  is_archived: "chat_archived",
  user_disabled: "bot_blocked",
  cannot_dm_bot: "bot_blocked",
  messages_tab_disabled: "bot_blocked",
  missing_scope: "missing_scope",
  invalid_blocks: "does_not_fit",
  invalid_blocks_format: "does_not_fit",
  msg_too_long: "does_not_fit",
  msg_blocks_too_long: "does_not_fit",
  invalid_arguments: "does_not_fit",
  message_not_found: "message_not_found",
  expired_trigger_id: "too_late",
  exchanged_trigger_id: "too_late",
  invalid_trigger_id: "too_late",
  link_disabled: "socket_mode_off",
};

/** Slack itself has a problem. */
const PASSING = [
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org",
];

const DEFAULT_PAUSE_MS = 30_000;

export function createSlackApi(api: ChatApi, root: string, token: string): SlackApi {
  return {
    async call(method, body, { signal, lane = method } = {}) {
      const reply = await api.call({
        verb: "POST",
        url: `${root}/${method}`,
        headers: { authorization: `Bearer ${token}` },
        body,
        signal,
        lane,
      });
      if (reply.kind === "failed") return reply;
      const { status, retryAfterMs = DEFAULT_PAUSE_MS } = reply;
      if (status === 429 || reply.body["error"] === "ratelimited") {
        api.pause(lane, retryAfterMs);
        return rateLimited(retryAfterMs);
      }
      if (status !== 200) return { kind: "failed", error: `status_${status}`, retry: status >= 500, status };
      return reply.body["ok"] === true ? { kind: "ok", value: reply.body } : failed(reply.body["error"]);
    },
  };
}

function failed(error: unknown): ChatFailure {
  const word = String(error);
  const known = CODES[word];
  if (known !== undefined) return { kind: "failed", error: known, retry: false, status: 200 };
  const isPassing = PASSING.includes(word);
  // A word that this list does not know yet is passed on only if it looks like one of Slack's codes (G9).
  const code = /^[a-z_]{1,40}$/.test(word) ? `slack_${word}` : "refused";
  return { kind: "failed", error: code, retry: isPassing, status: 200 };
}
