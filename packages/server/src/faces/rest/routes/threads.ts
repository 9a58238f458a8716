/** State that agents and apps store about their conversations; it is read and replaced as a whole. */

import type { Entity } from "../../../kernel/entity.ts";
import { mayPlace, type Principal } from "../../../kernel/principal.ts";
import { type Thread, threadKeyId } from "../../../kernel/thread/thread.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

export const threads = {
  async keepThread({ workspace, by, params, body }, deps) {
    const { data, if_version: ifVersion, waits_for: waitsFor } = body;
    const result = await deps.engine.run({
      ...({ kind: "keep_thread", workspace, by, threadId: params.id, data } as const),
      ...(ifVersion === undefined ? {} : { ifVersion }),
      ...(waitsFor === undefined ? {} : { waitsFor }),
    });
    return { status: 200, body: presentThread(accepted(result, by)) };
  },

  async getThread({ workspace, by, params }, deps) {
    return { status: 200, body: presentThread(await own(workspace, by, params.id, deps)) };
  },

  async forgetThread({ workspace, by, params }, deps) {
    if (!mayPlace(by)) throw fail("not_allowed");
    const before = await own(workspace, by, params.id, deps);
    accepted(await deps.engine.run({ kind: "forget_thread", workspace, by, threadId: params.id }), by);
    return { status: 200, body: presentThread(before) };
  },
} satisfies Routes;

async function own(workspace: string, by: Principal, threadId: string, deps: RestDeps) {
  const id = threadKeyId(by.name, threadId);
  const [found] = await deps.engine.store.load([{ workspace, kind: "thread", id, read: true }]);
  if (found === undefined) throw fail("not_found");
  return found;
}

function presentThread({ version, body }: Entity<Thread>) {
  return { id: body.threadId, version, data: body.data, kept_at: time(body.keptAt) };
}
