/**
 * The addresses of names that callers chose.
 *
 * R1  A name whose DNS server never answers delays no other name and no file (G13). `getaddrinfo` occupies one of the few threads that
 *     files use too, for ten seconds and more. So names are asked for with sockets first, and by `getaddrinfo` a few at a time.
 * R2  A name that only this machine knows, by its hosts file or search domains, is found too. Names on the operator's allow-list are
 *     looked up as the machine does it, and wait for nobody else's.
 */

import { lookup, Resolver } from "node:dns/promises";
import { type AllowList, allowsHost } from "./allow-list.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

interface Ways {
  /** Empty: not found, or no answer. */
  readonly byDns: Resolve;
  readonly bySystem: Resolve;
}

const DNS = { timeout: 2_000, tries: 2 };
/** Half of the threads that Node has by default. */
const SYSTEM_MAX = 2;

const WAYS: Ways = {
  async byDns(host) {
    const resolver = new Resolver(DNS);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = (family: number, { status, ...more }: typeof four) =>
      status === "fulfilled" && "value" in more ? more.value.map((address) => ({ address, family })) : [];
    return [...found(4, four), ...found(6, six)];
  },
  bySystem: (host) => lookup(host, { all: true, verbatim: true }),
};

export function createResolve(allow: AllowList, { byDns, bySystem }: Ways = WAYS): Resolve {
  const inTurn = atMost(SYSTEM_MAX);
  return async (host) => {
    if (allowsHost(allow, host)) return bySystem(host);
    const found = await byDns(host);
    return found.length > 0 ? found : inTurn(() => bySystem(host));
  };
}

/** Runs so many at once; the others wait for their turn. */
function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
