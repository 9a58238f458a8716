/** State that agents and apps store about their conversations; it is read and replaced as a whole. */

import type { ThreadIn, ThreadOut } from "@holdpoint/protocol";
import type { Entity } from "../../../kernel/entity.ts";
import { mayPlace } from "../../../kernel/principal.ts";
import { type Thread, threadKeyId } from "../../../kernel/thread/thread.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import type { CallDeps, Caller } from "./caller.ts";

export async function keepThread(
  { workspace, by }: Caller,
  threadId: string,
  { data, if_version: ifVersion, waits_for: waitsFor }: ThreadIn,
  deps: CallDeps,
): Promise<ThreadOut> {
  const result = await deps.engine.run({
    ...({ kind: "keep_thread", workspace, by, threadId, data } as const),
    ...(ifVersion === undefined ? {} : { ifVersion }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
  });
  return presentThread(accepted(result, by));
}

export async function getThread(caller: Caller, threadId: string, deps: CallDeps): Promise<ThreadOut> {
  return presentThread(await ownThread(caller, threadId, deps));
}

/** Returns the thread as it was. */
export async function forgetThread(caller: Caller, threadId: string, deps: CallDeps): Promise<ThreadOut> {
  const { workspace, by } = caller;
  if (!mayPlace(by)) throw fail("not_allowed");
  const before = await ownThread(caller, threadId, deps);
  accepted(await deps.engine.run({ kind: "forget_thread", workspace, by, threadId }), by);
  return presentThread(before);
}

async function ownThread({ workspace, by }: Caller, threadId: string, deps: CallDeps) {
  const id = threadKeyId(by.name, threadId);
  const [found] = await deps.engine.store.load([{ workspace, kind: "thread", id, read: true }]);
  if (found === undefined) throw fail("not_found");
  return found;
}

function presentThread({ version, body }: Entity<Thread>): ThreadOut {
  return { id: body.threadId, version, data: body.data, kept_at: time(body.keptAt) };
}
