/** For each fact about a hold: the hold's new body, and what is written to the log. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Vote } from "../decision/decision.ts";
import type { FactSpec, FactTable } from "../domain.ts";
import type { Change, World } from "../world.ts";
import { erasedHold } from "./erased.ts";
import {
  byData,
  commentContent,
  commentData,
  type HoldFact,
  linkContent,
  linkData,
  outcomeContent,
  outcomeData,
  placedContent,
  placedData,
  rungData,
  voteData,
} from "./facts.ts";
import { lessUsed, moreUsed } from "./file-usage.ts";
import { claimsOf, type Hold, type HoldFile, holdKeyId, mayHaveDraft } from "./hold.ts";
import { type Link, linkId } from "./link.ts";
import { messagesOf } from "./messages.ts";

type Fact<T extends HoldFact["type"]> = HoldFact extends infer F
  ? F extends { readonly type: infer Own }
    ? T extends Own
      ? F
      : never
    : never
  : never;

/** The spec of a fact that changes one existing hold, as most facts do. */
function onHold<F extends HoldFact>(
  next: (hold: Hold, fact: F, at: number) => Hold,
  log: (fact: F) => JsonObject | null,
  more: Partial<FactSpec<F>> & { also?: (world: World, hold: Hold, fact: F) => readonly Change[] } = {},
): FactSpec<F> {
  const { also, ...rest } = more;
  return {
    evolve(world, id, fact, at) {
      const hold = world.get("hold", id);
      if (hold === undefined)
        throw new Error(`Invariant: ${fact.type} about hold ${id}, which was never placed`);
      const changed = { kind: "hold", id, body: next(hold, fact, at) } as const;
      return also === undefined ? [changed] : [changed, ...also(world, hold, fact)];
    },
    log,
    messages: messagesOf,
    ...rest,
  };
}

const nothing = () => ({});

const ended = onHold<Fact<"hold.decided">>(
  (hold, { outcome }) => ({ ...hold, status: outcome.kind, outcome }),
  ({ outcome }) => outcomeData(outcome),
  {
    content: ({ outcome }) => outcomeContent(outcome),
    also: (world, hold) => [
      ...(mayHaveDraft(hold) && world.get("form_session", hold.id) !== undefined
        ? [{ kind: "form_session", id: hold.id, body: null } as const]
        : []),
      ...(hold.decision === undefined ? [] : [{ kind: "ruled_hold", id: hold.id, body: null } as const]),
      ...(hold.votes ?? []).map(({ person }) => voterRow(world, person, hold.id, false)),
    ],
  },
);

const claimEnded = onHold<Fact<"hold.claim_done">>((hold, { claim }) => ({ ...hold, claim }), claimData);

const link = {
  log: (fact: Fact<"hold.link_made">) => linkData(fact.link),
  content: (fact: Fact<"hold.link_made">) => linkContent(fact.link),
  also: (_world: World, hold: Hold, fact: Fact<"hold.link_made">) => [linkRow(hold.id, fact.link)],
};

