/**
 * The parts of the Claude Agent SDK's types that the helpers use, so that the package need not be installed where they are compiled. The
 * full tests compile the helpers against the real ones.
 */

import type { ClaimClient } from "@holdpoint/protocol/client";
import type { RulingClient } from "@holdpoint/protocol/toolcalls";

/** What the helpers need of a hold client. */
export type ToolClient = RulingClient & ClaimClient;

export type PermissionResult =
  | { behavior: "allow"; updatedInput: Record<string, unknown> }
  | { behavior: "deny"; message: string };

export type CanUseTool = (
  tool: string,
  input: Record<string, unknown>,
  options: { readonly signal: AbortSignal; readonly toolUseID?: string },
) => Promise<PermissionResult>;

export interface HookOutput {
  hookSpecificOutput?: {
    hookEventName: "PreToolUse";
    permissionDecision: "allow" | "deny" | "defer";
    permissionDecisionReason: string;
    updatedInput?: Record<string, unknown>;
  };
}

/** An entry of `hooks.PreToolUse`. */
export interface HookMatcher {
  matcher?: string;
  onFailure: "block";
  hooks: ((
    input: HookEvent,
    toolUseID: string | undefined,
    options: { signal: AbortSignal },
  ) => Promise<HookOutput>)[];
}

export interface HookEvent {
  readonly hook_event_name: string;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly cwd?: string;
  readonly session_id?: string;
}
