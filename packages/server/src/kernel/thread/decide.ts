/** Stores and forgets threads. If two runs read the same version, only the first one to store it succeeds. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Draft, type FactRecord, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { retentionOf } from "../platform.ts";
import { actorText, mayPlace, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { type Thread, type ThreadFact, threadKeyId } from "./thread.ts";

interface About {
  readonly workspace: string;
  readonly by: Principal;
  readonly threadId: string;
}

export interface KeepThread extends About {
  readonly kind: "keep_thread";
  readonly data: JsonObject;
  /** Refuse unless the thread still has this version; 0: unless it does not exist. */
  readonly ifVersion?: number;
  readonly waitsFor?: string;
}

export interface ForgetThread extends About {
  readonly kind: "forget_thread";
}

/** The timers' command: forgets the thread if its time has come. */
export interface TickThread {
  readonly kind: "tick_thread";
  readonly workspace: string;
  readonly by: Principal;
  /** Creator and thread id together, as the store keys the row. */
  readonly id: string;
}

export type ThreadCommand = KeepThread | ForgetThread | TickThread;

export function threadNeeds({ by, threadId }: About): readonly Need[] {
  return [
    { kind: "thread", id: threadKeyId(by.name, threadId) },
    { kind: "workspace", id: "settings", read: true },
  ];
}

/** The thread and the group it waits for. */
export function forgetNeeds(id: string, world: World): readonly Need[] {
  const waitsFor = world.get("thread", id)?.waitsFor;
  return [
    { kind: "thread", id },
    ...(waitsFor === undefined ? [] : [{ kind: "group", id: waitsFor, read: true as const }]),
  ];
}

/** Deletes the stored conversation, unless a run that waits for answers still needs it. */
export function forgetThread(id: string, draft: Draft, now: number, by: Principal): void {
  const thread = draft.get("thread", id);
  if (thread !== undefined && !isWaiting(thread, draft))
    draft.state(forgotten(id, thread.createdBy, now, by));
}

function isWaiting({ waitsFor }: Thread, world: World): boolean {
  const group = waitsFor === undefined ? undefined : world.get("group", waitsFor);
  return group !== undefined && group.releasedAt === undefined;
}

function forgotten(id: string, createdBy: string, at: number, by: Principal): FactRecord<ThreadFact> {
  return about(id, { type: "thread.forgotten" }, createdBy, at, by);
}

function about(id: string, fact: ThreadFact, audience: string, at: number, by: Principal) {
  return { kind: "thread", id, fact, at, actor: actorText(by), audience };
}

const LOOK_AGAIN_MS = 86_400_000;

export function tickThread({ id, by }: TickThread, draft: Draft, { now }: Context): Reply {
  const thread = draft.get("thread", id);
  if (thread === undefined) return refuse(failure("not_found", "there is no thread with this id"));
  if (thread.forgetAt === undefined || thread.forgetAt > now) return accept(id);
  if (!isWaiting(thread, draft)) forgetThread(id, draft, now, by);
  else {
    const later = { ...thread, forgetAt: now + LOOK_AGAIN_MS };
    draft.state(about(id, { type: "thread.kept", thread: later }, thread.createdBy, now, by));
  }
  return accept(id);
}

export function forgetThreadNow({ by, threadId }: ForgetThread, draft: Draft, { now }: Context): Reply {
  if (!mayPlace(by)) return refuse(mayNot(by));
  const id = threadKeyId(by.name, threadId);
  if (draft.get("thread", id) === undefined)
    return refuse(failure("not_found", "there is no thread with this id"));
  draft.state(forgotten(id, by.name, now, by));
  return accept(id);
}

export function keepThread(command: KeepThread, draft: Draft, { now, platform }: Context): Reply {
  const { by, threadId, data, ifVersion, waitsFor } = command;
  if (!mayPlace(by)) return refuse(mayNot(by));
  const id = threadKeyId(by.name, threadId);
  if (ifVersion !== undefined && ifVersion !== draft.version("thread", id)) {
    return refuse(
      failure(
        "precondition_failed",
        "the thread has changed since you read it; read it again and repeat the change",
      ),
    );
  }
  const retainMs = retentionOf(platform, draft.get("workspace", "settings"));
  const thread: Thread = {
    ...{ threadId, createdBy: by.name, data, keptAt: now },
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(retainMs === undefined ? {} : { retainMs, forgetAt: now + retainMs }),
  };
  draft.state(about(id, { type: "thread.kept", thread }, by.name, now, by));
  return accept(id);
}

function mayNot({ role }: Principal) {
  return failure("not_allowed", `a key with the role ${role} may not store threads; use an agent or app key`);
}