export const HOLD_FACTS: FactTable<HoldFact> = {
  "hold.placed": {
    evolve(_world, id, fact) {
      const { hold, links = [] } = fact;
      const changes: Change[] = [{ kind: "hold", id, body: withAddressed(hold, links) }];
      if (hold.key !== undefined)
        changes.push({ kind: "hold_key", id: holdKeyId(hold.createdBy, hold.key), body: { holdId: id } });
      for (const each of links) changes.push(linkRow(id, each));
      if (hold.decision !== undefined) changes.push({ kind: "ruled_hold", id, body: { holdId: id } });
      return changes;
    },
    log: placedData,
    content: ({ hold, links = [] }) => placedContent(hold, links),
    messages: messagesOf,
  },
  "hold.opened": onHold((hold, _fact, at) => ({ ...hold, openedAt: at }), nothing),
  "hold.progressed": onHold(
    (hold, { progress }, at) => ({
      ...hold,
      progressedAt: at,
      ...(progress === undefined ? {} : { progress }),
    }),
    ({ progress }) => (progress === undefined ? {} : { progress: { ...progress } }),
  ),
  "hold.reminded": onHold(
    (hold, { index, rung }, at) => {
      const rungs = hold.rungs.with(index, rung);
      return rung.state === "fired" ? { ...hold, rungs, remindedAt: at } : { ...hold, rungs };
    },
    ({ rung }) => rungData(rung),
  ),
  "hold.escalated": onHold(
    (hold, { index, rung }) => ({
      ...hold,
      rungs: hold.rungs.with(index, rung),
      attempt: Math.max(hold.attempt, rung.n),
    }),
    ({ rung }) => rungData(rung),
  ),
  "hold.decided": ended,
  "hold.expired": ended,
  "hold.cancelled": ended,
  "hold.voted": onHold(
    ({ votes = [], ...hold }, { vote }) => ({ ...hold, votes: [...without(votes, vote.person), vote] }),
    voteData,
    { also: (world, hold, { vote }) => [voterRow(world, vote.person, hold.id, true)] },
  ),
  "hold.vote_withdrawn": onHold(
    ({ votes, ...hold }, { person }) => {
      const rest = without(votes as readonly Vote[], person);
      return rest.length === 0 ? hold : { ...hold, votes: rest };
    },
    ({ person, reason, standsFor }) => ({
      ...{ person, reason },
      ...(standsFor === undefined ? {} : { for: standsFor }),
    }),
    { also: (world, hold, { person }) => [voterRow(world, person, hold.id, false)] },
  ),
  "hold.decision_checked": onHold(
    ({ unfulfillable: _before, ...hold }, { reason }) =>
      reason === undefined ? hold : { ...hold, unfulfillable: reason },
    ({ reason }) => (reason === undefined ? {} : { unfulfillable: reason }),
  ),
  "hold.followed": onHold(
    (hold, { next }) => ({ ...hold, next }),
    ({ next }) => ({ next }),
  ),
  "hold.notified": onHold(
    (hold, { noticeId }, at) => ({ ...hold, notified: { noticeId, at } }),
    ({ attempt }) => ({ attempt }),
  ),
  "hold.delivery_failed": onHold(
    (hold, { unreached }) => ({ ...hold, unreached }),
    ({ channel, isLast, unreached: { since } }) => ({
      channel,
      ...(isLast ? { all_failed: true, nobody_reached: since !== undefined } : {}),
    }),
  ),
  "hold.reached": onHold(
    ({ unreached: _nobody, ...hold }) => hold,
    ({ channel }) => ({ channel }),
  ),
  "hold.link_made": onHold((hold, fact) => withAddressed(hold, [fact.link]), link.log, link),
  "hold.link_revoked": onHold((hold) => hold, link.log, link),
  "hold.claimed": onHold((hold, { claim }) => {
    const claimsBefore = claimsOf(hold);
    return { ...hold, claim, ...(claimsBefore === 0 ? {} : { claimsBefore }) };
  }, claimData),
  "hold.claim_done": claimEnded,
  "hold.claim_failed": claimEnded,
  "hold.claim_unknown": claimEnded,
  "hold.claim_released": onHold(({ claim: _released, ...hold }) => hold, claimData),
  "hold.revoked": onHold(
    (hold, { revoked }) => ({ ...hold, revoked }),
    ({ revoked: { by } }) => ({ by: byData(by) }),
  ),
  "hold.file_added": onHold(
    (hold, { file }) => ({ ...hold, files: [...(hold.files ?? []), file] }),
    ({ file, digest }) => ({ file_id: file.id, bytes: file.bytes, digest }),
    { also: (world, _hold, { file, usedBefore }) => moreUsed(world, file.bytes, usedBefore) },
  ),
  "hold.files_dropped": onHold(
    (hold, { ids }) => {
      const { files = [], ...rest } = hold;
      const kept: readonly HoldFile[] = files.filter(({ id }) => !ids.includes(id));
      return kept.length === 0 ? rest : { ...rest, files: kept };
    },
    ({ ids }) => ({ file_ids: ids }),
    {
      also: (world, { files = [] }, { ids }) =>
        lessUsed(
          world,
          files.reduce((sum, { id, bytes }) => (ids.includes(id) ? sum + bytes : sum), 0),
        ),
    },
  ),
  "hold.deadline_set": onHold(
    ({ deadlineAt: _before, ...hold }, { deadlineAt }) =>
      deadlineAt === undefined ? hold : { ...hold, deadlineAt },
    ({ deadlineAt }) => ({ deadline_at: deadlineAt ?? null }),
  ),
  "hold.assigned": onHold(
    ({ assignee: _before, ...hold }, { assignee }) => (assignee === undefined ? hold : { ...hold, assignee }),
    ({ assignee }) => ({ assignee: assignee ?? null }),
  ),
  "hold.commented": onHold(
    (hold, { comment }) => ({ ...hold, comments: [...(hold.comments ?? []), comment] }),
    ({ comment }) => commentData(comment),
    { content: ({ comment }) => commentContent(comment) },
  ),
  "hold.extended": onHold(
    (hold, { expiresAt }) => ({ ...hold, expiresAt }),
    ({ expiresAt }) => ({ expires_at: expiresAt }),
  ),
  "hold.snoozed": onHold(
    ({ snoozed = [], ...hold }, { person, until }) => {
      const others = snoozed.filter((each) => each.person !== person);
      const all = until === undefined ? others : [...others, { person, until }];
      return all.length === 0 ? hold : { ...hold, snoozed: all };
    },
    ({ person, until }) => ({ person, until: until ?? null }),
  ),
  "hold.erased": onHold((hold, _fact, at) => erasedHold(hold, at), nothing, {
    also: forgetRecipients,
    forgetsRecipients: true,
  }),
  /** Not written to the log: the outcome says what was verified. */
  "hold.evidence_used": {
    evolve: (_world, holdId, { ids }) => ids.map((id) => ({ kind: "used_evidence", id, body: { holdId } })),
    log: () => null,
  },
  /** A half-filled form is not an answer yet, so it is not written to the log. */
  "hold.draft_saved": {
    evolve: (_world, id, { session }) => [{ kind: "form_session", id, body: session }],
    log: () => null,
  },
};

