/** Answers on their way to agents behind a proxy: seen by operators, decided by them where nobody knows. */

import { operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import type { Release } from "../../agui/rules/release/release.ts";
import type { Entity } from "../../kernel/entity.ts";
import { type Principal, seesAll } from "../../kernel/principal.ts";
import { type Call, type MountOptions, mount } from "../http/mount.ts";
import { time } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";
import type { RestDeps } from "./deps.ts";
import { accepted } from "./refusals.ts";

const PAGE = 50;

export function mountReleases(app: Hono, deps: RestDeps, options: MountOptions): void {
  mount(app, operations.listReleases, (call) => list(call, deps), options);
  mount(app, operations.getRelease, (call) => read(call, deps), options);
  mount(app, operations.decideRelease, (call) => decide(call, deps), options);
}

async function list({ workspace, by, query }: Call<typeof operations.listReleases>, deps: RestDeps) {
  onlyForPeople(by);
  const { state, cursor } = query;
  const found = await deps.engine.store.query({
    ...{ workspace, kind: "release", newestFirst: true, limit: PAGE + 1 },
    ...(state === undefined ? {} : { index: { name: "state", value: state } }),
    ...(cursor === undefined ? {} : { after: cursor }),
  });
  const page = found.slice(0, PAGE);
  const next = found.length > PAGE ? page.at(-1)?.id : undefined;
  const releases = page.map((entity) => present(entity));
  return { status: 200, body: { releases, ...(next === undefined ? {} : { next_cursor: next }) } };
}

async function read({ workspace, by, params }: Call<typeof operations.getRelease>, deps: RestDeps) {
  onlyForPeople(by);
  const key = { workspace, kind: "release", id: params.id, read: true } as const;
  const [found] = await deps.engine.store.load([key]);
  if (found === undefined) throw new HttpTrouble({ code: "not_found" });
  return { status: 200, body: present(found) };
}

async function decide(call: Call<typeof operations.decideRelease>, deps: RestDeps) {
  const { workspace, by, params, body } = call;
  const { decision } = body;
  const command = { kind: "decide_release", workspace, by, groupId: params.id, decision } as const;
  return {
    status: 200,
    body: present(accepted(await deps.engine.run(command), by)),
  };
}

function onlyForPeople(by: Principal): void {
  if (!seesAll(by)) throw new HttpTrouble({ code: "not_allowed", detail: "operators see releases" });
}

function present({ body }: Entity<Release>) {
  return {
    id: body.id,
    proxy: body.proxy,
    thread_id: body.threadId,
    caller: body.caller,
    state: body.state,
    auto_resume: body.autoResume,
    idempotent: body.idempotent,
    attempt: body.attempt,
    ...(body.error === undefined ? {} : { error: body.error }),
    ...(body.decidedBy === undefined ? {} : { decided_by: body.decidedBy }),
    opened_at: time(body.openedAt),
    changed_at: time(body.changedAt),
  };
}
