/**
 * R1  A release is sent only after it was written as `sending`, under a fence that one sender holds.
 * R2  A fence that expires makes the release `unknown`, or `pending` if the agent accepts the same answers twice.
 * R3  A release leaves `unknown` only by its sender's late report or by a person's decision.
 * R4  A report of arrival by the last sender counts at any time, also if the release was queued for a retry.
 * R5  The thread of a release that a person marked as arrived is continued within a bounded number of tries. If it does not continue,
 *     the release is `stalled`, until a client continues the thread or a person decides again.
 */

import type { Context } from "../../../kernel/context.ts";
import { accept, type FactRecord, type Reply, refuse } from "../../../kernel/draft.ts";
import { failure } from "../../../kernel/failure.ts";
import { placeGroup, placeGroupNeeds } from "../../../kernel/hold/groups.ts";
import { actorText, mayOperate, type Principal } from "../../../kernel/principal.ts";
import type { Need, World } from "../../../kernel/world.ts";
import type { Draft } from "../world.ts";
import type {
  BeginRelease,
  DecideRelease,
  FinishRelease,
  OpenRelease,
  PlaceReleasedGroup,
  ReleaseCommand,
  RenewRelease,
  TickRelease,
} from "./commands.ts";
import type { Release, ReleaseFact } from "./release.ts";

/** How long a server has to begin sending before the release is handed to another server. */
const HAND_OUT_MS = 10_000;
const RETRY_FIRST_MS = 5_000;
const RETRY_MOST_MS = 3_600_000;
/** The tries to continue a thread are spread over three and a half hours. */
const CONTINUATIONS_MAX = 12;

export function releaseNeeds({ groupId }: { readonly groupId: string }): readonly Need[] {
  return [{ kind: "release", id: groupId }];
}

export function openReleaseNeeds(command: OpenRelease): readonly Need[] {
  return [...releaseNeeds(command), { kind: "group", id: command.groupId, read: true }];
}

type Change<C> = (command: C, release: Release, now: number) => ReleaseFact | null;

/** Wraps a change to an existing release. A change that returns `null` leaves the release as it is. */
function changing<C extends Exclude<ReleaseCommand, OpenRelease | PlaceReleasedGroup>>(change: Change<C>) {
  return (command: C, draft: Draft, { now }: Context): Reply => {
    const release = draft.get("release", command.groupId);
    if (release === undefined) return refuse(failure("not_found", "There is no release with this id."));
    const fact = change(command, release, now);
    if (fact !== null) draft.state(about(fact, now, command.by));
    return accept(release.id);
  };
}

export function openRelease(command: OpenRelease, draft: Draft, { now }: Context): Reply {
  const { groupId, proxy, threadId, caller, autoResume, idempotent, by } = command;
  const group = draft.get("group", groupId);
  if (group === undefined) return refuse(failure("not_found", "There is no group with this id."));
  if (draft.get("release", groupId) !== undefined) return accept(groupId);
  const release: Release = {
    ...{ id: groupId, proxy, threadId, caller, createdBy: by.name, autoResume, idempotent },
    ...{ state: "waiting", openedAt: now, changedAt: now, attempt: 0 },
  };
  draft.state(about({ type: "release.opened", release }, now, by));
  if (group.releasedAt !== undefined) stateReady(release, draft, now, by);
  return accept(groupId);
}

export function placeReleasedGroupNeeds(command: PlaceReleasedGroup, world: World): readonly Need[] {
  const needs = placeGroupNeeds({ ...command, kind: "place_group" }, world);
  const groups = needs.filter(({ kind }) => kind === "group");
  return [...needs, ...groups.map(({ id }) => ({ kind: "release", id }) as const)];
}

export function placeReleasedGroup(command: PlaceReleasedGroup, draft: Draft, context: Context): Reply {
  const { workspace, by, release } = command;
  const placed = placeGroup({ ...command, kind: "place_group" }, draft, context);
  if (!placed.ok) return placed;
  // It is refused only without a group, which is there now.
  openRelease({ kind: "open_release", workspace, by, groupId: placed.id, ...release }, draft, context);
  return placed;
}

/** Every member of the group has ended, so the release can be sent. */
export function stateReady(release: Release, draft: Draft, now: number, by: Principal): void {
  const due = release.autoResume ? { dueAt: now } : {};
  const ready = { ...release, ...due, state: "pending", changedAt: now } as const;
  draft.state(about({ type: "release.ready", release: ready }, now, by));
}

function begunRelease({ fenceId, leaseMs }: BeginRelease, release: Release, now: number): ReleaseFact | null {
  const { error: _error, handedAt: _handedAt, ...rest } = release;
  const mayRepeat = release.state === "failed" && release.idempotent;
  if (release.state !== "pending" && !mayRepeat) return null;
  return {
    type: "release.sending",
    release: {
      ...{ ...rest, state: "sending", changedAt: now, attempt: release.attempt + 1 },
      fence: { id: fenceId, until: now + leaseMs },
    },
  };
}

