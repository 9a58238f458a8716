/** The table of kinds, commands and facts for holds, links, claims, files and groups. */

import { attachmentOf } from "../attachment.ts";
import type { Context } from "../context.ts";
import { type CommandSpec, type CommandTable, type Domain, kind } from "../domain.ts";
import type { Draft, Reply } from "../draft.ts";
import type { KernelBodies, KernelFact } from "../kernel.ts";
import { forgetNeeds } from "../thread/decide.ts";
import type { Need, World } from "../world.ts";
import { addFile } from "./add-file.ts";
import { answerHold, challengeAnswer } from "./answer.ts";
import { cancelHold } from "./cancel.ts";
import { claimHold, finishClaim, releaseClaim } from "./claim.ts";
import type { AnswerHold, HoldCommand } from "./commands.ts";
import { commentHold } from "./comment.ts";
import { assignHold, assignNeeds, extendHold, snoozeHold } from "./desk.ts";
import { eraseHold, threadOf } from "./erase.ts";
import { HOLD_FACTS } from "./fact-table.ts";
import { FILE_USAGE, type FileUsage, usageNeeds } from "./file-usage.ts";
import type { Group } from "./group.ts";
import { GROUP_FACTS } from "./group-facts.ts";
import { answerGroup, entryNeeds, placeGroup, placeGroupNeeds } from "./groups.ts";
import type { FormSession, Hold, HoldKey, UsedEvidence } from "./hold.ts";
import { type Link, linkBy, linkId } from "./link.ts";
import { linkNeeds, makeLink, revokeLink } from "./links.ts";
import { openHold, progressHold } from "./look.ts";
import { notifyHold } from "./notify.ts";
import { placeHold, placeNeeds } from "./place.ts";
import { noteReached, noteUnreached } from "./reach.ts";
import { revokeHold } from "./revoke.ts";
import { routeNeeds } from "./route.ts";
import { attachedNeeds, settleNeeds } from "./settle.ts";
import { tickHold } from "./tick.ts";
import { dueAt } from "./time.ts";
import { evidenceNeeds } from "./verification.ts";
import { checkDecision, withdrawVote } from "./vote.ts";
import { voteNeeds } from "./voter.ts";

export const HOLD_KINDS = {
  hold: kind<Hold>({
    indexes: {
      status: ({ status }) => status,
      creator: ({ createdBy }) => createdBy,
      creator_status: ({ createdBy, status }) => `${createdBy}\u0000${status}`,
      thread: ({ threadId }) => threadId,
      group: ({ groupId }) => groupId,
      previous: ({ previous }) => previous,
    },
    timer: { dueAt, command: (holdId) => ({ kind: "tick_hold", holdId }) },
    salt: ({ salt }) => salt,
  }),
  /** (creator, key) → the hold placed under that key. The row remains when the hold's content is erased. */
  hold_key: kind<HoldKey>(),
  /** (hold, token hash). The hold's id comes first, so that the links of one hold are stored side by side. */
  link: kind<Link>(),
  group: kind<Group>({ indexes: { thread: ({ threadId }) => threadId } }),
  form_session: kind<FormSession>(),
  /** Evidence that may be used once, by the digest of its presentation. */
  used_evidence: kind<UsedEvidence>(),
  file_usage: kind<FileUsage>(),
};

type OnHold = Extract<HoldCommand, { readonly holdId: string }>;

/** Any command about a hold may find that it has expired, so each one loads what an ending would change. */
function holdNeeds(command: OnHold, world: World): readonly Need[] {
  const { holdId } = command;
  const needs: Need[] = [
    { kind: "hold", id: holdId },
    { kind: "workspace", id: "settings", read: true },
  ];
  const linkHash = "linkHash" in command ? command.linkHash : undefined;
  if (linkHash !== undefined) needs.push({ kind: "link", id: linkId(holdId, linkHash) });
  const hold = world.get("hold", holdId);
  return hold === undefined ? needs : [...needs, ...endingNeeds(hold, world)];
}

function endingNeeds(hold: Hold, world: World): readonly Need[] {
  return hold.status === "open"
    ? settleNeeds(hold, world)
    : [...attachedNeeds(hold, world), ...usageNeeds(hold)];
}

/** Erasing a hold also removes the recipients of its links, so these links are loaded. */
function addressedNeeds({ id, addressed = [] }: Hold): readonly Need[] {
  return addressed.map((hash) => ({ kind: "link", id: linkId(id, hash) }));
}

/**
 * A command about one hold. A refusal names the hold, so that the face can show its state, unless the caller may not
 * know that it exists.
 */
