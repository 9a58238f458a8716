/** For Express and everything else that speaks Node's own requests and responses. */

import { isObject } from "@holdpoint/protocol/rules";
import type { HitlService } from "./service.ts";

/** As much of a request as is needed, so that Express need not be installed. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Before any router took its part off. */
  readonly originalUrl?: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Filled where a body parser came first. */
  readonly body?: unknown;
  /** Whether somebody has read the request to its end. */
  readonly readableEnded?: boolean;
}

export interface NodeResponse {
  statusCode: number;
  readonly writableEnded: boolean;
  setHeader(name: string, value: string): unknown;
  flushHeaders(): void;
  write(piece: Uint8Array): boolean;
  end(): unknown;
  once(event: "drain" | "close", listener: () => void): unknown;
}

function headersOf(request: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one);
  }
  return headers;
}

/** Reads nothing before it is asked to: a request that turns out to be the author's must reach them whole. */
function streamOf(request: NodeRequest): ReadableStream<Uint8Array> {
  let pieces: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        pieces ??= request[Symbol.asyncIterator]();
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Parsers up to Express 4 leave `{}` behind for every kind of body that they do not read. */
function isUnread({ body, readableEnded }: NodeRequest): boolean {
  if (body === undefined) return true;
  return isObject(body) && Object.keys(body).length === 0 && readableEnded === false;
}

/** A body parser may have come first; then the stream is empty and the body is what it left. */
function bodyOf(request: NodeRequest): BodyInit {
  const { body } = request;
  if (isUnread(request)) return streamOf(request);
  if (typeof body === "string" || body instanceof Uint8Array) return body as BodyInit;
  const isForm = String(request.headers["content-type"]).startsWith("application/x-www-form-urlencoded");
  return isForm ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body);
}

/** The same request as the web's own kind. The origin only completes the address; nothing is decided by it. */
export function toRequest(request: NodeRequest, origin: string, signal?: AbortSignal): Request {
  const method = request.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(request.originalUrl ?? request.url ?? "/", origin), {
    method,
    headers: headersOf(request),
    ...(signal === undefined ? {} : { signal }),
    ...(hasBody ? { body: bodyOf(request), duplex: "half" } : {}),
  } as RequestInit);
}

/** Writes a response, piece by piece, and stops reading it when the client goes away. */
export async function sendResponse(response: Response, to: NodeResponse): Promise<void> {
  to.statusCode = response.status;
  response.headers.forEach((value, name) => {
    to.setHeader(name, value);
  });
  // A stream may have nothing to say for a while, but its listener must know that it is one.
  to.flushHeaders();
  const reader = response.body?.getReader();
  to.once("close", () => void reader?.cancel().catch(() => undefined));
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done || to.writableEnded) break;
    if (!to.write(value)) await new Promise<void>((resolve) => to.once("drain", resolve));
  }
  to.end();
}

/** `app.use(expressHitl(service))`, before or after a body parser. */
export function expressHitl(service: Pick<HitlService, "handle">, origin = "http://localhost") {
  return async (
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    try {
      const stop = new AbortController();
      response.once("close", () => stop.abort());
      const handled = await service.handle(toRequest(request, origin, stop.signal));
      if (handled === undefined) next();
      else await sendResponse(handled, response);
    } catch (error) {
      next(error);
    }
  };
}
