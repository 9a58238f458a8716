/**
 * The addresses of names that callers chose.
 *
 * R1  A name whose DNS server never answers delays no other name and no file (G13). `getaddrinfo` occupies one of the few threads that
 *     files use too, for ten seconds and more. So names are resolved over DNS with sockets first, and by `getaddrinfo` a few at a time. The
 *     queue for `getaddrinfo` is bounded: the lookup that waited longest is dropped, because its message has timed out by then.
 * R2  Names in this machine's hosts file and names on the operator's allow-list are looked up as the machine does it, and wait for nobody
 *     else's. Every other name that DNS does not know, such as one that only search domains complete, is looked up by the machine too.
 * R3  DNS servers are not asked about `localhost`.
 */

import { lookup, Resolver } from "node:dns/promises";
import { type AllowList, allowsHost, hostKey } from "./allow-list.ts";
import { hostsFile } from "./hosts-file.ts";
import { isLoopbackName } from "./target.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

interface Ways {
  /** Empty: not found, or no answer. */
  readonly byDns: Resolve;
  readonly bySystem: Resolve;
  isInHostsFile(host: string): Promise<boolean>;
}

const DNS = { timeout: 2_000, tries: 2 };
/** Half of the threads that Node has by default. */
const SYSTEM_MAX = 2;
const WAITING_MAX = 64;

const WAYS: Ways = {
  async byDns(host) {
    const resolver = new Resolver(DNS);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = (family: number, { status, ...more }: typeof four) =>
      status === "fulfilled" && "value" in more ? more.value.map((address) => ({ address, family })) : [];
    return [...found(4, four), ...found(6, six)];
  },
  bySystem: (host) => lookup(host, { all: true, verbatim: true }),
  isInHostsFile: hostsFile(),
};

export function createResolve(allow: AllowList, { byDns, bySystem, isInHostsFile }: Ways = WAYS): Resolve {
  const inTurn = atMost(SYSTEM_MAX);
  return async (host) => {
    if (allowsHost(allow, host) || (await isInHostsFile(host))) return bySystem(host);
    const found = isLoopbackName(hostKey(host)) ? [] : await byDns(host);
    return found.length > 0 ? found : inTurn(() => bySystem(host));
  };
}

/** Runs so many at once; the others wait for their turn. */
function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: PromiseWithResolvers<void>[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running += 1;
    else {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      if (waiting.length > WAITING_MAX) waiting.shift()?.reject(new GivenUp());
      await turn.promise;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next.resolve();
    }
  };
}

class GivenUp extends Error {
  override readonly name = "GivenUp";
  readonly code = "EAI_AGAIN";
}
