/** Pages for people: how one is declared, and what it is sent with. */

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

/** An operation that is not part of the API: nothing describes it, and it replies in the form that a browser wants. */
export function page<const P extends Page>(declared: P): Omit<typeof PAGE, keyof P> & P {
  return { ...PAGE, ...declared };
}

/** No script at all, styles and forms from here only, never inside another page. */
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
