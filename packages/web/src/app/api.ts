/** The native API from the console: the session's cookie goes along by itself, its token on everything that changes. */

import type { AppView, EventOut, HoldOut, ProblemOut } from "@holdpoint/protocol";
import {
  fromWire,
  type Hold,
  type HoldEvent,
  isRetryableError,
  isTerminalError,
} from "@holdpoint/protocol/client";
import { type HttpHoldClient, httpHoldClient } from "@holdpoint/protocol/http";
import { freshSignIn, sessionState } from "./fresh.ts";

/** The page has drawn itself, so it needs no way to the one without script. */
export type AppState = Omit<AppView, "plainPath">;

/** Told to the whole page: from then on nothing that is pressed counts. */
export const SIGNED_OUT = "holdpoint.signed-out";

/** Told to the whole page: who has signed in in this browser instead; empty: the person of this page again. */
export const OTHER_PERSON = "holdpoint.other-person";

const SOMEBODY_ELSE = (name: string) =>
  `Now ${name} is signed in in this browser. Nothing was sent in the name of the person of this page.`;

/** A refusal, in the API's own words. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly problem: Partial<ProblemOut>;

  constructor(status: number, problem: Partial<ProblemOut>) {
    super(problem.detail ?? problem.title ?? `The server said ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

export interface Api {
  readonly state: AppState;
  /** The server's time; the viewer's clock may be wrong. */
  now(): number;
  /** The token that everything that changes something carries. It changes with the session. */
  csrf(): string;
  /** Takes over the token of the session that this browser has now. Resolves to false if it is another person's session. */
  renew(): Promise<boolean>;
  /** The protocol's own client, with the session instead of a key. */
  readonly client: HttpHoldClient;
  get<Out>(path: string, signal?: AbortSignal): Promise<Out>;
  send<Out>(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    key?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Out>;
}

export function apiOf(state: AppState): Api {
  let { csrf } = state;
  let other = "";
  const aheadMs = state.now - Date.now();
  async function call<Out>(path: string, init: RequestInit): Promise<Out> {
    const reply = await fetch(path, { ...init, credentials: "same-origin" });
    const isJson = reply.headers.get("content-type")?.includes("json") ?? false;
    const body = isJson ? ((await reply.json()) as unknown) : undefined;
    if (reply.status === 401) dispatchEvent(new Event(SIGNED_OUT));
    if (!reply.ok) throw new Refused(reply.status, (body ?? {}) as Partial<ProblemOut>);
    return body as Out;
  }
  /** A person who signs in again, in another tab for example, has a new session; the page goes on with it. */
  async function renew(): Promise<boolean> {
    const session = await sessionState();
    if (session === undefined) return true;
    const isOwn = session.name === state.name;
    if (isOwn) csrf = session.csrf;
    other = isOwn ? "" : session.name;
    dispatchEvent(new CustomEvent(OTHER_PERSON, { detail: other }));
    return isOwn;
  }
  return {
    state,
    renew,
    csrf: () => csrf,
    now: () => Date.now() + aheadMs,
    client: httpHoldClient({
      url: location.origin,
      apiKey: "session",
      // The person sees at once that something failed, and the queries try again by themselves.
      retry: { attemptsMax: 1 },
      runtime: { fetch: withSession(() => csrf) },
    }),
    get: (path, signal) => call(path, signal === undefined ? {} : { signal }),
    async send<Out>(...[method, path, body, key, headers]: Parameters<Api["send"]>): Promise<Out> {
      const send = () =>
        call<Out>(path, {
          method,
          headers: {
            ...headers,
            ...(key === undefined ? { "x-csrf-token": csrf } : { authorization: `Bearer ${key}` }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      /** The server refuses the token of an earlier session before it looks at anything else. */
      const sendWithSession = async () => {
        const before = csrf;
        try {
          return await send();
        } catch (fault) {
          if (!(fault instanceof Refused) || fault.status !== 403 || key !== undefined) throw fault;
          if (!(await renew())) throw new Refused(401, { detail: SOMEBODY_ELSE(other) });
          if (csrf === before) throw fault;
          return send();
        }
      };
      try {
        return await sendWithSession();
      } catch (fault) {
        if (!(fault instanceof Refused) || fault.problem.code !== "fresh_sign_in_required") throw fault;
        const fresh = await freshSignIn();
        if (fresh === undefined) throw fault;
        csrf = fresh;
        return send();
      }
    },
  };
}

/** The session's cookie goes along by itself; what changes something carries the page's token, which changes with the session. */
function withSession(csrf: () => string): (input: string, init: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const { authorization: _none, ...headers } = init.headers as Record<string, string>;
    const isRead = init.method === "GET";
    const reply = await fetch(input, {
      ...init,
      credentials: "same-origin",
      headers: isRead ? headers : { ...headers, "x-csrf-token": csrf() },
    });
    if (reply.status === 401) dispatchEvent(new Event(SIGNED_OUT));
    return reply;
  };
}

export function holdOf(out: HoldOut): Hold {
  return fromWire("HoldOut", out);
}

export function eventOf(out: EventOut): HoldEvent {
  return fromWire("EventOut", out);
}

export function wordsOf(fault: unknown): string {
  if (fault instanceof Refused || isTerminalError(fault)) return fault.message;
  if (isRetryableError(fault) && fault.code !== "unavailable") return fault.message;
  return "There is no connection to the server.";
}

/** What may not be read, or is not there, is left out. */
export async function found<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (fault) {
    if (fault instanceof Refused && (fault.status === 403 || fault.status === 404)) return undefined;
    throw fault;
  }
}
