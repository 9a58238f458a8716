/** What a hold is after a fact. Total and free of rules: whether the fact may happen was decided before. */

import type { HoldFact } from "./facts.ts";
import { type By, claimsOf, type Hold, type HoldFile } from "./hold.ts";
import type { Link } from "./link.ts";

export function evolveHold(hold: Hold | undefined, fact: HoldFact, at: number): Hold {
  if (fact.type === "hold.placed") return withAddressed(fact.hold, fact.links ?? []);
  if (hold === undefined) throw new Error(`${fact.type} about a hold that was never placed`);
  switch (fact.type) {
    case "hold.opened":
      return { ...hold, openedAt: at };
    case "hold.progressed":
      return {
        ...hold,
        progressedAt: at,
        ...(fact.progress === undefined ? {} : { progress: fact.progress }),
      };
    case "hold.reminded":
    case "hold.escalated": {
      const rungs = hold.rungs.with(fact.index, fact.rung);
      if (fact.type === "hold.escalated")
        return { ...hold, rungs, attempt: Math.max(hold.attempt, fact.rung.n) };
      return fact.rung.state === "fired" ? { ...hold, rungs, remindedAt: at } : { ...hold, rungs };
    }
    case "hold.decided":
    case "hold.expired":
    case "hold.cancelled":
      return { ...hold, status: fact.outcome.kind, outcome: fact.outcome };
    case "hold.followed":
      return { ...hold, next: fact.next };
    case "hold.notified":
      return { ...hold, notified: { noticeId: fact.noticeId, at } };
    case "hold.claimed": {
      const claimsBefore = claimsOf(hold);
      return { ...hold, claim: fact.claim, ...(claimsBefore === 0 ? {} : { claimsBefore }) };
    }
    case "hold.claim_done":
    case "hold.claim_failed":
    case "hold.claim_unknown":
      return { ...hold, claim: fact.claim };
    case "hold.claim_released": {
      const { claim: _released, ...rest } = hold;
      return rest;
    }
    case "hold.revoked":
      return { ...hold, revoked: fact.revoked };
    case "hold.file_added":
      return { ...hold, files: [...(hold.files ?? []), fact.file] };
    case "hold.files_dropped":
      return withFiles(
        hold,
        (hold.files as readonly HoldFile[]).filter(({ id }) => !fact.ids.includes(id)),
      );
    case "hold.deadline_set": {
      const { deadlineAt: _before, ...rest } = hold;
      return fact.deadlineAt === undefined ? rest : { ...rest, deadlineAt: fact.deadlineAt };
    }
    case "hold.erased":
      return erased(hold, at);
    case "hold.link_made":
      return withAddressed(hold, [fact.link]);
    case "hold.link_revoked":
    case "hold.draft_saved":
      return hold;
  }
}

/** Links that were made for somebody are remembered, so that erasing finds them. */
function withAddressed(hold: Hold, links: readonly Link[]): Hold {
  const hashes = links.filter(({ recipient }) => recipient !== undefined).map(({ hash }) => hash);
  return hashes.length === 0 ? hold : { ...hold, addressed: [...(hold.addressed ?? []), ...hashes] };
}

function withFiles(hold: Hold, files: readonly HoldFile[]): Hold {
  const { files: _before, ...rest } = hold;
  return files.length === 0 ? rest : { ...rest, files };
}

/** Content and salt go; the frame, the digests in the log and the key stay, so that "erased" can be told from "broken". */
function erased(hold: Hold, at: number): Hold {
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
