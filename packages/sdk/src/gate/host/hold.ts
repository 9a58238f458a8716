/** An approval request as a hold, and back. Pure, so that any `HoldClient` can stand behind the port. */

import type { Hold, Place } from "@holdpoint/protocol/client";
import { defined } from "../defined.ts";
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
  const state = approvalStateOf(hold);
  const execution = hold.claim?.state;
  const { outcome } = hold;
  const approval =
    state === "approved" && outcome?.kind === "decided"
      ? {
          at: outcome.at,
          by: outcome.by.id,
          ...defined({ editedArguments: outcome.data["edited_args"], revokedAt: hold.revoked?.at }),
        }
      : undefined;
  const { id, key = "", digest, uses = 1, claims = 0 } = hold;
  const usesLeft = uses === "unlimited" ? uses : uses - claims;
  return { id, key, state, usesLeft, digest, ...defined({ approval, execution }) };
}
