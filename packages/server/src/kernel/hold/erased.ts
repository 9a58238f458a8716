import type { Vote } from "../decision/decision.ts";
import type { By, Hold } from "./hold.ts";

/**
 * The row of a hold after its content is erased. Content and salt are removed; ids, times, key row and the digests in
 * the log stay, so that erased content is told apart from tampering.
 */
export function erasedHold(hold: Hold, at: number): Hold {
  const {
    metadata: _m,
    onTimeout: _t,
    callbackUrl: _c,
    answerers: _a,
    key: _k,
    progress: _p,
    face: _f,
    files: _files,
    addressed: _addressed,
    comments: _comments,
    snoozed: _snoozed,
    ...rest
  } = hold;
  const { outcome, claim, revoked, votes, ...frame } = rest;
  const rungs = hold.rungs.map(({ to: _to, ...rung }) => rung);
  return {
    ...frame,
    rungs,
    ask: null,
    salt: null,
    erasedAt: at,
    ...(votes === undefined ? {} : { votes: votes.map(withoutData) }),
    ...(outcome === undefined ? {} : { outcome: withoutContent(outcome) }),
    ...(claim === undefined ? {} : { claim: { ...claim, detail: {} } }),
    ...(revoked === undefined ? {} : { revoked: { at: revoked.at, by: withoutName(revoked.by) } }),
  };
}

/** Who voted how stays on record; what exactly they answered goes. */
function withoutData(vote: Vote): Vote {
  return { ...vote, data: {}, by: withoutName(vote.by) };
}

function withoutName({ kind, id, givenTo }: By): By {
  return { kind, id, ...(givenTo === undefined ? {} : { givenTo }) };
}

function withoutContent(outcome: NonNullable<Hold["outcome"]>): NonNullable<Hold["outcome"]> {
  switch (outcome.kind) {
    case "decided":
      return {
        kind: "decided",
        action: outcome.action,
        data: {},
        by: withoutName(outcome.by),
        door: outcome.door,
        at: outcome.at,
      };
    case "expired":
      return { kind: "expired", at: outcome.at };
    case "cancelled":
      return {
        kind: "cancelled",
        cancelledBy: withoutName(outcome.cancelledBy),
        at: outcome.at,
      };
  }
}
