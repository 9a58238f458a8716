/** A `PreToolUse` hook for the Claude Agent SDK that ends the process instead of waiting. */

import { type ClientSource, holdClientOf } from "@holdpoint/protocol/client";
import { callOf, decide, FAILED } from "./decide.ts";
import type { HookMatcher, HookOutput, ToolClient } from "./types.ts";

export interface DeferOptions {
  /** Told which hold the session waits for. Resume the session when the hold has ended. */
  readonly onDefer?: (deferred: { readonly holdId: string; readonly sessionId: string | undefined }) => void;
}

/**
 * Where a person must decide, the session ends with the call deferred. `resume: sessionId` makes the agent call again, and the same call finds
 * the answer. The SDK ignores `defer` when the model calls several tools in one turn, so set `canUseTool: holdpointPermission(hp)` as well:
 * it waits for the same hold. A hook that fails blocks the call.
 *
 * @example
 * ```ts
 * import { deferToHold, holdpointPermission } from "@holdpoint/adapters/claude-agent";
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const waiting: string[] = [];
 * const onDefer = ({ holdId }: { holdId: string }) => void waiting.push(holdId);
 * const options = {
 *   hooks: { PreToolUse: [deferToHold(hp, "Bash|Write|Edit", { onDefer })] },
 *   canUseTool: holdpointPermission(hp),
 * };
 * console.error(options.hooks.PreToolUse.length); // give them to query({ prompt, options })
 * ```
 */
export function deferToHold(
  hp: ClientSource<ToolClient>,
  matcher?: string,
  { onDefer }: DeferOptions = {},
): HookMatcher {
  const hook: HookMatcher["hooks"][number] = async (event, _toolUseID, { signal }) => {
    if (event.hook_event_name !== "PreToolUse") return {};
    const { cwd, session_id: sessionId } = event;
    try {
      const { call, input } = await callOf(event.tool_name, event.tool_input, { cwd, session: sessionId });
      const decision = await decide(holdClientOf(hp), call, input, { signal, waitMs: () => 0 });
      switch (decision.kind) {
        case "denied":
          return said("deny", decision.reason);
        case "pending":
          onDefer?.({ holdId: decision.holdId, sessionId });
          return said("defer", "A person was asked.");
        case "run":
          // What the rules merely allow is left to the agent's own permissions.
          return decision.approved === undefined ? {} : said("allow", decision.approved, decision.input);
      }
    } catch {
      return said("deny", FAILED);
    }
  };
  return { ...(matcher === undefined ? {} : { matcher }), onFailure: "block", hooks: [hook] };
}

function said(
  permissionDecision: "allow" | "deny" | "defer",
  permissionDecisionReason: string,
  updatedInput?: Record<string, unknown>,
): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason,
      ...(updatedInput === undefined ? {} : { updatedInput }),
    },
  };
}
