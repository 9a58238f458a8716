/** `HOLDPOINT_WEBHOOK_ALLOW`: private hosts and ranges that outgoing messages may reach. */

import { isIP } from "node:net";
import { type Address, type AddressRange, inRange, readAddress } from "./address.ts";

export interface AllowList {
  /** Lower-case names without a trailing dot. Whatever address they resolve to is allowed. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly AddressRange[];
}

export type ReadAllowList =
  | { readonly kind: "read"; readonly list: AllowList }
  | { readonly kind: "refused"; readonly code: "bad_allow_list"; readonly entry: string };

export const ALLOW_NOTHING: AllowList = { hosts: new Set(), ranges: [] };

const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Names, addresses and CIDR ranges, separated by commas or spaces. */
export function readAllowList(text: string): ReadAllowList {
  const hosts = new Set<string>();
  const ranges: AddressRange[] = [];
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== "")) {
    const range = readRange(entry);
    if (range) ranges.push(range);
    else if (isHostName(entry)) hosts.add(hostKey(entry));
    else return { kind: "refused", code: "bad_allow_list", entry };
  }
  return { kind: "read", list: { hosts, ranges } };
}

function readRange(entry: string): AddressRange | null {
  const [base = "", bits, ...rest] = entry.replaceAll(/[[\]]/g, "").split("/");
  const address = readAddress(base);
  if (!address || rest.length > 0) return null;
  const most = isIP(base) === 4 ? 32 : 128;
  if (bits === undefined) return [address, most];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? [address, Number(bits)] : null;
}

/** Some parsers read a name that ends in a number as an address, so such an entry is refused as a mistyped address. */
function isHostName(entry: string): boolean {
  return HOST.test(hostKey(entry)) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(hostKey(entry));
}

/** The form in which hosts are compared: `LocalHost.` and `localhost` are equal. */
export function hostKey(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

export function allowsHost(list: AllowList, host: string): boolean {
  return list.hosts.has(hostKey(host));
}

export function allowsAddress(list: AllowList, address: Address): boolean {
  return list.ranges.some((range) => inRange(address, range));
}
