/** Whoever guesses too often is told to come back later. */

import type { Context } from "hono";
import type { PageDeps } from "./deps.ts";
import { tooManyTries } from "./words.ts";

export function tooMany(c: Context, retryAfterMs: number, { renderer }: PageDeps): Response {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  const headers = { ...renderer.headers, "retry-after": String(retryAfterSeconds) };
  return c.body(renderer.simple(tooManyTries(retryAfterSeconds)), 429, headers);
}
