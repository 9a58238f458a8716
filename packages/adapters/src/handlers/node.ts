/** A fetch-style handler for Express and for `node:http`. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { FetchHandler } from "./doorbell.ts";

/** A body parser that ran before leaves what it read here. Only raw bytes can be checked: `express.raw()`. */
interface MaybeParsed extends IncomingMessage {
  readonly body?: unknown;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;

export interface NodeHandlerOptions {
  /** Told when the handler throws and nobody gave a `next`. Printed on the console when absent. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Never rejects: under `node:http` and Express 4 nobody listens to the promise, and a request could end the process. A request that is
 * none gets 400; when the handler throws, the error goes to `next` as Express gives it, otherwise to `onError`, and the caller gets 500.
 *
 * @example
 * ```ts
 * import { type FetchHandler, toNode } from "@holdpoint/adapters/handlers";
 * import express from "express";
 *
 * export function serve(handler: FetchHandler): void {
 *   express().post("/holdpoint", toNode(handler)).listen(3000);
 * }
 * ```
 */
export function toNode(
  handler: FetchHandler,
  { onError = (error) => console.error(error) }: NodeHandlerOptions = {},
): (request: IncomingMessage, reply: ServerResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, reply, next) => {
    const read = await requestOf(request).catch((): Unreadable => ({ status: 400, error: "bad_request" }));
    if (typeof read === "object" && "error" in read) return refuse(reply, read);
    try {
      if (read === "parsed") throw new TypeError(PARSED);
      const response = await handler(read);
      const body = Buffer.from(await response.arrayBuffer());
      reply.writeHead(response.status, Object.fromEntries(response.headers));
      reply.end(body);
    } catch (error) {
      if (next !== undefined) return next(error);
      refuse(reply, { status: 500, error: "internal" });
      try {
        onError(error);
      } catch {
        // The caller was answered, and there is nobody else to tell.
      }
    }
  };
}

interface Unreadable {
  readonly status: number;
  readonly error: string;
}

function refuse(reply: ServerResponse, { status, error }: Unreadable): void {
  // Half a reply cannot be taken back; a caller that went away gets none.
  if (reply.headersSent || reply.destroyed) reply.destroy();
  else reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}

/** Throws when the caller went away, or when address or method are none that a `Request` takes. */
async function requestOf(request: IncomingMessage): Promise<Request | "parsed" | Unreadable> {
  const body = await bodyOf(request);
  if (body === "parsed") return body;
  if (body === "too_large") return { status: 413, error: body };
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
  );
  const { method = "GET", url = "/" } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const given = hasBody ? { method, headers, body: body as Uint8Array<ArrayBuffer> } : { method, headers };
  // Not resolved against a base: two slashes at the start would name another host.
  return new Request(url.startsWith("/") ? `http://localhost${url}` : url, given);
}

const PARSED =
  "A body parser has read the request before, so that its signature cannot be checked. Mount the handler before express.json(), or use express.raw({ type: '*/*' }) for it.";

async function bodyOf(request: MaybeParsed): Promise<Uint8Array | "parsed" | "too_large"> {
  if (request.body instanceof Uint8Array) return request.body;
  if (request.body !== undefined) return "parsed";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return "too_large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
