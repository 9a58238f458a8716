/** Executing under a claim: nobody runs what another has claimed, and the end is told. */

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

export async function executeClaimed(
  approvals: Approvals,
  ticket: ApprovalTicket,
  proceed: () => Promise<void>,
): Promise<void> {
  const claim = await approvals.claim(ticket);
  if (claim.kind === "refused") throw new ClaimRefusedError(ticket, claim.execution);
  const report = (told: ExecutionReport) => tell(approvals, ticket, claim.claimId, told);
  try {
    await proceed();
  } catch (error) {
    await report({ ok: false, detail: { error: errorNote(error).errorName } });
    throw error;
  }
  await report({ ok: true });
}

/** An unreported end shows as unknown, which is true; failing the call as well would deny what has happened. */
async function tell(
  approvals: Approvals,
  ticket: ApprovalTicket,
  claimId: string,
  report: ExecutionReport,
): Promise<void> {
  try {
    await approvals.report(ticket, claimId, report);
  } catch {
    return;
  }
}