function claimData({ claim }: Fact<"hold.claimed">): JsonObject {
  return { claim_id: claim.id, state: claim.state };
}

function without(votes: readonly Vote[], person: string): readonly Vote[] {
  return votes.filter((vote) => vote.person !== person);
}

/** The person's list of open holds that they have voted on. */
function voterRow(world: World, person: string, holdId: string, hasVoted: boolean): Change {
  const others = (world.get("voter", person)?.holds ?? []).filter((id) => id !== holdId);
  const holds = hasVoted ? [...others, holdId] : others;
  return { kind: "voter", id: person, body: holds.length === 0 ? null : { holds } };
}

function linkRow(holdId: string, body: Link) {
  return { kind: "link", id: linkId(holdId, body.hash), body } as const;
}

/** The hold stores the hashes of links that name a recipient, so that erasing finds them. */
function withAddressed(hold: Hold, links: readonly Link[]): Hold {
  const hashes = links.filter(({ recipient }) => recipient !== undefined).map(({ hash }) => hash);
  return hashes.length === 0 ? hold : { ...hold, addressed: [...(hold.addressed ?? []), ...hashes] };
}

/** The link rows remain, because an outcome may refer to them; their recipients are removed with the content. */
function forgetRecipients(world: World, { id: holdId, addressed = [] }: Hold): readonly Change[] {
  return addressed.flatMap((hash) => {
    const found = world.get("link", linkId(holdId, hash));
    if (found === undefined) return [];
    const { recipient: _whom, personId: _id, ...rest } = found;
    return [linkRow(holdId, rest)];
  });
}
