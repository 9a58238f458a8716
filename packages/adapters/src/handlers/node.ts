/** A fetch-style handler for Express and for `node:http`. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { FetchHandler } from "./doorbell.ts";

/** A body parser that ran before leaves what it read here. Only raw bytes can be checked: `express.raw()`. */
interface MaybeParsed extends IncomingMessage {
  readonly body?: unknown;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;

/**
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
): (request: IncomingMessage, reply: ServerResponse) => Promise<void> {
  return async (request, reply) => {
    const body = await bodyOf(request);
    if (typeof body === "string") {
      reply.writeHead(body === "parsed" ? 500 : 413, { "content-type": "application/json" });
      reply.end(JSON.stringify({ error: body === "parsed" ? "internal" : "too_large" }));
      if (body === "parsed") throw new TypeError(PARSED);
      return;
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
    );
    const method = request.method ?? "GET";
    const hasBody = method !== "GET" && method !== "HEAD";
    const url = new URL(request.url ?? "/", "http://localhost");
    const given = hasBody ? { method, headers, body: body as Uint8Array<ArrayBuffer> } : { method, headers };
    const response = await handler(new Request(url, given));
    reply.writeHead(response.status, Object.fromEntries(response.headers));
    reply.end(Buffer.from(await response.arrayBuffer()));
  };
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
