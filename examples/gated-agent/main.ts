/**
 * An agent that wants to pay a refund, stops for a person, and pays it once.
 *
 *   npm start                                   # a Holdpoint server
 *   npm run ts -- examples/gated-agent/main.ts  # in another terminal
 *
 * Its "model" is a script, so no key of any model provider is needed. Stop it while it waits, kill it, start it again:
 * the refund is paid once or not at all.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/gate";
import { isApprovalRequiredError, run, scriptedProvider } from "@holdpoint/gate";
import { connectApprovals } from "@holdpoint/gate/host";
import { Holdpoint, isTerminalError } from "@holdpoint/sdk";
import { supportAgent, toolPolicy } from "./agent.ts";

const folder = process.env["GATED_AGENT_FOLDER"] ?? ".holdpoint/gated-agent";
mkdirSync(folder, { recursive: true });
const proposalFile = join(folder, "suspended-proposal.json");

const holdpoint = new Holdpoint();
const host = connectApprovals(
  {
    scope: "example",
    timeout: "1d",
    review: {
      refund: {
        risk: "high",
        sensitive: ["iban"],
        effect: () => "Money leaves the account, and cannot be fetched back.",
      },
    },
  },
  holdpoint,
);
const agent = supportAgent(join(folder, "ledger"));
const policies = { toolPolicy };

/** The proposal belongs to us, not to the server: it is what we resume from after a crash. */
function stored(): SuspendedProposal | null {
  return existsSync(proposalFile) ? JSON.parse(readFileSync(proposalFile, "utf8")) : null;
}

async function propose(): Promise<SuspendedProposal> {
  const wanted = { order: "1042", cents: 80_00, iban: "DE02 1203 0000 0000 2020 51" };
  const call = { callId: "call-1", name: "refund", arguments: JSON.stringify(wanted) };
  try {
    await run(agent, "Please refund order 1042.", {
      provider: scriptedProvider([[{ type: "tool_call", ...call }]]),
      context: { grants: [] },
      policies,
      onSuspended: host.onSuspended,
      fence: host.fence,
    });
  } catch (error) {
    if (!isApprovalRequiredError(error)) throw error;
    writeFileSync(proposalFile, JSON.stringify(error.suspendedProposal));
    return error.suspendedProposal;
  }
  throw new Error("The policy was expected to stop this");
}

/** In production people are told through a channel or look into the console; an agent's own key could not do this. */
async function showLink(proposalHash: string): Promise<void> {
  const ticket = await host.find(proposalHash);
  if (ticket === null) return;
  try {
    const { url } = await holdpoint.makeLink(ticket.id);
    console.log(`review ${url}`);
  } catch (error) {
    if (!isTerminalError(error)) throw error;
    console.log("review it in the console");
  }
}

const proposal = stored() ?? (await propose());
const { proposalHash } = proposal;
if ((await host.state(proposalHash)) === "pending") {
  console.log("blocked: a person has to approve this refund");
  await showLink(proposalHash);
}
console.log(`people said: ${await host.wait(proposalHash)}`);

// Nothing has run because of that. Resuming asks the policy again, claims the hold, and executes once.
const context = (grants: readonly ApprovalGrant[]) => ({ grants });
const outcome = await host.resume(proposal, agent, { context, policies });
switch (outcome.kind) {
  case "executed":
    console.log(`executed: ${outcome.output}`);
    break;
  case "claimed_elsewhere":
    console.log(`not executed again: it is ${outcome.execution ?? "taken"}`);
    break;
  case "not_approved":
    rmSync(proposalFile);
    console.log(`not executed: it was ${outcome.state}`);
    break;
  default:
    console.log(`not executed: ${outcome.kind}`);
}
