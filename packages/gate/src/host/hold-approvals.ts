/**
 * Approval requests as holds on a Holdpoint server: one hold per open request, the server's claim as the fence.
 *
 * The key is looked up before a hold is placed: a card may be drawn differently by now (another policy version, other
 * notes), and placing it again under its key would be refused as another question.
 */

import type { ClientSource, Hold, HoldClient, Place } from "@holdpoint/protocol/client";
import { defined, holdClientOf, isRefusal } from "@holdpoint/protocol/client";
import type { Approvals, ApprovalTicket } from "./approvals.ts";
import { isLive } from "./approvals.ts";
import { placeOf, ticketOf } from "./hold.ts";

/** How holds are placed and claimed besides what the proposal says. */
export interface HoldTerms
  extends Pick<Place, "timeout" | "ladder" | "remindAt" | "answerers" | "threadId" | "intentId"> {
  /** How long an execution may take before nobody knows whether it ran; the server's default when absent. */
  readonly lease?: string;
}

/** Each lap means that somebody else opened or settled a hold under the same key meanwhile. */
const LAPS_MAX = 20;

/** Keeps approval requests as holds on the server of this client. */
export function holdApprovals(source: ClientSource, { lease, ...terms }: HoldTerms = {}): Approvals {
  const client = holdClientOf(source);
  const newest = async (key: string): Promise<Hold | null> => {
    const { holds } = await client.list({ key });
    const [hold] = holds;
    return hold !== undefined && isRequest(hold, key) ? hold : null;
  };
  const ticket = (hold: Hold, key: string): ApprovalTicket => ({ ...ticketOf(hold), key });
  return {
    find: async (key) => {
      const hold = await newest(key);
      return hold === null ? null : ticket(hold, key);
    },
    request: async (request) => {
      const { key } = request;
      let last = await newest(key);
      for (let lap = 0; lap < LAPS_MAX; lap += 1) {
        if (last !== null && isLive(ticketOf(last), request)) return ticket(last, key);
        last = await placeNext(client, { ...terms, ...placeOf(request) }, last, newest);
      }
      throw new Error(
        `Every hold under the key ${key} was settled before this request could join it. Try again.`,
      );
    },
    claim: async ({ id, digest = "" }) => {
      try {
        const claim = await client.claim(id, { digest, ...defined({ lease }) });
        return { kind: "claimed", claimId: claim.id };
      } catch (error) {
        if (!CLAIM_REFUSALS.some((code) => isRefusal(error, code))) throw error;
        const { claim } = await client.get(id);
        return { kind: "refused", ...defined({ execution: claim?.state }) };
      }
    },
    report: async ({ id }, claimId, report) => {
      await client.finishClaim(id, claimId, report);
    },
  };
}

const CLAIM_REFUSALS = ["claim_taken", "claim_unknown", "not_claimable", "digest_mismatch"] as const;

/** The hold that is there afterwards: ours, or one that somebody else has opened in the same moment. */
async function placeNext(
  client: HoldClient,
  place: Place & { readonly key: string },
  last: Hold | null,
  newest: (key: string) => Promise<Hold | null>,
): Promise<Hold> {
  try {
    return await client.place({ ...place, ...defined({ after: last?.id }) });
  } catch (error) {
    const isRaced = isRefusal(error, "key_reused") || isRefusal(error, "after_not_settled");
    const found = isRaced ? await newest(place.key) : null;
    if (found === null || found.id === last?.id) throw error;
    return found;
  }
}

/**
 * Whether the hold under a request's key is one: whatever else somebody has placed under that key, or with a link in an
 * agent's hands (G7), is no evidence.
 */
function isRequest(hold: Hold, key: string): boolean {
  if (hold.erasedAt !== undefined) return true;
  const hash = hold.context?.["proposal_hash"];
  return hold.type === "approval" && hold.links === "server" && hash === key.slice(key.lastIndexOf(":") + 1);
}
