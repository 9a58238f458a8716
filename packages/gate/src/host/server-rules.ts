/**
 * The server's rules as a tool policy: every call is put before them by a check.
 *
 * S1  What the gate's own policy denies stays denied, and the server is not even asked.
 * S2  What the own policy wants approved stays blocked until the own policy itself allows it; rules and approvals are evidence for it.
 * S3  The check places the hold, so people are asked once; a call that people approved runs under a claim of that hold.
 * S4  A check that fails is a denied call, as with any policy that throws.
 */

import type { Check, CheckClient, Hold, HoldClient } from "@holdpoint/protocol/client";
import { defined } from "@holdpoint/protocol/client";
import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/protocol/proposal";
import { canonicalProposalJson } from "@holdpoint/protocol/proposal";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { evaluatePolicy } from "../evaluate.ts";
import type { PolicyResult, PolicyResultOptions, ToolPolicy, ToolPolicyInput } from "../policy.ts";
import { allow, deny, requireApproval } from "../policy.ts";
import type { Approvals } from "./approvals.ts";
import { ticketOf } from "./hold.ts";
import { approvalKey } from "./request.ts";

export interface ServerRules {
  /** The port with the holds that checks have placed; other requests go to the port underneath. */
  readonly approvals: Approvals;
  /** Finds the hold that a stored proposal names, in a process that did not check it. */
  learn(proposal: SuspendedProposal): Promise<void>;
  policy<TContext>(own: ToolPolicy<TContext> | undefined, grants: Grants): ToolPolicy<TContext>;
}

type Grants = (proposalHash: string) => Promise<readonly ApprovalGrant[]>;

/** Holds of calls that were checked longest ago are forgotten first; their proposals name them. */
const KNOWN_MAX = 10_000;

export function serverRules(client: HoldClient & CheckClient, scope: string, base: Approvals): ServerRules {
  const holdIds = new Map<string, string>();
  const remember = (proposalHash: string, holdId: string | undefined) => {
    holdIds.delete(proposalHash);
    if (holdId === undefined) return;
    holdIds.set(proposalHash, holdId);
    const [oldest] = holdIds.keys();
    if (holdIds.size > KNOWN_MAX && oldest !== undefined) holdIds.delete(oldest);
  };
  const known = async (key: string) => {
    const holdId = holdIds.get(key.slice(key.lastIndexOf(":") + 1));
    return holdId === undefined ? null : { ...ticketOf(await client.get(holdId)), key };
  };
  return {
    approvals: {
      ...base,
      find: async (key) => (await known(key)) ?? (await base.find(key)),
      request: async (request) => (await known(request.key)) ?? (await base.request(request)),
    },
    learn: async (proposal) => {
      const holdId = proposal.metadata?.["hold_id"];
      if (typeof holdId !== "string" || holdIds.has(proposal.proposalHash)) return;
      // A stored proposal may have been changed: the hold must be about the same call.
      if (isAbout(await client.get(holdId), proposal)) remember(proposal.proposalHash, holdId);
    },
    policy: (own, grants) => async (input) => {
      const { proposalHash, toolName: tool } = input;
      const result = own && (await evaluatePolicy(() => own(input)));
      if (result?.decision === "deny") return result;
      const [grant] = await grants(proposalHash);
      // People approved these arguments instead of others: the claim puts them before the rules again.
      if (grant?.metadata?.["edited_from"] !== undefined) return result ?? allow("approved_with_changes");
      const local = result?.decision === "require_approval" ? localRules(result) : {};
      const key = approvalKey(scope, proposalHash);
      const check = await client.check({ tool, args: argumentsOf(input), key, ...local });
      remember(proposalHash, check.hold?.id);
      return combined(check, result);
    },
  };
}

/** A server that keeps the check's own "ask" places the hold that the own policy wants. */
function localRules({ policyVersion = "gate" }: PolicyResult) {
  return { localRules: { digest: policyVersion.slice(0, 200), verdict: "ask" as const } };
}

function combined(check: Check, own: PolicyResult | undefined): PolicyResult {
  const { verdict, reason, rulesVersion, id, hold } = check;
  const told: PolicyResultOptions = {
    publicReason: reason,
    policyVersion: `rules.v${rulesVersion}`,
    // Without a hold there is nothing to claim: the rules allow the call for everybody.
    metadata: { check_id: id, ...(hold === undefined ? { grant: false } : { hold_id: hold.id }) },
  };
  if (verdict === "deny") return deny("denied_by_rules", told);
  if (own?.decision === "require_approval")
    return { ...own, metadata: { ...own.metadata, ...defined({ hold_id: hold?.id }) } };
  if (verdict === "ask") return requireApproval("rules_ask_a_person", told);
  const isChanged = hold !== undefined && ticketOf(hold).approval?.editedArguments !== undefined;
  return isChanged ? requireApproval("approved_with_changes", told) : allow("allowed_by_rules", told);
}

/** Functions that take several arguments propose them as a list; rules look at named arguments. */
function argumentsOf({ parsedArguments }: Pick<ToolPolicyInput, "parsedArguments">): JsonObject {
  const isNamed =
    typeof parsedArguments === "object" && parsedArguments !== null && !Array.isArray(parsedArguments);
  return (isNamed ? parsedArguments : { arguments: parsedArguments }) as JsonObject;
}

function isAbout({ type, links, context }: Hold, proposal: SuspendedProposal): boolean {
  if (proposal.kind !== "tool" || type !== "approval" || links !== "server") return false;
  const asked = canonicalProposalJson(argumentsOf(proposal));
  return context?.["tool"] === proposal.toolName && canonicalProposalJson(context?.["arguments"]) === asked;
}
