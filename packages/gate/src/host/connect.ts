/** The gate's host over a Holdpoint server. */

import type { CheckClient, ClientSource, HoldClient, WaitOptions } from "@holdpoint/protocol/client";
import { defined, holdClientOf, isRefusal } from "@holdpoint/protocol/client";
import type { ToolPolicy } from "../policy.ts";
import type { ApprovalTicket } from "./approvals.ts";
import type { HoldTerms } from "./hold-approvals.ts";
import { holdApprovals } from "./hold-approvals.ts";
import type { ApprovalHost, ApprovalHostOptions } from "./host.ts";
import { approvalHost } from "./host.ts";
import { approvalKey } from "./request.ts";
import { type ServerRules, serverRules } from "./server-rules.ts";
import type { ApprovalState } from "./state.ts";

export interface ConnectOptions extends ApprovalHostOptions, HoldTerms {
  /** Every tool call is put before the rules that the server's operator has published; see `RuledApprovals`. */
  readonly rules?: "server";
}

/** With `rules: "server"`. */
export interface RuledApprovals extends ConnectedApprovals {
  /**
   * The server's rules as a policy. A policy of your own comes first: what it denies stays denied, and what it wants approved runs
   * only when it allows it itself.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   *
   * const host = connectApprovals({ scope: "acme", rules: "server" }, new Holdpoint());
   * const { onSuspended, fence } = host;
   * const tools = guard({ refund: async (input: { order: string }) => input.order }, host.toolPolicy(), { onSuspended, fence });
   * ```
   */
  toolPolicy<TContext = unknown>(own?: ToolPolicy<TContext>): ToolPolicy<TContext>;
}

export interface ConnectedApprovals extends ApprovalHost {
  /** The newest request about this operation; its `id` is the hold's. */
  readonly find: (proposalHash: string) => Promise<ApprovalTicket | null>;
  /**
   * Waits until people have decided, or `waitMs` is up. Waiting is only reading (G8): nothing runs because it ends.
   *
   * @returns the state then; `null` when nobody has requested it.
   */
  readonly wait: (proposalHash: string, options?: WaitOptions) => Promise<ApprovalState | null>;
  /** Gives up on purpose what is still pending. */
  readonly dismiss: (proposalHash: string, reason?: string) => Promise<ApprovalState | null>;
  /** Takes an approval back: from then on it is no evidence and cannot be claimed, by this host or any other. */
  readonly revoke: (proposalHash: string) => Promise<ApprovalState | null>;
}

/** Keys of holds have at most 255 characters; a hash takes 64 of them, `gate:` and a colon six. */
const SCOPE_LENGTH_MAX = 185;

/**
 * Connects runs and guards to a Holdpoint server: a blocked proposal becomes one hold, people decide it wherever they
 * like, and `resume` executes it at most once, whichever host comes first.
 *
 * @throws {RangeError} when the scope is too long for a key.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 * import { connectApprovals } from "@holdpoint/gate/host";
 *
 * const host = connectApprovals({ scope: "acme", review: { refund: { risk: "high" } }, timeout: "2d" }, new Holdpoint());
 * ```
 */
export function connectApprovals(
  options: ConnectOptions & { readonly rules: "server" },
  source: ClientSource<HoldClient & CheckClient>,
): RuledApprovals;
export function connectApprovals(options: ConnectOptions, source: ClientSource): ConnectedApprovals;
export function connectApprovals(
  options: ConnectOptions,
  source: ClientSource<HoldClient & Partial<CheckClient>>,
): ConnectedApprovals {
  const holdpoint = holdClientOf(source);
  const { scope, review, grantForMs, now, onOutstanding, rules: from, ...terms } = options;
  if (scope.length > SCOPE_LENGTH_MAX)
    throw new RangeError(`The scope has ${scope.length} characters. Use at most ${SCOPE_LENGTH_MAX}.`);
  const placed = holdApprovals(holdpoint, terms);
  const rules = from === undefined ? undefined : serverRules(checking(holdpoint), scope, placed);
  const approvals = rules?.approvals ?? placed;
  const host = approvalHost(approvals, { scope, ...defined({ review, grantForMs, now, onOutstanding }) });
  const find = (proposalHash: string) => approvals.find(approvalKey(scope, proposalHash));
  const connected: ConnectedApprovals = {
    ...host,
    find,
    wait: async (proposalHash, waitOptions) => {
      const ticket = await find(proposalHash);
      if (ticket?.state === "pending") await holdpoint.wait(ticket.id, waitOptions);
      return await host.state(proposalHash);
    },
    dismiss: async (proposalHash, reason) => {
      const ticket = await find(proposalHash);
      if (ticket?.state === "pending") await cancel(holdpoint, ticket.id, reason);
      return await host.state(proposalHash);
    },
    revoke: async (proposalHash) => {
      const ticket = await find(proposalHash);
      if (ticket !== null) await holdpoint.revoke(ticket.id);
      return await host.state(proposalHash);
    },
  };
  return rules === undefined ? connected : ruled(connected, rules);
}

function ruled(host: ConnectedApprovals, rules: ServerRules): RuledApprovals {
  return {
    ...host,
    toolPolicy: (own) => rules.policy(own, host.grants),
    approved: async (proposal) => {
      await rules.learn(proposal);
      return await host.approved(proposal);
    },
    resume: async (proposal, agent, options) => {
      await rules.learn(proposal);
      return await host.resume(proposal, agent, options);
    },
  };
}

function checking(client: HoldClient & Partial<CheckClient>): HoldClient & CheckClient {
  if (client.check === undefined)
    throw new TypeError("This hold client cannot check tool calls. Use the client of @holdpoint/sdk.");
  return client as HoldClient & CheckClient;
}

/** Who decided in the same moment came first, and that stays (G1). */
async function cancel(holdpoint: HoldClient, holdId: string, reason: string | undefined): Promise<void> {
  try {
    await holdpoint.cancel(holdId, defined({ reason }));
  } catch (error) {
    if (!isRefusal(error, "already_settled") && !isRefusal(error, "hold_expired")) throw error;
  }
}
