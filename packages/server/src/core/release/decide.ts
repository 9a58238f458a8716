/**
 * R1  Nothing is sent that was not `sending` first, under a fence that one sender holds.
 * R2  A fence that ran out leaves `unknown`, and `pending` only where sending twice does no harm.
 * R3  From `unknown` a release leaves by its own late report, or by a person.
 * R4  That it arrived is believed whenever its last sender says so, also when it was to be sent again.
 */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { actorText, mayOperate, type Principal, seesAll } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import type {
  BeginRelease,
  DecideRelease,
  FinishRelease,
  OpenRelease,
  ReleaseCommand,
  RenewRelease,
} from "./commands.ts";
import type { Release, ReleaseFact } from "./release.ts";

/** How long a server has to begin before another may take it up. */
const HAND_OUT_MS = 10_000;
const RETRY_FIRST_MS = 5_000;
const RETRY_MOST_MS = 3_600_000;

export function releaseNeeds(command: ReleaseCommand): readonly Need[] {
  const release: Need = { kind: "release", id: command.groupId };
  if (command.kind !== "open_release") return [release];
  return [release, { kind: "group", id: command.groupId, read: true }];
}

export function decideRelease(command: ReleaseCommand, world: World, { now }: Context): Decision {
  if (command.kind === "open_release") return openRelease(command, world, now);
  const release = world.get("release", command.groupId);
  if (release === undefined) return refuse(refusal("not_found", "no such release"));
  switch (command.kind) {
    case "begin_release":
      return state(release, beginRelease(command, release, now), now, command.by);
    case "renew_release":
      return state(release, renewRelease(command, release, now), now, command.by);
    case "finish_release":
      return state(release, finishRelease(command, release, now), now, command.by);
    case "tick_release":
      return state(release, tickRelease(release, now), now, command.by);
    case "decide_release":
      return decideByHand(command, release, now);
  }
}

function openRelease(command: OpenRelease, world: World, now: number): Decision {
  const { groupId, proxy, threadId, caller, autoResume, idempotent, by } = command;
  const group = world.get("group", groupId);
  if (group === undefined) return refuse(refusal("not_found", "no such group"));
  if (world.get("release", groupId) !== undefined) return accept("release", groupId, []);
  const release: Release = {
    ...{ id: groupId, proxy, threadId, caller, createdBy: by.name, autoResume, idempotent },
    ...{ state: "waiting", openedAt: now, changedAt: now, attempt: 0 },
  };
  const facts = [stated({ type: "release.opened", release }, now, by)];
  const isReady = group.releasedAt !== undefined;
  return accept("release", groupId, isReady ? [...facts, releaseReady(release, now, by)] : facts);
}

/** All is answered: from here on it can be sent. */
export function releaseReady(release: Release, now: number, by: Principal): Stated {
  const due = release.autoResume ? { dueAt: now } : {};
  return stated(
    { type: "release.ready", release: { ...release, ...due, state: "pending", changedAt: now } },
    now,
    by,
  );
}

function beginRelease({ fenceId, leaseMs }: BeginRelease, release: Release, now: number): ReleaseFact | null {
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

function renewRelease({ fenceId, leaseMs }: RenewRelease, release: Release, now: number): ReleaseFact | null {
  if (release.state !== "sending" || release.fence?.id !== fenceId) return null;
  return { type: "release.renewed", release: { ...release, fence: { id: fenceId, until: now + leaseMs } } };
}

const FINISHED = {
  released: "release.released",
  pending: "release.put_back",
  unknown: "release.unknown",
  failed: "release.failed",
} as const;

/** Late reports count as long as nobody has decided in their place, or sent it since. */
function finishRelease(command: FinishRelease, release: Release, now: number): ReleaseFact | null {
  const isPutBack = release.state === "pending" && command.state === "released";
  const isOpen = release.state === "sending" || release.state === "unknown" || isPutBack;
  if (!isOpen || release.fence?.id !== command.fenceId) return null;
  return { type: FINISHED[command.state], release: after(release, command.state, now, command.error) };
}

function tickRelease(release: Release, now: number): ReleaseFact | null {
  const { state: is, fence, dueAt } = release;
  if (is === "sending" && fence !== undefined && fence.until <= now) {
    const next = release.idempotent ? "pending" : "unknown";
    return { type: FINISHED[next], release: after(release, next, now, "sender_lost") };
  }
  if (is !== "pending" || dueAt === undefined || dueAt > now) return null;
  return {
    type: "release.handed_out",
    release: { ...release, handedAt: now, dueAt: now + HAND_OUT_MS },
  };
}

function after(release: Release, next: FinishRelease["state"], now: number, error?: string): Release {
  const { error: _error, dueAt: _dueAt, ...rest } = release;
  const wait = Math.min(RETRY_FIRST_MS * 2 ** (release.attempt - 1), RETRY_MOST_MS);
  const isTakenUp = next === "pending" && (release.autoResume || release.dueAt !== undefined);
  return {
    ...{ ...rest, state: next, changedAt: now },
    ...(isTakenUp ? { dueAt: now + wait } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

function decideByHand({ decision, by }: DecideRelease, release: Release, now: number): Decision {
  if (!seesAll(by)) return refuse(refusal("not_found", "no such release"));
  if (!mayOperate(by)) return refuse(refusal("not_allowed", "an operator decides about releases"));
  if (!["unknown", "failed", "pending"].includes(release.state)) {
    const detail = { state: release.state };
    return refuse(refusal("release_not_stuck", `the release is ${release.state}`, { detail }));
  }
  const { dueAt: _dueAt, handedAt: _handedAt, ...rest } = release;
  const decided = { ...rest, changedAt: now, decidedBy: actorText(by) };
  const fact: ReleaseFact =
    decision === "retry"
      ? { type: "release.retried", release: { ...decided, state: "pending", dueAt: now } }
      : { type: "release.marked_released", release: { ...decided, state: "released" } };
  return state(release, fact, now, by);
}

function state(release: Release, fact: ReleaseFact | null, now: number, by: Principal): Decision {
  return accept("release", release.id, fact === null ? [] : [stated(fact, now, by)]);
}

function stated(fact: ReleaseFact, at: number, by: Principal): Stated {
  const { id, createdBy } = fact.release;
  return { kind: "release", id, fact, at, actor: actorText(by), audience: createdBy };
}
