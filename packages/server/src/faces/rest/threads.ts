/** What agents and apps keep about their conversations: read and replaced as a whole. */

import { operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import type { Entity } from "../../kernel/entity.ts";
import { mayPlace, type Principal } from "../../kernel/principal.ts";
import { type Thread, threadKeyId } from "../../kernel/thread/thread.ts";
import { CONVERSATION_LIMITS } from "../http/body.ts";
import { type Call, type MountOptions, mount } from "../http/mount.ts";
import { time } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";
import type { RestDeps } from "./deps.ts";
import { accepted } from "./refusals.ts";

export function mountThreads(app: Hono, deps: RestDeps, options: MountOptions): void {
  mount(app, operations.keepThread, (call) => keep(call, deps), { ...options, limits: CONVERSATION_LIMITS });
  mount(app, operations.getThread, (call) => read(call, deps), options);
  mount(app, operations.forgetThread, (call) => forget(call, deps), options);
}

async function keep({ workspace, by, params, body }: Call<typeof operations.keepThread>, deps: RestDeps) {
  const { data, if_version: ifVersion, waits_for: waitsFor } = body;
  const result = await deps.engine.run({
    ...({ kind: "keep_thread", workspace, by, threadId: params.id, data } as const),
    ...(ifVersion === undefined ? {} : { ifVersion }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
  });
  return { status: 200, body: presentThread(accepted(result, by)) };
}

async function read({ workspace, by, params }: Call<typeof operations.getThread>, deps: RestDeps) {
  return { status: 200, body: presentThread(await own(workspace, by, params.id, deps)) };
}

async function own(workspace: string, by: Principal, threadId: string, deps: RestDeps) {
  const id = threadKeyId(by.name, threadId);
  const [found] = await deps.engine.store.load([{ workspace, kind: "thread", id, read: true }]);
  if (found === undefined) throw new HttpTrouble({ code: "not_found" });
  return found;
}

async function forget({ workspace, by, params }: Call<typeof operations.forgetThread>, deps: RestDeps) {
  if (!mayPlace(by)) throw new HttpTrouble({ code: "not_allowed" });
  const before = await own(workspace, by, params.id, deps);
  accepted(await deps.engine.run({ kind: "forget_thread", workspace, by, threadId: params.id }), by);
  return { status: 200, body: presentThread(before) };
}

function presentThread({ version, body }: Entity<Thread>) {
  return { id: body.threadId, version, data: body.data, kept_at: time(body.keptAt) };
}
