/**
 * A host in a process of its own. It keeps its suspended proposal and a list of its tool's executions in a folder, and
 * dies where it is told to: `before-claim`, `after-claim` (the tool has not run), `after-execution` (nobody was told).
 */

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalGrant, ToolPolicy } from "@holdpoint/gate";
import {
  allow,
  defineAgent,
  defineTool,
  findActiveApprovalGrant,
  isApprovalRequiredError,
  requireApproval,
  run,
  scriptedProvider,
} from "@holdpoint/gate";
import { connectApprovals } from "@holdpoint/gate/host";
import { httpHoldClient } from "@holdpoint/protocol/http";

const [folder = ".", work = "propose", dies = "never"] = process.argv.slice(2);
const file = join(folder, "proposal.json");

function dieIf(moment: string): void {
  if (dies === moment) process.kill(process.pid, "SIGKILL");
}

/** The client as it is, but for the moments at which this process may end. */
const doomed = new Proxy(httpHoldClient(), {
  get: (client, name) => {
    const member: unknown = Reflect.get(client, name);
    if (typeof member !== "function") return member;
    return (...given: unknown[]) => {
      if (name === "claim") dieIf("before-claim");
      if (name === "finishClaim") dieIf("after-execution");
      return member.apply(client, given);
    };
  },
});

interface Evidence {
  readonly grants: readonly ApprovalGrant[];
}

const refund = defineTool({
  name: "refund",
  parameters: { type: "object" },
  execute: (input) => {
    dieIf("after-claim");
    appendFileSync(join(folder, "executed"), `${JSON.stringify(input)}\n`);
    return "paid";
  },
});
const agent = defineAgent<Evidence>({ name: "Support Agent", model: "none", tools: [refund] });
const toolPolicy: ToolPolicy<Evidence> = ({ proposalHash, runContext }) =>
  findActiveApprovalGrant(proposalHash, runContext.context.grants) === null
    ? requireApproval("needs_a_person")
    : allow("approval_granted");
const host = connectApprovals({ scope: "acme" }, doomed);

async function propose(): Promise<string> {
  const call = { type: "tool_call", callId: "c1", name: "refund", arguments: '{"order":"7"}' } as const;
  try {
    await run(agent, "Refund order 7", {
      provider: scriptedProvider([[call]]),
      context: { grants: [] },
      policies: { toolPolicy },
      onSuspended: host.onSuspended,
      fence: host.fence,
    });
  } catch (error) {
    if (!isApprovalRequiredError(error)) throw error;
    writeFileSync(file, JSON.stringify(error.suspendedProposal));
    return error.suspendedProposal.proposalHash;
  }
  throw new Error("it was not blocked");
}

async function resume(): Promise<string> {
  const proposal = JSON.parse(readFileSync(file, "utf8"));
  const outcome = await host.resume(proposal, agent, {
    context: (grants) => ({ grants }),
    policies: { toolPolicy },
  });
  return outcome.kind === "claimed_elsewhere" ? `${outcome.kind} ${outcome.execution}` : outcome.kind;
}

if (work === "propose") {
  process.stdout.write(await propose());
} else {
  // Everybody starts at once: on the first word from the parent.
  process.stdout.write("ready\n");
  await new Promise((go) => process.stdin.once("data", go));
  process.stdin.destroy();
  process.stdout.write(await resume());
}
