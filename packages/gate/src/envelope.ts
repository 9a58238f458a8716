/** What the model sees of a call: the same four members whether it ran, was denied, or waits for a person. */

import type { PolicyResult } from "./policy.ts";

export interface OkEnvelope {
  readonly status: "ok";
  readonly code: null;
  readonly publicReason: null;
  readonly data: unknown;
}

export interface BlockedEnvelope {
  readonly status: "denied" | "approval_required";
  readonly code: string;
  readonly publicReason: string;
  readonly data: null;
}

export type ToolResultEnvelope = OkEnvelope | BlockedEnvelope;

export function okEnvelope(data: unknown): OkEnvelope {
  return { status: "ok", code: null, publicReason: null, data };
}

/** Metadata, policy version and expiry stay behind: they are audit data. */
export function blockedEnvelope(result: PolicyResult): BlockedEnvelope {
  const waits = result.decision === "require_approval";
  const text = result.publicReason?.trim() ?? "";
  const fallback = waits ? "Action requires approval." : "Action not allowed.";
  return {
    status: waits ? "approval_required" : "denied",
    code: result.reason,
    publicReason: text === "" ? fallback : text,
    data: null,
  };
}

/** Whether a value is an envelope of any status, for readers of recorded items. */
export function isToolResultEnvelope(value: unknown): value is ToolResultEnvelope {
  if (typeof value !== "object" || value === null) return false;
  const status = "status" in value ? value.status : undefined;
  return (
    (status === "ok" || status === "denied" || status === "approval_required") &&
    "code" in value &&
    "publicReason" in value &&
    "data" in value
  );
}
