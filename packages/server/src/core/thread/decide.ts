/** Keeping and forgetting threads. Two runs that read the same version cannot both go on: one of them keeps first. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { actorText, mayPlace, type Principal } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import { type ThreadFact, threadKeyId } from "./thread.ts";

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
}

export interface ForgetThread extends About {
  readonly kind: "forget_thread";
}

export type ThreadCommand = KeepThread | ForgetThread;

export function isThreadCommand(command: { readonly kind: string }): command is ThreadCommand {
  return command.kind === "keep_thread" || command.kind === "forget_thread";
}

export function threadNeeds({ by, threadId }: ThreadCommand): readonly Need[] {
  return [{ kind: "thread", id: threadKeyId(by.name, threadId) }];
}

export function decideThread(command: ThreadCommand, world: World, { now }: Context): Decision {
  const { by, threadId } = command;
  if (!mayPlace(by)) return refuse(refusal("not_allowed", `a key with the role ${by.role} has no threads`));
  const id = threadKeyId(by.name, threadId);
  const state = (fact: ThreadFact): Decision =>
    accept("thread", id, [{ kind: "thread", id, fact, at: now, actor: actorText(by), audience: by.name }]);
  if (command.kind === "forget_thread") {
    if (world.get("thread", id) === undefined) return refuse(refusal("not_found", "no such thread"));
    return state({ type: "thread.forgotten", thread: null });
  }
  const { data, ifVersion } = command;
  if (ifVersion !== undefined && ifVersion !== world.version("thread", id)) {
    return refuse(refusal("precondition_failed", "the thread has changed since you read it"));
  }
  return state({ type: "thread.kept", thread: { threadId, createdBy: by.name, data, keptAt: now } });
}
