/** Keeping and forgetting threads. Two runs that read the same version cannot both go on: one of them keeps first. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { actorText, mayPlace, type Principal } from "../principal.ts";
import { refusal } from "../refusal.ts";
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
  /** Refuse unless it still has this version; 0: unless there is none. */
  readonly ifVersion?: number;
  readonly waitsFor?: string;
}

export interface ForgetThread extends About {
  readonly kind: "forget_thread";
}

/** The clock's own command: whether it is time to forget a thread. */
export interface TickThread {
  readonly kind: "tick_thread";
  readonly workspace: string;
  readonly by: Principal;
  /** Creator and thread, as the store knows it. */
  readonly id: string;
}

export type ThreadCommand = KeepThread | ForgetThread | TickThread;

const COMMANDS: ReadonlySet<string> = new Set<ThreadCommand["kind"]>([
  "keep_thread",
  "forget_thread",
  "tick_thread",
]);

export function isThreadCommand(command: { readonly kind: string }): command is ThreadCommand {
  return COMMANDS.has(command.kind);
}

export function threadNeeds(command: ThreadCommand, world: World): readonly Need[] {
  if (command.kind === "tick_thread") return forgetNeeds(command.id, world);
  return [
    { kind: "thread", id: threadKeyId(command.by.name, command.threadId) },
    { kind: "workspace", id: "settings", read: true },
  ];
}

/** A thread and what it waits for. */
export function forgetNeeds(id: string, world: World): readonly Need[] {
  const waitsFor = world.get("thread", id)?.waitsFor;
  return [
    { kind: "thread", id },
    ...(waitsFor === undefined ? [] : [{ kind: "group", id: waitsFor, read: true } as const]),
  ];
}

/** Its conversation goes, unless a run is still to come of it. */
export function forgetThread(id: string, world: World, now: number, by: Principal): readonly Stated[] {
  const thread = world.get("thread", id);
  return thread === undefined || isWaiting(thread, world) ? [] : [forgotten(id, thread.createdBy, now, by)];
}

function isWaiting({ waitsFor }: Thread, world: World): boolean {
  const group = waitsFor === undefined ? undefined : world.get("group", waitsFor);
  return group !== undefined && group.releasedAt === undefined;
}

function forgotten(id: string, createdBy: string, at: number, by: Principal): Stated {
  const fact = { type: "thread.forgotten", thread: null } as const;
  return { kind: "thread", id, fact, at, actor: actorText(by), audience: createdBy };
}

const LOOK_AGAIN_MS = 86_400_000;

function tickThread({ id, by }: TickThread, world: World, now: number): Decision {
  const thread = world.get("thread", id);
  if (thread === undefined) return refuse(refusal("not_found", "no such thread"));
  if (thread.forgetAt === undefined || thread.forgetAt > now) return accept("thread", id, []);
  if (!isWaiting(thread, world)) return accept("thread", id, forgetThread(id, world, now, by));
  const later = { ...thread, forgetAt: now + LOOK_AGAIN_MS };
  const fact = { type: "thread.kept", thread: later } as const;
  return accept("thread", id, [
    { kind: "thread", id, fact, at: now, actor: actorText(by), audience: thread.createdBy },
  ]);
}

export function decideThread(command: ThreadCommand, world: World, { now }: Context): Decision {
  if (command.kind === "tick_thread") return tickThread(command, world, now);
  const { by, threadId } = command;
  if (!mayPlace(by)) return refuse(refusal("not_allowed", `a key with the role ${by.role} has no threads`));
  const id = threadKeyId(by.name, threadId);
  const state = (fact: ThreadFact): Decision =>
    accept("thread", id, [{ kind: "thread", id, fact, at: now, actor: actorText(by), audience: by.name }]);
  if (command.kind === "forget_thread") {
    if (world.get("thread", id) === undefined) return refuse(refusal("not_found", "no such thread"));
    return accept("thread", id, [forgotten(id, by.name, now, by)]);
  }
  const { data, ifVersion, waitsFor } = command;
  if (ifVersion !== undefined && ifVersion !== world.version("thread", id)) {
    return refuse(refusal("precondition_failed", "the thread has changed since you read it"));
  }
  const retainMs = world.get("workspace", "settings")?.retainMs;
  return state({
    type: "thread.kept",
    thread: {
      ...{ threadId, createdBy: by.name, data, keptAt: now },
      ...(waitsFor === undefined ? {} : { waitsFor }),
      ...(retainMs === undefined ? {} : { retainMs, forgetAt: now + retainMs }),
    },
  });
}
