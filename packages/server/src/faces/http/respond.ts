/** Replies, and a face's dialect: how it writes failures. */

import { docsUrl, ERROR_CODES, isCode } from "@holdpoint/protocol";
import type { HttpFailure, Transport } from "./failure.ts";

export interface HttpReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes a failure in the shape of one protocol; `undefined` leaves it to another face's dialect. */
export type Dialect = (thrown: HttpFailure) => HttpReply | undefined;

export function transportHeaders(
  { retryAfterMs, allow, challenge, hangsUp }: Transport,
  isChallenge: boolean,
): Record<string, string> {
  return {
    ...(retryAfterMs === undefined
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }),
    ...(allow === undefined ? {} : { allow }),
    ...(isChallenge || challenge !== undefined ? { "www-authenticate": challenge ?? "Bearer" } : {}),
    ...(hangsUp === true ? { connection: "close" } : {}),
  };
}

/** RFC 9457, with the codes of the native API. */
export function problemDetails({ failure, transport }: HttpFailure): HttpReply {
  const { message, problems, detail } = failure;
  const code = isCode(failure.code) ? failure.code : "internal";
  const { status, title } = ERROR_CODES[code];
  return {
    status,
    body: {
      type: docsUrl(code),
      title,
      status,
      code,
      ...(message === "" ? {} : { detail: message }),
      ...(problems === undefined ? {} : { fields: problems }),
      ...detail,
    },
    headers: {
      "content-type": "application/problem+json",
      ...transportHeaders(transport, code === "unauthenticated"),
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/** The headers of every reply of an operation, with and without a body. They are made once and shared by its replies. */
export interface ReplyDefaults {
  readonly bare: Headers;
  readonly json: Headers;
}

export function replyDefaults(always: Headers = {}): ReplyDefaults {
  return { bare: always, json: { "content-type": "application/json", ...always } };
}

/** Headers are a plain object, because a `Headers` object costs more than the rest of the reply. */
export function send({ status, body, headers }: HttpReply, { bare, json }: ReplyDefaults): Response {
  if (body === undefined)
    return new Response(null, { status, headers: headers === undefined ? bare : { ...bare, ...headers } });
  const sent = typeof body === "string" || body instanceof ReadableStream ? body : JSON.stringify(body);
  return new Response(sent, { status, headers: headers === undefined ? json : { ...json, ...headers } });
}

/** Default headers of every reply. HSTS is sent only if the public address is https. */
export function defaultHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

export function withDefaults(response: Response, defaults: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(defaults))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
