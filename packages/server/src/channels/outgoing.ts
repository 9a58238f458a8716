/**
 * The only HTTP client for addresses that callers chose.
 *
 * O1  The address that was checked is the address that is connected to: this module resolves the name once per connection
 *     and gives the socket the checked addresses. So DNS rebinding, a name that changes its address in between, does not help.
 * O2  Redirects are not followed: a redirect is an ordinary response. No proxy from the environment, no reused connection.
 * O3  A post ends within `totalMs` by the given clock, whatever the receiver does, and keeps at most `answerBytes`.
 * O4  Errors are fixed codes, never text that could repeat a URL, a header or a secret (G9).
 */

import type { LookupFunction } from "node:net";
import type { Client } from "undici";
import type { Clock } from "../system/clock.ts";
import { readAddress } from "./address.ts";
import { AddressRefused, type Failure, failureOf, TimedOut } from "./failure.ts";
import { createResolve, type Resolve } from "./resolve.ts";
import {
  checkTarget,
  mayConnect,
  type OutgoingPolicy,
  type Refused,
  refuse,
  type TargetCheck,
} from "./target.ts";

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal?: AbortSignal;
}

export type Reply =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfter: string | null;
      readonly text: string;
    }
  | { readonly kind: "failed"; readonly error: Failure }
  | Refused;

export interface Outgoing {
  post(post: Post): Promise<Reply>;
  checkTarget(url: string): TargetCheck;
}

export interface OutgoingOptions {
  readonly policy: OutgoingPolicy;
  readonly clock: Clock;
  readonly limits?: Partial<OutgoingLimits>;
  readonly resolve?: Resolve;
  /** Certificates to trust besides the system's. */
  readonly ca?: string;
}

export interface OutgoingLimits {
  readonly connectMs: number;
  readonly totalMs: number;
  readonly answerBytes: number;
}

const LIMITS: OutgoingLimits = { connectMs: 10_000, totalMs: 10_000, answerBytes: 64 * 1_024 };

export function createOutgoing(options: OutgoingOptions): Outgoing {
  const limits = { ...LIMITS, ...options.limits };
  const resolve = options.resolve ?? createResolve(options.policy.allow);
  return {
    checkTarget: (url) => checkTarget(url, options.policy),
    async post(post) {
      const target = checkTarget(post.url, options.policy);
      if (target.kind === "refused") return target;
      const client = await connectTo(target.url, { ...options, resolve }, limits);
      const cut = new AbortController();
      const cancelLimit = options.clock.at(options.clock.now() + limits.totalMs, () =>
        cut.abort(new TimedOut()),
      );
      const signal = post.signal ? AbortSignal.any([cut.signal, post.signal]) : cut.signal;
      // Aborting a request does not abort connecting; destroying the client ends both.
      const destroy = () => void client.destroy(signal.reason);
      signal.addEventListener("abort", destroy, { once: true });
      try {
        if (signal.aborted) throw signal.reason;
        return await send(client, target.url, post, limits.answerBytes);
      } catch (error) {
        const cause = signal.aborted ? signal.reason : error;
        return cause instanceof AddressRefused
          ? refuse("address")
          : { kind: "failed", error: failureOf(cause) };
      } finally {
        cancelLimit();
        signal.removeEventListener("abort", destroy);
        void client.destroy();
      }
    },
  };
}

/** One connection per post: every delivery resolves and checks the address again, and no stale socket can lose a message. */
async function connectTo(
  url: URL,
  options: OutgoingOptions & { readonly resolve: Resolve },
  limits: OutgoingLimits,
): Promise<Client> {
  // Loaded with the first delivery, because a server without webhooks does not need it.
  const { Client } = await import("undici");
  const lookup = guardedLookup(options.policy, options.resolve);
  return new Client(url.origin, {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      lookup,
      timeout: limits.connectMs,
      allowH2: false,
      autoSelectFamily: true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    },
  });
}

async function send(client: Client, url: URL, post: Post, answerBytes: number): Promise<Reply> {
  const { statusCode, headers, body } = await client.request({
    method: "POST",
    path: url.pathname + url.search,
    headers: { "user-agent": "Holdpoint", ...post.headers },
    body: post.body,
  });
  const retryAfter = headers["retry-after"];
  const text = await readUpTo(body, answerBytes);
  return {
    kind: "answered",
    status: statusCode,
    retryAfter: typeof retryAfter === "string" ? retryAfter : null,
    text,
  };
}

/** Once the status is known, a body that breaks off or never ends is cut and is not an error. */
async function readUpTo(body: AsyncIterable<Buffer> & { destroy(): unknown }, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let left = most;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch {
    body.destroy();
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Literal addresses never come here: Node connects to them directly, so `checkTarget` has checked them. */
function guardedLookup(policy: OutgoingPolicy, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const allowed = found.filter(({ address }) => {
          const read = readAddress(address);
          return read !== null && mayConnect(read, host, policy);
        });
        const [first] = allowed;
        if (!first) callback(new AddressRefused(), "", 0);
        else if (options.all) callback(null, [...allowed]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
