/**
 * The host's last word before an allowed call runs. A fence can hold back what a policy has allowed, for example because
 * another process has already claimed it; it can never let through what a policy has blocked, for it is not asked then.
 */

import { ToolCallFencedError } from "./errors.ts";
import type { PolicyResult } from "./policy.ts";

/** An allowed call, about to run. */
export interface AllowedCall {
  readonly kind: "tool" | "handoff";
  readonly runId: string;
  readonly turn: number;
  readonly callId: string;
  readonly agentName: string;
  /** The tool, or the agent that would take over. */
  readonly resourceName: string;
  readonly proposalHash: string;
  readonly policyResult: PolicyResult;
}

/**
 * Runs around every allowed call. It must call `proceed` exactly once to let the call run, or throw to stop it.
 *
 * @example
 * ```ts
 * const fence: Fence = async (call, proceed) => {
 *   await ledger.claim(call.proposalHash); // throws when somebody else was first
 *   await proceed();
 * };
 * ```
 */
export type Fence = (call: AllowedCall, proceed: () => Promise<void>) => Promise<void>;

/** The output comes from the call itself; a fence can stop it, not replace it. */
export async function throughFence<Output>(
  fence: Fence | undefined,
  call: AllowedCall,
  execute: () => Output | Promise<Output>,
): Promise<Output> {
  if (fence === undefined) return await execute();
  const calls: Promise<Output>[] = [];
  await fence(call, async () => {
    if (calls.length > 0)
      throw new ToolCallFencedError(
        `The fence called proceed() twice for ${call.resourceName}. Call it once.`,
      );
    calls.push((async () => await execute())());
    await calls[0];
  });
  const [running] = calls;
  if (running === undefined)
    throw new ToolCallFencedError(`The fence did not call proceed(), so ${call.resourceName} did not run`);
  return await running;
}
