/** An approval request as a hold, and back. Pure, so that any `HoldClient` can stand behind the port. */

import type { Decided, Hold, Place } from "@holdpoint/protocol/client";
import { defined } from "@holdpoint/protocol/client";
import { canonicalProposalJson } from "@holdpoint/protocol/proposal";
import { changesOf } from "@holdpoint/protocol/rules";
import type { ApprovalRequest, ApprovalTicket } from "./approvals.ts";
import { approvalStateOf } from "./state.ts";

/**
 * The hold to place for a request. People get their links through channels or the console: an agent with a link could
 * decide for itself (G7).
 *
 * @example
 * ```ts
 * const hold = await client.place(placeOf(request));
 * ```
 */
export function placeOf(request: ApprovalRequest): Place & { readonly key: string } {
  const { key, prompt, card, argumentsSchema, uses, reference } = request;
  return {
    key,
    type: "approval",
    prompt,
    context: card,
    uses,
    links: "server",
    metadata: reference,
    ...defined({ responseSchema: argumentsSchema }),
  };
}

/**
 * What a hold means to the gate. Only a person's `approve` makes an approval; a default that applied when nobody
 * answered never does.
 *
 * @example
 * ```ts
 * const ticket = ticketOf(await client.get(holdId));
 * ```
 */
export function ticketOf(hold: Hold): ApprovalTicket {
  const state = isRewritten(hold) ? "rejected" : approvalStateOf(hold);
  const execution = hold.claim?.state;
  const { outcome } = hold;
  const approval =
    state === "approved" && outcome?.kind === "decided"
      ? {
          at: outcome.at,
          by: outcome.by.id,
          ...defined({ editedArguments: editedArguments(hold, outcome), revokedAt: hold.revoked?.at }),
        }
      : undefined;
  const { id, key = "", digest, uses = 1, claims = 0 } = hold;
  const usesLeft = uses === "unlimited" ? uses : uses - claims;
  return { id, key, state, usesLeft, digest, ...defined({ approval, execution }) };
}

/**
 * A handoff's payload is not a reviewer's to write, and of `edits` nobody says how they belong to the arguments: who approved something
 * else than can be run has not approved this (G14).
 */
function isRewritten(hold: Hold): boolean {
  const { context, outcome } = hold;
  if (outcome?.kind !== "decided") return false;
  const isHandoff = context?.["kind"] === "handoff";
  return changesOf(hold, outcome).some(({ member }) => isHandoff || member !== "edited_args");
}

/** A page may send the arguments along untouched; who left everything as it was shown has edited nothing. */
function editedArguments({ context }: Hold, { data }: Decided): unknown {
  const edited = data["edited_args"];
  if (edited === undefined) return undefined;
  return canonicalProposalJson(edited) === canonicalProposalJson(context?.["arguments"]) ? undefined : edited;
}
