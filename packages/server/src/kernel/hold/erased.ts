/** What is left of a hold once its content is erased. */

import type { By, Hold } from "./hold.ts";

/** Content and salt go; the frame, the digests in the log and the key stay, so that "erased" can be told from "broken". */
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
    ...rest
  } = hold;
  const { outcome, claim, revoked, ...frame } = rest;
  const rungs = hold.rungs.map(({ to: _to, ...rung }) => rung);
  return {
    ...frame,
    rungs,
    ask: null,
    salt: null,
    erasedAt: at,
    ...(outcome === undefined ? {} : { outcome: bare(outcome) }),
    ...(claim === undefined ? {} : { claim: { ...claim, detail: {} } }),
    ...(revoked === undefined ? {} : { revoked: { at: revoked.at, by: nameless(revoked.by) } }),
  };
}

function nameless({ kind, id, givenTo }: By): By {
  return { kind, id, ...(givenTo === undefined ? {} : { givenTo }) };
}

function bare(outcome: NonNullable<Hold["outcome"]>): NonNullable<Hold["outcome"]> {
  switch (outcome.kind) {
    case "decided":
      return {
        kind: "decided",
        action: outcome.action,
        data: {},
        by: nameless(outcome.by),
        door: outcome.door,
        at: outcome.at,
      };
    case "expired":
      return { kind: "expired", at: outcome.at };
    case "cancelled":
      return {
        kind: "cancelled",
        cancelledBy: nameless(outcome.cancelledBy),
        at: outcome.at,
      };
  }
}
