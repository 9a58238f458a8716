/** The hold client of a page: it has a browser token, which it asks the app's server for, and again when the token has ended. */

import type { FileClient, HoldClient } from "@holdpoint/protocol/client";
import { httpHoldClient } from "@holdpoint/protocol/http";

/** What the components need of a client; the SDK's `Holdpoint` and its `client` are such. */
export type PageClient = Pick<HoldClient, "get" | "list" | "answer" | "withdrawVote" | "follow"> &
  Partial<Pick<FileClient, "uploadFile">>;

/** A browser token, or how to get one from the app's server. */
export type TokenSource = string | (() => string | Promise<string>);

type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** `source` is asked at every call, so that it may change; it throws when this client must send nothing more. */
export function browserClient(url: string, source: () => TokenSource, send: Fetch = fetchHere): PageClient {
  return httpHoldClient({ url, apiKey: "browser", runtime: { fetch: withToken(source, send) } });
}

const fetchHere: Fetch = (input, init) => globalThis.fetch(input, init);

function withToken(source: () => TokenSource, send: Fetch): Fetch {
  let fetched: Promise<string> | undefined;
  const tokenOf = (given: TokenSource): Promise<string> => {
    if (typeof given === "string") return Promise.resolve(given);
    fetched ??= Promise.resolve(given()).catch((error: unknown) => {
      fetched = undefined;
      throw error;
    });
    return fetched;
  };
  const once = async (input: string, init: RequestInit) => {
    const authorization = `Bearer ${await tokenOf(source())}`;
    // Asked again: it refuses if somebody else has signed in while the token was on its way.
    source();
    return send(input, { ...init, headers: { ...(init.headers as Record<string, string>), authorization } });
  };
  return async (input, init) => {
    const used = fetched;
    const reply = await once(input, init);
    if (reply.status !== 401 || typeof source() === "string" || used === undefined) return reply;
    // The token has ended. Calls that failed together share the next one.
    if (fetched === used) fetched = undefined;
    return once(input, init);
  };
}
