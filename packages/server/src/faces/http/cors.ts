/**
 * Cross-origin requests. Only operations that take a browser token allow them, and only from configured origins. Cookies are never
 * allowed along, so a console session cannot be used from another site.
 */

import type { Operation } from "@holdpoint/protocol";
import type { Context } from "hono";

const PREFLIGHT_SECONDS = 600;
const HEADERS =
  "authorization, content-type, if-match, if-none-match, last-event-id, accept, x-holdpoint-door";
const EXPOSED = "etag, retry-after";

type Headers = Readonly<Record<string, string>>;

/** Headers for the reply to a request that may come from another origin; `undefined`: it may not. */
export function corsHeaders(
  c: Context,
  operation: Operation,
  origins: readonly string[],
): Headers | undefined {
  if (operation.browser !== true || origins.length === 0) return undefined;
  const origin = c.req.header("origin");
  if (origin === undefined || !origins.includes(origin)) return { vary: "Origin" };
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
}

/** Answers a browser's question whether it may send the request. */
export function preflight(c: Context, methods: readonly string[], origins: readonly string[]): Response {
  const origin = c.req.header("origin");
  const isAllowed = origin !== undefined && origins.includes(origin);
  return new Response(null, {
    status: 204,
    headers: {
      vary: "Origin",
      ...(isAllowed
        ? {
            "access-control-allow-origin": origin,
            "access-control-allow-methods": methods.join(", "),
            "access-control-allow-headers": HEADERS,
            "access-control-max-age": String(PREFLIGHT_SECONDS),
          }
        : {}),
    },
  });
}
