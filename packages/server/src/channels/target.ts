/**
 * Decides which URLs Holdpoint may call. A URL is checked twice: here, by its text, when it is given, and again by address
 * when a connection is made, because a name may resolve to another address by then.
 */

import { type Address, reachOf, readAddress } from "./address.ts";
import { type AllowList, allowsAddress, allowsHost, hostKey } from "./allow-list.ts";

export interface OutgoingPolicy {
  readonly allow: AllowList;
  /** The server's own address is local, so it may call agents on the same machine. */
  readonly loopback: boolean;
}

export const TARGET_REFUSALS = {
  not_a_url: "is not an absolute URL of at most 2048 characters",
  scheme: "must start with https://",
  credentials: "must not carry a user name or password",
  https_required: "must start with https:// because it leaves this machine",
  port: "names a port that is not allowed; use 443, 80, or 1024 and above",
  address: "points to a private or reserved address",
} as const;

export type TargetRefusal = keyof typeof TARGET_REFUSALS;

export interface Refused {
  readonly kind: "refused";
  readonly code: "callback_refused";
  readonly reason: TargetRefusal;
  readonly message: string;
}

export type TargetCheck = { readonly kind: "ok"; readonly url: URL } | Refused;

const URL_LENGTH_MAX = 2_048;

/** A check without DNS. A name that passes may still be refused when it is resolved. */
export function checkTarget(text: string, policy: OutgoingPolicy): TargetCheck {
  const url = text.length <= URL_LENGTH_MAX ? URL.parse(text) : null;
  if (!url) return refuse("not_a_url");
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("scheme");
  if (url.username !== "" || url.password !== "") return refuse("credentials");

  const host = hostOf(url);
  const literal = readAddress(host);
  if (literal && !mayConnect(literal, host, policy)) return refuse("address");
  if (isLoopbackName(host) && !policy.loopback && !allowsHost(policy.allow, host)) return refuse("address");

  const isTrusted = isTrustedTarget(host, literal, policy);
  if (url.protocol === "http:" && !isTrusted) return refuse("https_required");
  const port = url.port === "" ? 443 : Number(url.port);
  if (!isTrusted && port < 1_024 && port !== 443 && port !== 80) return refuse("port");
  return { kind: "ok", url };
}

/** Whether a connection to `address` may be made for a URL that names `host`. */
export function mayConnect(address: Address, host: string, policy: OutgoingPolicy): boolean {
  if (allowsHost(policy.allow, host) || allowsAddress(policy.allow, address)) return true;
  const reach = reachOf(address);
  return reach === "public" || (reach === "loopback" && policy.loopback);
}

/** The host of a URL as a name or an address, without brackets and trailing dot. */
export function hostOf(url: URL): string {
  return hostKey(url.hostname.replace(/^\[(.*)\]$/, "$1"));
}

export function refuse(reason: TargetRefusal): Refused {
  return { kind: "refused", code: "callback_refused", reason, message: TARGET_REFUSALS[reason] };
}

/** `host` as `hostOf` gives it. */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function isTrustedTarget(host: string, literal: Address | null, policy: OutgoingPolicy): boolean {
  if (allowsHost(policy.allow, host)) return true;
  if (literal === null) return isLoopbackName(host) && policy.loopback;
  return allowsAddress(policy.allow, literal) || (reachOf(literal) === "loopback" && policy.loopback);
}
