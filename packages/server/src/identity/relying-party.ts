/** The host that passkeys are made for. Browsers bind a passkey to a name, never to an IP address. */

import { isIP } from "node:net";

export interface RelyingParty {
  /** The host name of the public URL. */
  readonly id: string;
  /** Where the browser must have been when it signed. */
  readonly origin: string;
}

/** A server on the loopback address is reached as `localhost` too. Any other IP address has no passkeys. */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { hostname, protocol, port } = new URL(publicUrl);
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) === 0) return { id: hostname, origin: new URL(publicUrl).origin };
  if (address !== "::1" && !address.startsWith("127.")) return undefined;
  return { id: "localhost", origin: `${protocol}//localhost${port === "" ? "" : `:${port}`}` };
}
