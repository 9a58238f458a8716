/** The agent, its one tool, and the policy that stands before it. */

import { appendFileSync } from "node:fs";
import type { ApprovalGrant, ToolPolicy } from "@holdpoint/gate";
import { allow, defineAgent, defineTool, findActiveApprovalGrant, requireApproval } from "@holdpoint/gate";

export interface Evidence {
  readonly grants: readonly ApprovalGrant[];
}

interface Refund {
  readonly order: string;
  readonly cents: number;
  readonly iban: string;
}

/** Any schema library that speaks Standard Schema (Zod, Valibot, ArkType) could say this too. */
const parameters = {
  type: "object",
  properties: { order: { type: "string" }, cents: { type: "integer", minimum: 1 }, iban: { type: "string" } },
  required: ["order", "cents", "iban"],
  additionalProperties: false,
} as const;

export function supportAgent(ledgerFile: string) {
  const refund = defineTool({
    name: "refund",
    description: "Pays an order back.",
    parameters,
    execute: (input) => {
      // It has just been checked against the parameters.
      const { order, cents } = input as Refund;
      appendFileSync(ledgerFile, `${order} ${cents}\n`);
      return `order ${order} refunded`;
    },
  });
  return defineAgent<Evidence>({ name: "Support Agent", model: "scripted", tools: [refund] });
}

/** Small refunds are fine; larger ones need evidence that a person approved exactly this one. */
export const toolPolicy: ToolPolicy<Evidence> = ({ parsedArguments, proposalHash, runContext }) => {
  // Not checked yet: a policy sees what the model wrote.
  const { cents } = (parsedArguments ?? {}) as { readonly cents?: unknown };
  if (typeof cents === "number" && cents > 0 && cents <= 1000)
    return allow("small_refund", { metadata: { grant: false } });
  if (findActiveApprovalGrant(proposalHash, runContext.context.grants) !== null)
    return allow("approval_granted");
  return requireApproval("large_refund", {
    publicReason: "Refunds above 10 EUR need a person's approval.",
    policyVersion: "refunds.v1",
  });
};
