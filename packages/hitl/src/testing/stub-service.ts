/** A service that answers as told and remembers what it was asked. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Access, Fetch } from "../agent/access.ts";
import { accessWith } from "../agent/access.ts";

export interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly redirect: string | undefined;
}

export type Reply = Response | Error | ((asked: Asked, signal: AbortSignal | undefined) => Response);

export interface StubService {
  readonly access: Access;
  readonly fetch: Fetch;
  readonly asked: Asked[];
  /** What the next requests to an address get; the last one stays. */
  on(url: string, ...replies: readonly Reply[]): void;
  askedFor(url: string): readonly Asked[];
}

export function stubService(credentials?: Readonly<Record<string, HeadersInit>>): StubService {
  const replies = new Map<string, Reply[]>();
  const asked: Asked[] = [];
  const fetch: Fetch = async (url, init = {}) => {
    const one: Asked = {
      url,
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? init.body : undefined,
      redirect: init.redirect,
    };
    asked.push(one);
    init.signal?.throwIfAborted();
    const waiting = replies.get(url) ?? [];
    const reply = waiting.length > 1 ? waiting.shift() : waiting[0];
    if (reply === undefined) throw new TypeError(`Nobody answers at ${url}`);
    if (reply instanceof Error) throw reply;
    return typeof reply === "function" ? reply(one, init.signal ?? undefined) : reply.clone();
  };
  return {
    fetch,
    access: accessWith({ fetch, ...(credentials === undefined ? {} : { credentials }) }),
    asked,
    on: (url, ...given) => {
      replies.set(url, [...given]);
    },
    askedFor: (url) => asked.filter((one) => one.url === url),
  };
}

export function polled(members: JsonObject, headers: HeadersInit = {}): Response {
  const base = {
    case_id: "review_ab12",
    created_at: "2026-03-01T10:00:00Z",
    expires_at: "2026-03-02T10:00:00Z",
  };
  return Response.json({ ...base, ...members }, { headers });
}

export const PENDING: JsonObject = { status: "pending" };
export const COMPLETED: JsonObject = {
  status: "completed",
  completed_at: "2026-03-01T10:05:00Z",
  result: { action: "confirm", data: {} },
};

/** An event stream that a test feeds by hand. */
export function handFedStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let lastEventId: string | null = null;
  let opened = 0;
  const encoder = new TextEncoder();
  const reply = (asked: Asked, signal: AbortSignal | undefined) => {
    opened += 1;
    lastEventId = asked.headers.get("last-event-id");
    const stream = new ReadableStream<Uint8Array>({
      start(own) {
        controller = own;
        signal?.addEventListener("abort", () => {
          try {
            own.error(signal.reason);
          } catch {
            // Already closed by the test.
          }
        });
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  };
  return {
    reply,
    opened: () => opened,
    lastEventId: () => lastEventId,
    send: (text: string) => controller?.enqueue(encoder.encode(text)),
    event: (id: number, event: string, data: Json) =>
      controller?.enqueue(encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
    close: () => controller?.close(),
    fail: () => controller?.error(new Error("connection lost")),
  };
}
