/** Parts that several operations share. */

import { defineOperation, type Operation } from "@holdpoint/protocol";
import type * as z from "zod";
import type { IntentError } from "../errors.ts";

export const CALLER = ["unauthenticated", "agent_mismatch", "not_allowed"] as const satisfies IntentError[];
export const FOUND = [...CALLER, "not_found"] as const satisfies IntentError[];
export const BODY = [
  "invalid_json",
  "invalid_request",
  "too_large",
  "unsupported_media_type",
] as const satisfies IntentError[];
/** Errors of a write that names the version it is based on. */
export const VERSIONED = ["if_match_required", "version_conflict"] as const satisfies IntentError[];

type Declared = Omit<Operation<IntentError>, "security">;

/** An operation of this face: it needs a key and has a path under the canonical prefix. */
export function operation<const Op extends Declared>(declared: Op): Op & { readonly security: "key" } {
  return defineOperation({ ...declared, security: "key" });
}

type Reading = Pick<Declared, "id" | "path" | "tag" | "summary" | "params" | "query"> & {
  readonly reply: z.ZodType;
};

type ReadOperation<R extends Reading> = Omit<R, "reply"> & {
  readonly method: "GET";
  readonly security: "key";
  readonly replies: { readonly 200: R["reply"] };
  readonly errors: readonly IntentError[];
};

/** An operation that reads one thing or a list. Without a path parameter there is nothing that could be missing. */
export function reading<const R extends Reading>({ reply, ...rest }: R): ReadOperation<R> {
  const refusals = rest.params === undefined ? CALLER : FOUND;
  const errors: readonly IntentError[] =
    rest.query === undefined ? refusals : [...refusals, "invalid_request"];
  return { ...rest, method: "GET", security: "key", replies: { 200: reply }, errors };
}

export const ROOT = "/api/v1";
export const PORTFOLIO = `${ROOT}/portfolios/{id}`;
export const INTENT = `${ROOT}/intents/{id}`;
