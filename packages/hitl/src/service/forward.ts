/**
 * Forwards requests with a link's token, because only Holdpoint can check it. The token goes along untouched and is kept nowhere;
 * the service's own key does not, because these doors open to tokens alone.
 */

import { readBody } from "@holdpoint/protocol/http";
import { isObject } from "@holdpoint/protocol/rules";
import { json, refuse } from "./reply.ts";

export interface Holdpoint {
  /** Holdpoint's own address, as people's browsers reach it. */
  readonly url: string;
  /** How this service reaches it; `fetch` unless said otherwise. A server in this process gives its own handler. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

const BODY_BYTES_MAX = 1_048_576;
const REQUEST_HEADERS = [
  "authorization",
  "content-type",
  "accept",
  "accept-language",
  "user-agent",
  "if-none-match",
];
const REPLY_HEADERS = [
  "content-type",
  "cache-control",
  "retry-after",
  "etag",
  "content-security-policy",
  "referrer-policy",
  "x-robots-tag",
  "x-content-type-options",
  "hitl-version",
];

function picked(headers: Headers, names: readonly string[]): Headers {
  const kept = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

/** An address of Holdpoint as it is reached through this service. */
function ownAddress(address: string, from: string, to: string): string {
  const origin = new URL(from).origin;
  const url = new URL(address, origin);
  return url.origin === origin ? `${to}${url.pathname}${url.search}` : address;
}

export interface ForwardOptions {
  readonly holdpoint: Holdpoint;
  /** This service's own base, which replies shall point to. */
  readonly baseUrl: string;
}

async function ownReply(reply: Response, options: ForwardOptions): Promise<Response> {
  const { holdpoint, baseUrl } = options;
  const headers = picked(reply.headers, REPLY_HEADERS);
  const location = reply.headers.get("location");
  if (location !== null) headers.set("location", ownAddress(location, holdpoint.url, baseUrl));
  const isJson = reply.headers.get("content-type")?.includes("json") === true;
  if (reply.status !== 403 || !isJson) return new Response(reply.body, { status: reply.status, headers });
  const body: unknown = await reply.json().catch(() => undefined);
  if (!isObject(body)) return new Response(null, { status: reply.status });
  const link = body["review_url"];
  const own = typeof link === "string" ? { review_url: ownAddress(link, holdpoint.url, baseUrl) } : {};
  return json(403, { ...body, ...own });
}

/** Sends the request to the same path of Holdpoint and gives its reply, with this service's addresses in it. */
export async function forward(request: Request, path: string, options: ForwardOptions): Promise<Response> {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? await readBody(request, BODY_BYTES_MAX) : undefined;
  if (body === "too_large") return refuse("payload_too_large", "The body is too large.");
  const target = new URL(path + new URL(request.url).search, options.holdpoint.url);
  const call = options.holdpoint.fetch ?? ((onward: Request) => fetch(onward));
  const reply = await call(
    new Request(target, {
      method: request.method,
      headers: picked(request.headers, REQUEST_HEADERS),
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    }),
  );
  return ownReply(reply, options);
}

/** A form that a browser posts, rather than an answer that a program sends. */
export function isFormOfBrowser({ headers }: Request): boolean {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
  return (
    isForm.test(headers.get("content-type") ?? "") &&
    (headers.get("accept") ?? "").includes("text/html") &&
    !headers.has("authorization")
  );
}

/** Sends a person's browser to the page itself; with 307 it posts there again what it posted here. */
export function sendToPage(
  request: Request,
  path: string,
  holdpoint: Holdpoint,
  status: 302 | 307 = 302,
): Response {
  const target = new URL(path + new URL(request.url).search, holdpoint.url);
  return new Response(null, {
    status,
    headers: {
      location: target.href,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    },
  });
}
