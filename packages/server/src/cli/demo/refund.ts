/** A gated agent: its policy refuses a large refund without a grant for exactly this proposal. */

import {
  type ApprovalGrant,
  allow,
  defineAgent,
  defineTool,
  findActiveApprovalGrant,
  isApprovalRequiredError,
  requireApproval,
  run,
  scriptedProvider,
  type ToolPolicy,
} from "@holdpoint/gate";
import { connectApprovals } from "@holdpoint/gate/host";
import type { DemoAgent } from "./agent.ts";

interface Evidence {
  readonly grants: readonly ApprovalGrant[];
}

const toolPolicy: ToolPolicy<Evidence> = ({ proposalHash, runContext }) =>
  findActiveApprovalGrant(proposalHash, runContext.context.grants) === null
    ? requireApproval("large_refund", {
        publicReason: "Refunds above 10 EUR need a person's approval.",
        policyVersion: "refunds.v1",
      })
    : allow("approval_granted");

export const refund: DemoAgent = {
  name: "refund agent",
  speaks: "the gate",
  async ask({ hp, run: demo, now }) {
    const review = { refund: { risk: "high", effect: () => "Money leaves the account." } } as const;
    const host = connectApprovals({ scope: `demo-${demo}`, timeout: "2h", review, now }, hp);
    let payments = 0;
    const tool = defineTool({
      name: "refund",
      description: "Pays an order back.",
      parameters: { type: "object" },
      execute: () => {
        payments += 1;
        return "refunded";
      },
    });
    const agent = defineAgent<Evidence>({ name: "Support", model: "scripted", tools: [tool] });
    const wanted = {
      order: "A-10482",
      customer: "Mara Lindqvist",
      amount: "79.90 EUR",
      reason: "Arrived broken",
    };
    const call = {
      type: "tool_call",
      callId: "call-1",
      name: "refund",
      arguments: JSON.stringify(wanted),
    } as const;
    const proposal = await run(agent, "Please refund order A-10482.", {
      provider: scriptedProvider([[call]]),
      context: { grants: [] },
      policies: { toolPolicy },
      onSuspended: host.onSuspended,
      fence: host.fence,
    }).then(
      () => Promise.reject(new Error("the policy allowed the refund without approval")),
      (error: unknown) => (isApprovalRequiredError(error) ? error.suspendedProposal : Promise.reject(error)),
    );
    const ticket = await host.find(proposal.proposalHash);
    return {
      hold: await hp.get(ticket?.id ?? ""),
      async goOn() {
        const state = await host.wait(proposal.proposalHash);
        if (state !== "approved") return `paid nothing: ${state}`;
        await host.resume(proposal, agent, { context: (grants) => ({ grants }), policies: { toolPolicy } });
        return `paid 79.90 EUR, ${payments === 1 ? "once" : `${payments} times`}, and reported it`;
      },
    };
  },
};
