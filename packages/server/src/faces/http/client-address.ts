/**
 * The network address of a caller, which limits for wrong credentials and for signing in count by. Behind a proxy, every connection
 * comes from the proxy: without this, one caller would use up the limits of all.
 */

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Context } from "hono";

/** Whether this address belongs to a proxy of the operator. */
export type IsTrustedProxy = (address: string) => boolean;

/** A call without a connection comes from this process. */
const OWN = "local";

export function clientAddressOf(c: Context, isTrusted?: IsTrustedProxy): string {
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  const peer = incoming?.socket.remoteAddress ?? OWN;
  if (isTrusted === undefined || !isTrusted(peer)) return peer;
  return forwardedFor(c.req.header("x-forwarded-for") ?? "", peer, isTrusted);
}

/**
 * Each proxy adds the address that it was called from at the end. So the last address that is no proxy's is the caller's, and
 * whatever stands before it is what the caller wrote.
 */
function forwardedFor(header: string, peer: string, isTrusted: IsTrustedProxy): string {
  const addresses = header.split(",").map((part) => part.trim());
  for (const address of addresses.reverse()) {
    if (isIP(address) === 0) return peer;
    if (!isTrusted(address)) return address;
  }
  return peer;
}