function onHold<C extends OnHold>(
  decide: (command: C, draft: Draft, context: Context) => Reply,
  more: (hold: Hold, world: World, command: C) => readonly Need[] = () => [],
): CommandSpec<C, KernelBodies, KernelFact, "hold"> {
  return {
    about: "hold",
    needs(command, world) {
      const hold = world.get("hold", command.holdId);
      const needs = holdNeeds(command, world);
      return hold === undefined ? needs : [...needs, ...more(hold, world, command)];
    },
    decide(command, draft, context) {
      const reply = decide(command, draft, context);
      return reply.ok || reply.failure.code === "not_found" ? reply : { ...reply, holdId: command.holdId };
    },
  };
}

/** What a vote of this caller needs, on a hold with a decision rule. */
function callerNeeds(hold: Hold, world: World, command: OnHold): readonly Need[] {
  const link = linkBy(command, world);
  const proof = "proof" in command ? command.proof : undefined;
  return voteNeeds(hold, { by: command.by, link, ...(proof === undefined ? {} : { proof }) }, world);
}

/** Whom the rungs of an open hold mean. */
function rungNeeds({ status, rungs }: Hold, world: World): readonly Need[] {
  return status === "open"
    ? routeNeeds(
        rungs.map(({ to }) => to),
        world,
      )
    : [];
}

const ANSWER_HOLD = onHold(answerHold, (hold, world, command: AnswerHold) => [
  ...callerNeeds(hold, world, command),
  ...evidenceNeeds(command),
]);

const HOLD_COMMANDS = {
  place_hold: {
    about: "hold",
    needs: ({ hold, by }, world) => placeNeeds(hold, by, world),
    decide: placeHold,
  },
  place_group: { about: "group", needs: placeGroupNeeds, decide: placeGroup },
  answer_hold: ANSWER_HOLD,
  challenge_answer: {
    ...onHold(challengeAnswer, callerNeeds),
    about: "challenge",
    needs: (command, world) => [
      ...ANSWER_HOLD.needs({ ...command, kind: "answer_hold" }, world),
      { kind: "challenge", id: command.challengeId },
    ],
  },
  withdraw_vote: onHold(withdrawVote, callerNeeds),
  check_decision: onHold(checkDecision, callerNeeds),
  answer_group: {
    about: "group",
    needs(command, world) {
      const members = world.get("group", command.groupId)?.members ?? [];
      const { workspace, by } = command;
      return [
        { kind: "group", id: command.groupId },
        ...members.flatMap((holdId) => holdNeeds({ kind: "tick_hold", workspace, by, holdId }, world)),
        ...command.entries.flatMap((entry) => entryNeeds(entry, by, world)),
      ];
    },
    decide: answerGroup,
  },
  cancel_hold: onHold(cancelHold, callerNeeds),
  open_hold: onHold(openHold),
  progress_hold: onHold(progressHold),
  tick_hold: onHold(tickHold, (hold, world) => [
    ...(hold.retainMs === undefined ? [] : addressedNeeds(hold)),
    ...rungNeeds(hold, world),
  ]),
  make_link: onHold(makeLink, (_hold, world, { link }) => linkNeeds(link, world)),
  notify_hold: onHold(notifyHold),
  note_unreached: onHold(noteUnreached, rungNeeds),
  note_reached: onHold(noteReached),
  revoke_link: onHold(revokeLink),
  claim_hold: onHold(claimHold, (hold, world) => {
    const attached = attachmentOf(hold, world);
    return attached === undefined ? [] : attached.rules.claimNeeds(attached.id, hold, world);
  }),
  finish_claim: onHold(finishClaim),
  release_claim: onHold(releaseClaim),
  revoke_hold: onHold(revokeHold),
  add_file: onHold(addFile, () => [FILE_USAGE]),
  assign_hold: onHold(assignHold, (_hold, world, command) => assignNeeds(command, world)),
  comment_hold: onHold(commentHold),
  extend_hold: onHold(extendHold),
  snooze_hold: onHold(snoozeHold),
  erase_hold: onHold(eraseHold, (hold, world) => {
    const thread = threadOf(hold);
    return [...addressedNeeds(hold), ...(thread === undefined ? [] : forgetNeeds(thread, world))];
  }),
} satisfies CommandTable<HoldCommand>;

export const HOLDS = {
  kinds: HOLD_KINDS,
  commands: HOLD_COMMANDS,
  facts: { ...HOLD_FACTS, ...GROUP_FACTS },
} satisfies Domain;
