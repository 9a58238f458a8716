/** A gated agent: a large refund needs an approval of exactly this proposal, and runs under a claim, once. */

import { isTerminalError, runOnce } from "@holdpoint/protocol/client";
import { createToolProposalFingerprint, type ToolCard } from "@holdpoint/protocol/proposal";
import type { DemoAgent } from "./agent.ts";

const AGENT = "Support";
const TOOL = "refund";
const WANTED = {
  order: "A-10482",
  customer: "Mara Lindqvist",
  amount: "79.90 EUR",
  reason: "Arrived broken",
};

export const refund: DemoAgent = {
  name: "refund agent",
  speaks: "the gate",
  async ask({ hp, run }) {
    const { proposalHash } = createToolProposalFingerprint({
      agentName: AGENT,
      toolName: TOOL,
      parsedArguments: WANTED,
    });
    const card: ToolCard = {
      ...{ kind: "tool", agent: AGENT, tool: TOOL, arguments: WANTED, proposal_hash: proposalHash },
      ...{ effect: "Money leaves the account.", risk: "high", policy_version: "refunds.v1" },
    };
    const hold = await hp.place({
      key: `gate:demo-${run}:${proposalHash}`,
      type: "approval",
      prompt: "Refunds above 10 EUR need a person's approval.",
      context: card,
      uses: 1,
      links: "server",
      timeout: "2h",
    });
    let payments = 0;
    return {
      hold,
      async goOn() {
        await hp.wait(hold.id);
        try {
          await runOnce(hp, hold.id, () => {
            payments += 1;
          });
        } catch (error) {
          if (isTerminalError(error)) return `paid nothing: ${error.code}`;
          throw error;
        }
        return `paid 79.90 EUR, ${payments === 1 ? "once" : `${payments} times`}, and reported it`;
      },
    };
  },
};
