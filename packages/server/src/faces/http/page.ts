/** How a page is declared, and its headers. */

import type { Method, Operation, Security } from "@holdpoint/protocol";
import * as z from "zod";

interface Page {
  readonly id: string;
  readonly path: string;
  readonly method?: Method;
  readonly security?: Security;
  readonly media?: string;
  readonly params?: z.ZodObject;
  readonly body?: z.ZodType;
}

const PAGE = {
  method: "GET",
  security: "none",
  media: "text/html",
  tag: "pages",
  summary: "",
  replies: { 200: z.string() },
  errors: [],
} as const satisfies Partial<Operation>;

/** An operation that is not part of the API: it is not in the OpenAPI document, and it replies with pages. */
export function page<const P extends Page>(declared: P): Omit<typeof PAGE, keyof P> & P {
  return { ...PAGE, ...declared };
}

/** Allows no scripts, styles and forms from this server only, and no framing. */
export const STRICT_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": STRICT_CSP,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
} as const;

export const STYLE_HEADERS = {
  "content-type": "text/css; charset=utf-8",
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
} as const;
