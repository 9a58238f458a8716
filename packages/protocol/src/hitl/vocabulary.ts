/** The words of the HITL Protocol: one list for each thing that may only be named in certain ways. */

/** Versions we speak, oldest first. The first is the default: it is the one a client means when it names none. */
export const HITL_VERSIONS = ["0.7", "0.8"] as const;
export type HitlVersion = (typeof HITL_VERSIONS)[number];
export const DEFAULT_HITL_VERSION: HitlVersion = "0.7";

/** Request header that asks for a version; the reply carries it too. */
export const HITL_VERSION_HEADER = "HITL-Version";
/** Reply header of the discovery document: every version that may be asked for. */
export const HITL_VERSIONS_HEADER = "HITL-Versions";
export const CALLBACK_SIGNATURE_HEADER = "X-HITL-Signature";

/** Without these eight a HITL object cannot be acted on. */
export const REQUIRED_MEMBERS = [
  "spec_version",
  "case_id",
  "review_url",
  "poll_url",
  "type",
  "prompt",
  "created_at",
  "expires_at",
] as const;

export const OPEN_STATUSES = ["pending", "opened", "in_progress"] as const;
export const TERMINAL_STATUSES = ["completed", "expired", "cancelled"] as const;
export const CASE_STATUSES = [...OPEN_STATUSES, ...TERMINAL_STATUSES] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export const DEFAULT_ACTIONS = ["skip", "approve", "reject", "abort"] as const;
export type DefaultAction = (typeof DEFAULT_ACTIONS)[number];

export const CASE_EVENTS = [
  "review.opened",
  "review.in_progress",
  "review.reminder",
  "review.completed",
  "review.expired",
  "review.cancelled",
] as const;
export type CaseEventName = (typeof CASE_EVENTS)[number];

/** Callbacks tell of endings only. */
export const CALLBACK_EVENTS = ["review.completed", "review.expired", "review.cancelled"] as const;
export type CallbackEventName = (typeof CALLBACK_EVENTS)[number];

export const PLATFORMS = ["telegram", "slack", "discord", "whatsapp", "teams"] as const;
export type Platform = (typeof PLATFORMS)[number];

/** How each platform's native button is called in `submitted_via`. */
export const SUBMIT_CHANNEL_OF = {
  telegram: "telegram_inline_button",
  slack: "slack_block_action",
  discord: "discord_component",
  whatsapp: "whatsapp_reply_button",
  teams: "teams_adaptive_card",
} as const satisfies Record<Platform, string>;
export const SUBMIT_CHANNELS = Object.values(SUBMIT_CHANNEL_OF);

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

export const TRANSPORTS = ["polling", "sse", "callback"] as const;

export const PROMPT_LENGTH_MAX = 500;
export const LABEL_LENGTH_MAX = 200;
export const SKILL_INFO_LENGTH_MAX = 200;
export const SUBMIT_TOKEN_LENGTH_MIN = 32;

export function isTerminal(status: string): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

export function isPlatform(word: string): word is Platform {
  return (PLATFORMS as readonly string[]).includes(word);
}

/**
 * The newest version we speak that is not newer than the one asked for. No version, an older one, or something that is
 * no version at all means the default.
 */
export function chooseVersion(asked: string | null | undefined): HitlVersion {
  const wanted = /^(\d{1,4})\.(\d{1,4})$/.exec(asked ?? "");
  if (wanted === null) return DEFAULT_HITL_VERSION;
  const rank = (major: string, minor: string) => Number(major) * 10_000 + Number(minor);
  const limit = rank(wanted[1]!, wanted[2]!);
  const fitting = HITL_VERSIONS.filter((version) => {
    const [major, minor] = version.split(".");
    return rank(major!, minor!) <= limit;
  });
  return fitting.at(-1) ?? DEFAULT_HITL_VERSION;
}

/** The seed's bare platform name stands for that platform's channel; anything else is taken as written. */
export function submitChannel(word: string): string {
  return isPlatform(word) ? SUBMIT_CHANNEL_OF[word] : word;
}
