/** Failures as pages. A failure without a page is written by the face that the address belongs to. */

import type { Code, SimplePage } from "@holdpoint/protocol";
import { failWith, type HttpFailure } from "../http/failure.ts";
import { type Dialect, transportHeaders } from "../http/respond.ts";
import type { Renderer } from "./render.ts";
import { LOCAL_ONLY, SIGN_IN_FAILED, SIGN_IN_NEEDED, tooManyTries, WRONG_LINK } from "./words.ts";

type PageCode = Code | "wrong_link" | "sign_in_failed" | "local_only";

export const pageFailure = failWith<PageCode>;

const PAGES: Partial<Readonly<Record<string, readonly [status: number, page: SimplePage]>>> = {
  wrong_link: [401, WRONG_LINK],
  not_found: [404, WRONG_LINK],
  unauthenticated: [401, SIGN_IN_NEEDED],
  agent_mismatch: [401, SIGN_IN_NEEDED],
  not_allowed: [403, SIGN_IN_NEEDED],
  rate_limited: [429, SIGN_IN_NEEDED],
  sign_in_failed: [401, SIGN_IN_FAILED],
  local_only: [404, LOCAL_ONLY],
} satisfies Partial<Record<PageCode, readonly [number, SimplePage]>>;

export function pageDialect({ simple, headers }: Renderer): Dialect {
  return ({ failure, transport }: HttpFailure) => {
    const found = PAGES[failure.code];
    if (found === undefined) return undefined;
    const { retryAfterMs } = transport;
    const [status, page] = found;
    const shown = retryAfterMs === undefined ? page : tooManyTries(Math.ceil(retryAfterMs / 1000));
    return { status, body: simple(shown), headers: { ...headers, ...transportHeaders(transport, false) } };
  };
}
