/** The agent, its one tool, and the policy that stands before it. */

import { appendFileSync } from "node:fs";
import type { ApprovalGrant, ToolPolicy } from "@holdpoint/sdk/gate";
import {
  allow,
  defineAgent,
  defineTool,
  findActiveApprovalGrant,
  requireApproval,
} from "@holdpoint/sdk/gate";
import { z } from "zod";

export interface Evidence {
  readonly grants: readonly ApprovalGrant[];
}

const Refund = z.object({ order: z.string(), cents: z.int().positive(), iban: z.string() });

export function supportAgent(ledgerFile: string) {
  const refund = defineTool({
    name: "refund",
    description: "Pays an order back.",
    parameters: Refund,
    execute: ({ order, cents }) => {
      appendFileSync(ledgerFile, `${order} ${cents}\n`);
      return `order ${order} refunded`;
    },
  });
  return defineAgent<Evidence>({ name: "Support Agent", model: "scripted", tools: [refund] });
}

/** Small refunds are fine; larger ones need evidence that a person approved exactly this one. */
export const toolPolicy: ToolPolicy<Evidence> = ({ parsedArguments, proposalHash, runContext }) => {
  const asked = Refund.safeParse(parsedArguments);
  if (asked.success && asked.data.cents <= 1000) return allow("small_refund", { metadata: { grant: false } });
  if (findActiveApprovalGrant(proposalHash, runContext.context.grants) !== null)
    return allow("approval_granted");
  return requireApproval("large_refund", {
    publicReason: "Refunds above 10 EUR need a person's approval.",
    policyVersion: "refunds.v1",
  });
};
