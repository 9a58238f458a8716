/**
 * Settings of the operator for the whole server. They are plain data that comes with the batch, so that decisions
 * stay pure.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { BusinessHours } from "./hold/business-hours.ts";
import type { Rota } from "./server/rota.ts";

/** When an asker may receive a review link: never, for HITL cases only, or whenever it asks for one (G7). */
export const AGENT_LINKS = ["never", "hitl", "always"] as const;
export type AgentLinks = (typeof AGENT_LINKS)[number];

export interface Platform {
  readonly agentLinks: AgentLinks;
  /** The retry policy of suspensions that name none; `null`: no retries. */
  readonly retryPolicy: JsonObject | null;
  readonly notify: Notify;
  /** How many holds the checks of one agent may have open. */
  readonly maxOpenChecks: number;
  /** The longest time for which people may allow similar calls in advance. */
  readonly grantMaxMs: number;
  /** How long a standing permission lasts; 0: there are none, and every call is checked. */
  readonly standingMs: number;
  /** How many bytes the uploaded files of one workspace may take. */
  readonly fileBytesMax: number;
  /** For rungs that count business time; absent: Monday to Friday, 9 to 17, UTC. */
  readonly hours?: BusinessHours;
  /** How long the content of ended holds and of stored threads is kept; absent: as the workspace's own row says. */
  readonly retainMs?: number | "forever";
  /** How long settled messages are kept. */
  readonly deliveryRetainMs: number;
  /** How long recorded checks are kept. */
  readonly checkRetainMs: number;
  /** Whether askers may get tokens for inline answers; absent: as the workspace's own row says. */
  readonly inlineAnswers?: boolean;
  /** Who is on call, by name of the rota. */
  readonly rotas?: Readonly<Record<string, Rota>>;
  /** RE2 patterns. What they match is removed from notifications. */
  readonly redact: readonly string[];
}

export interface Notify {
  /**
   * The allow-list for recipients that agents name: names, addresses, or `*@example.com` for a whole domain. Empty:
   * nobody.
   */
  readonly allow: readonly string[];
  /** The configured channels, each with its recipients for notifications that name nobody. */
  readonly channels: Readonly<Record<string, readonly string[]>>;
  /** The kind of each configured channel: `email`, `telegram` … */
  readonly kinds?: Readonly<Record<string, string>>;
  /** The configured channels that close their messages when the hold ends. Chats do it by edits of their own. */
  readonly closing?: readonly string[];
  /** The channel of notifications that name none; absent: they are not sent. */
  readonly defaultChannel?: string;
}

export const NO_PLATFORM: Platform = {
  agentLinks: "hitl",
  retryPolicy: null,
  notify: { allow: [], channels: {} },
  maxOpenChecks: 100,
  grantMaxMs: 7 * 86_400_000,
  standingMs: 250,
  fileBytesMax: 10 * 1024 ** 3,
  deliveryRetainMs: 30 * 86_400_000,
  checkRetainMs: 30 * 86_400_000,
  redact: [],
};

/** How long the content of what is placed now is kept after its end; `undefined`: for ever. */
export function retentionOf(
  { retainMs }: Platform,
  workspace: { readonly retainMs?: number } | undefined,
): number | undefined {
  if (retainMs === undefined) return workspace?.retainMs;
  return retainMs === "forever" ? undefined : retainMs;
}

export function allowsInline(
  { inlineAnswers }: Platform,
  workspace: { readonly noInline?: true } | undefined,
): boolean {
  return inlineAnswers ?? workspace?.noInline !== true;
}

/** The built-in channel for web push. */
export const PUSH = "push";

/** The recipients of a channel for notifications that name nobody. */
export function usualRecipients({ channels }: Notify, channel: string): readonly string[] {
  return Object.hasOwn(channels, channel) ? (channels[channel] as readonly string[]) : [];
}

/** A recipient who is looked up in a rota when the notification is sent. */
export const ON_CALL = "oncall:";

/** Whether a recipient names a person or a team of the workspace. */
export function namesPeople(to: string): boolean {
  return to.startsWith("person:") || to.startsWith("team:");
}

/** A recipient such as `slack:#finance` names its channel too. */
export function chatNamed(
  to: string | undefined,
  { channels }: Notify,
): { readonly channel: string; readonly to: string } | undefined {
  const at = to?.indexOf(":") ?? -1;
  if (to === undefined || at < 1 || namesPeople(to)) return undefined;
  const channel = to.slice(0, at);
  return Object.hasOwn(channels, channel) ? { channel, to: to.slice(at + 1) } : undefined;
}

/**
 * A recipient that the operator configured for the channel is always allowed. People of the workspace
 * may be told by anybody who may ask. Any other recipient that an agent names must be on the allow-list.
 */
export function mayBeTold(notify: Notify, channel: string | undefined, to: string): boolean {
  if (namesPeople(to) || to.startsWith(ON_CALL)) return true;
  const named = chatNamed(to, notify);
  if (named !== undefined) return mayBeTold(notify, named.channel, named.to);
  const usual = channel === undefined ? [] : usualRecipients(notify, channel);
  const names = [to, `${channel}:${to}`];
  return (
    usual.includes(to) || notify.allow.some((allowed) => names.includes(allowed) || coversDomain(allowed, to))
  );
}

/** Compares the domains without regard to case. The address needs a mailbox before the `@`. */
function coversDomain(allowed: string, to: string): boolean {
  if (!allowed.startsWith("*@")) return false;
  const at = to.lastIndexOf("@");
  return at > 0 && to.slice(at + 1).toLowerCase() === allowed.slice(2).toLowerCase();
}
