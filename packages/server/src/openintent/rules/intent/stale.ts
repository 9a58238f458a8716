import { type Failure, failure } from "../failure.ts";
import type { Intent } from "./intent.ts";

/** Optimistic locking: of two writers with the same version, the second must read again first. */
export function whyStale(intent: Intent, ifVersion: number | undefined): Failure | null {
  if (ifVersion === undefined || ifVersion === intent.version) return null;
  const detail = { current_version: intent.version };
  return failure("version_conflict", "the intent has changed since you read it", { detail });
}
