/** What the operator set for the whole server. Plain data that comes with the batch, so that deciding stays pure. */

import type { JsonObject } from "@holdpoint/protocol/rules";

/** Whose askers may be given a review link: nobody's, those of HITL cases, or all that ask for one (G7). */
export const AGENT_LINKS = ["never", "hitl", "always"] as const;
export type AgentLinks = (typeof AGENT_LINKS)[number];

export interface Platform {
  readonly agentLinks: AgentLinks;
  /** For suspensions that leave their retry policy open; `null`: none. */
  readonly retryPolicy: JsonObject | null;
  readonly notify: Notify;
}

export interface Notify {
  /** Whom agents may have told: names, addresses, or `*@example.com` for all of a domain. Empty: nobody. */
  readonly allow: readonly string[];
  /** Configured channels, and whom each tells when nobody is named. */
  readonly channels: Readonly<Record<string, readonly string[]>>;
  /** Where people are told when no channel is named; absent: nowhere. */
  readonly defaultChannel?: string;
}

export const NO_PLATFORM: Platform = {
  agentLinks: "hitl",
  retryPolicy: null,
  notify: { allow: [], channels: {} },
};

/** Whom a channel tells when nobody is named. */
export function usualRecipients({ channels }: Notify, channel: string): readonly string[] {
  return Object.hasOwn(channels, channel) ? (channels[channel] as readonly string[]) : [];
}

/** Whom an operator put on the channel needs no leave; whom an agent names must be allowed. */
export function mayBeTold(notify: Notify, channel: string | undefined, to: string): boolean {
  const usual = channel === undefined ? [] : usualRecipients(notify, channel);
  return usual.includes(to) || notify.allow.some((allowed) => allowed === to || coversDomain(allowed, to));
}

/** Domains are compared without regard to case; a mailbox in front is needed. */
function coversDomain(allowed: string, to: string): boolean {
  if (!allowed.startsWith("*@")) return false;
  const at = to.lastIndexOf("@");
  return at > 0 && to.slice(at + 1).toLowerCase() === allowed.slice(2).toLowerCase();
}
