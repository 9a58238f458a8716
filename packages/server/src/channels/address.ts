/** Classifies IP addresses: public, this machine, or private and reserved ranges that a caller's URL must not reach. */

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = readonly [Address, number];

export type Reach = "public" | "loopback" | "closed";

/** Reads an address only in its canonical notation. A zone (`fe80::1%eth0`) is kept by the parser and has no effect. */
export function readAddress(text: string): Address | null {
  // ipaddr.js also reads octal, hexadecimal and short forms, which other parsers read as different addresses.
  return isIP(text) === 0 ? null : ipaddr.parse(text);
}

/** The IPv4 address inside an IPv4-mapped or NAT64 address, which is where the packet really goes. */
function carriedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const isNat64 = address.match(NAT64, 96);
  if (!isNat64 && !address.isIPv4MappedAddress()) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

const NAT64 = ipaddr.IPv6.parse("64:ff9b::");
const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::");

export function reachOf(address: Address): Reach {
  if (address.kind() === "ipv4") return reachOfRange(address.range());
  const ipv6 = address as ipaddr.IPv6;
  const carried = carriedIPv4(ipv6);
  if (carried) return reachOf(carried);
  const reach = reachOfRange(ipv6.range());
  // Only 2000::/3 is assigned, so an address outside it is treated as closed even if the range table does not list it.
  return reach === "public" && !ipv6.match(GLOBAL_UNICAST, 3) ? "closed" : reach;
}

function reachOfRange(range: string): Reach {
  if (range === "unicast") return "public";
  return range === "loopback" ? "loopback" : "closed";
}

export function inRange(address: Address, [base, bits]: AddressRange): boolean {
  if (address.kind() === base.kind()) return address.match(base, bits);
  const carried = address.kind() === "ipv6" ? carriedIPv4(address as ipaddr.IPv6) : null;
  return carried !== null && base.kind() === "ipv4" && carried.match(base, bits);
}
