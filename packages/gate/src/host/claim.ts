/** Executing under a claim: nobody runs what another has claimed, and the end is told. */

import { type OutstandingReport, runClaimed, warnOutstanding } from "@holdpoint/protocol/client";
import { errorNote, ToolCallFencedError } from "../errors.ts";
import type { Approvals, ApprovalTicket, Execution, ExecutionReport } from "./approvals.ts";

/** The operation is not approved (any more): its approval was used, has expired or was taken back. */
export class ClaimRefusedError extends ToolCallFencedError {
  override readonly name: string = "ClaimRefusedError";
  readonly execution: Execution | undefined;

  constructor(ticket: ApprovalTicket, execution: Execution | undefined) {
    super(`Request ${ticket.id} is ${ticket.state} and cannot be claimed${used(execution)}`);
    this.execution = execution;
  }
}

function used(execution: Execution | undefined): string {
  return execution === undefined ? "" : `; its execution is ${execution}`;
}

/**
 * Runs `proceed` under the claim (O1) and throws what it threw. A report that cannot be delivered leaves the execution `unknown`, and
 * `onOutstanding` is told of it (O2).
 */
export async function executeClaimed(
  approvals: Approvals,
  ticket: ApprovalTicket,
  proceed: () => Promise<void>,
  onOutstanding: (report: OutstandingReport) => void = warnOutstanding(ticket.id),
): Promise<void> {
  const claim = await approvals.claim(ticket);
  if (claim.kind === "refused") throw new ClaimRefusedError(ticket, claim.execution);
  const report = (told: ExecutionReport) => approvals.report(ticket, claim.claimId, told);
  const describe = (error: unknown) => ({ error: errorNote(error).errorName });
  const attempt = await runClaimed(proceed, (told) => report(told as ExecutionReport), { describe });
  if (attempt.kind === "failed") throw attempt.error;
  if (attempt.outstanding !== undefined) onOutstanding(attempt.outstanding);
}
