/** `canUseTool` for the Claude Agent SDK. */

import { type ClientSource, defined, holdClientOf } from "@holdpoint/protocol/client";
import { callOf, decide, FAILED, PENDING } from "./decide.ts";
import type { CanUseTool, PermissionResult, ToolClient } from "./types.ts";

export interface PermissionOptions {
  /** How long to wait for a person; absent: as long as it takes. */
  readonly waitMs?: number;
  /**
   * The folder in which the agent works, as its `cwd` option has it; absent: the one of this process, as for the SDK. People see it, and the
   * Git repository that it is in; it tells equal commands apart.
   */
  readonly cwd?: string;
  /** For rules that ask once per session. */
  readonly session?: string;
}

/**
 * Asks the rules, and people where the rules say so, before the agent uses a tool. Whatever goes wrong denies the call.
 *
 * @example
 * ```ts
 * import { holdpointPermission } from "@holdpoint/adapters/claude-agent";
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const options = { canUseTool: holdpointPermission(hp) };
 * console.error(typeof options.canUseTool); // give it to query({ prompt, options })
 * ```
 */
export function holdpointPermission(
  hp: ClientSource<ToolClient>,
  { waitMs, cwd = globalThis.process?.cwd?.(), session }: PermissionOptions = {},
): CanUseTool {
  return async (tool, given, { signal }): Promise<PermissionResult> => {
    try {
      const { call, input } = await callOf(tool, given, defined({ cwd, session }));
      const wait = waitMs === undefined ? {} : { waitMs: () => waitMs };
      const decision = await decide(holdClientOf(hp), call, input, { signal, ...wait });
      if (decision.kind === "run") return { behavior: "allow", updatedInput: decision.input };
      return { behavior: "deny", message: decision.kind === "denied" ? decision.reason : PENDING };
    } catch {
      return { behavior: "deny", message: FAILED };
    }
  };
}
