/** Replies, and how a face says that something failed: its dialect. */

import { docsUrl, ERROR_CODES, isCode } from "@holdpoint/protocol";
import type { HttpFailure, Transport } from "./failure.ts";

export interface HttpReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A failure in the shape of one protocol. `undefined`: another face's dialect has to say it. */
export type Dialect = (thrown: HttpFailure) => HttpReply | undefined;

export function transportHeaders(
  { retryAfterMs, allow, hangsUp }: Transport,
  isChallenge: boolean,
): Record<string, string> {
  return {
    ...(retryAfterMs === undefined
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }),
    ...(allow === undefined ? {} : { allow }),
    ...(isChallenge ? { "www-authenticate": "Bearer" } : {}),
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

/** Headers keep being plain members: a `Headers` object for each reply would cost more than the reply. */
export function send({ status, body, headers = {} }: HttpReply): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

/** What every reply carries unless it says something better. HSTS only where the server is reached by https. */
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