function renewedRelease(
  { fenceId, leaseMs }: RenewRelease,
  release: Release,
  now: number,
): ReleaseFact | null {
  if (release.state !== "sending" || release.fence?.id !== fenceId) return null;
  return { type: "release.renewed", release: { ...release, fence: { id: fenceId, until: now + leaseMs } } };
}

const FINISHED = {
  released: "release.released",
  pending: "release.put_back",
  unknown: "release.unknown",
  failed: "release.failed",
} as const;

/** A late report counts unless a person has decided or another sender has taken the fence. */
function finishedRelease(command: FinishRelease, release: Release, now: number): ReleaseFact | null {
  if (isMarked(release)) return command.state === "released" ? continuedRelease(release, now) : null;
  const isPutBack = release.state === "pending" && command.state === "released";
  const isOpen = release.state === "sending" || release.state === "unknown" || isPutBack;
  if (!isOpen || release.fence?.id !== command.fenceId) return null;
  return { type: FINISHED[command.state], release: after(release, command.state, now, command.error) };
}

/** A person said that it arrived, and its thread is not known to have continued. */
function isMarked({ state, dueAt }: Release): boolean {
  return state === "stalled" || (state === "released" && dueAt !== undefined);
}

function continuedRelease(release: Release, now: number): ReleaseFact {
  const { continuations: _tries, handedAt: _handedAt, ...rest } = after(release, "released", now);
  return { type: "release.released", release: rest };
}

/** Asks a server to continue the thread, or gives up. */
function tickedMark(release: Release, now: number): ReleaseFact {
  const tries = (release.continuations ?? 0) + 1;
  if (tries > CONTINUATIONS_MAX) {
    const { dueAt: _dueAt, ...rest } = release;
    const stalled = { state: "stalled", changedAt: now, error: "thread_not_continued" } as const;
    return { type: "release.stalled", release: { ...rest, ...stalled } };
  }
  const due = { handedAt: now, dueAt: now + waitMs(tries + 1), continuations: tries };
  return { type: "release.handed_out", release: { ...release, ...due } };
}

function tickedRelease(_command: TickRelease, release: Release, now: number): ReleaseFact | null {
  const { state: is, fence, dueAt } = release;
  if (is === "sending" && fence !== undefined && fence.until <= now) {
    const next = release.idempotent ? "pending" : "unknown";
    return { type: FINISHED[next], release: after(release, next, now, "sender_lost") };
  }
  if (dueAt === undefined || dueAt > now) return null;
  if (is === "released") return tickedMark(release, now);
  if (is !== "pending") return null;
  return {
    type: "release.handed_out",
    release: { ...release, handedAt: now, dueAt: now + HAND_OUT_MS },
  };
}

function after(release: Release, next: FinishRelease["state"], now: number, error?: string): Release {
  const { error: _error, dueAt: _dueAt, ...rest } = release;
  const isTakenUp = next === "pending" && (release.autoResume || release.dueAt !== undefined);
  return {
    ...{ ...rest, state: next, changedAt: now },
    ...(isTakenUp ? { dueAt: now + waitMs(release.attempt) } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** Before the try after this one. */
function waitMs(tries: number): number {
  return Math.min(RETRY_FIRST_MS * 2 ** (tries - 1), RETRY_MOST_MS);
}

export const beginRelease = changing(begunRelease);
export const renewRelease = changing(renewedRelease);
export const finishRelease = changing(finishedRelease);
export const tickRelease = changing(tickedRelease);

/** An operator decides about a release that is stuck. */
export function decideByHand(command: DecideRelease, draft: Draft, { now }: Context): Reply {
  const { groupId, decision, by } = command;
  const release = draft.get("release", groupId);
  if (release === undefined || !mayOperate(by))
    return refuse(failure("not_found", "There is no release with this id."));
  if (!["unknown", "failed", "pending", "stalled"].includes(release.state)) {
    const detail = { state: release.state };
    return refuse(
      failure(
        "release_not_stuck",
        `the release is ${release.state}; only a pending, failed, unknown or stalled release can be decided by hand`,
        { detail },
      ),
    );
  }
  const { dueAt: _dueAt, handedAt: _handedAt, continuations: _tries, ...rest } = release;
  const decided = { ...rest, changedAt: now, decidedBy: actorText(by) };
  const fact: ReleaseFact =
    decision === "retry"
      ? { type: "release.retried", release: { ...decided, state: "pending", dueAt: now } }
      : {
          type: "release.marked_released",
          release: { ...decided, state: "released", dueAt: now + waitMs(1) },
        };
  draft.state(about(fact, now, by));
  return accept(groupId);
}

function about(fact: ReleaseFact, at: number, by: Principal): FactRecord<ReleaseFact> {
  const { id, createdBy } = fact.release;
  return { kind: "release", id, fact, at, actor: actorText(by), audience: createdBy };
}
