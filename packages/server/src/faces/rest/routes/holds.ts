/** Holds: place, read, wait, list, answer, cancel. */

import { WAIT_SECONDS_MAX } from "@holdpoint/protocol";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import { type Hold, holdKeyId } from "../../../kernel/hold/hold.ts";
import { sees } from "../../../kernel/hold/who.ts";
import { type Principal, seesAll } from "../../../kernel/principal.ts";
import { intentIdOf } from "../../../openintent/rules/attachment.ts";
import { fail } from "../../http/failure.ts";
import { freshLink, handedUrl } from "../../http/links.ts";
import { presentHold } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import { holdInOf, linksOf } from "../map.ts";
import type { Routes } from "../operations.ts";

const PAGE = 50;

export const holds = {
  async placeHold(call, deps) {
    const { body, by, workspace } = call;
    refuseTarget(body.callback_url, deps);
    const now = deps.engine.clock.now();
    const id = `hold_${deps.ids.next(now)}`;
    const fresh = linksOf(body) === "agent" ? freshLink(deps.ids, now, { purpose: "review" }) : undefined;
    const made = { id, salt: deps.ids.salt(), newLinks: fresh === undefined ? [] : [fresh.link] };
    const hold = holdInOf(body, call.headers["idempotency-key"], made);
    const result = await deps.engine.run({ kind: "place_hold", workspace, by, hold });
    const entity = accepted(result, by);
    const isNew = result.ok && result.fresh;
    const url = handedUrl(deps.publicUrl, entity.body, fresh?.token, deps.engine.platform);
    return { status: isNew ? 201 : 200, body: presentHold(entity, by, url), headers: etagOf(entity) };
  },

  async listHolds(call, deps) {
    const { query, by, workspace } = call;
    const creator = seesAll(by) ? query.created_by : by.name;
    if (!seesAll(by) && query.created_by !== undefined && query.created_by !== by.name)
      return { status: 200, body: { holds: [] } };
    const limit = query.limit ?? PAGE;
    const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
    const page = await findHolds({ ...query, creator, workspace, by, after, limit }, deps);
    const forward = await Promise.all(page.holds.map((entity) => deps.holds.bringForward(entity)));
    const holds = forward.filter((hold) => fits(hold, { ...query, creator }));
    const next = page.next === null ? {} : { next_cursor: writeCursor(page.next) };
    return { status: 200, body: { holds: holds.map((hold) => presentHold(hold, by)), ...next } };
  },

  async getHold(call, deps) {
    const { workspace, by } = call;
    const waitMs = Math.min(call.query.wait ?? 0, WAIT_SECONDS_MAX) * 1000;
    const { id } = call.params;
    const found =
      waitMs === 0
        ? await visibleHold(id, workspace, by, deps)
        : await deps.holds.wait(workspace, id, waitMs, call.gone(), ({ body }) => sees(body, by, undefined));
    if (found === undefined) throw fail("not_found");
    const headers = etagOf(found);
    if (isKnown(call.headers["if-none-match"], headers.etag)) return { status: 304, headers };
    return { status: 200, body: presentHold(found, by), headers };
  },

  async answerHold(call, deps) {
    const { workspace, body, params } = call;
    const by = withClaimed(call.by, body.claimed);
    const result = await deps.engine.run({
      kind: "answer_hold",
      workspace,
      by,
      holdId: params.id,
      action: body.action,
      data: body.data ?? {},
      door: doorOf(call.by, call.header("x-holdpoint-door")),
      ...(body.shown === undefined ? {} : { shown: body.shown }),
      ...ifVersion(call.headers["if-match"]),
    });
    const entity = accepted(result, by);
    return { status: 200, body: presentHold(entity, by), headers: etagOf(entity) };
  },

  async withdrawVote({ workspace, by, params }, deps) {
    const result = await deps.engine.run({ kind: "withdraw_vote", workspace, by, holdId: params.id });
    const entity = accepted(result, by);
    return { status: 200, body: presentHold(entity, by), headers: etagOf(entity) };
  },

  async cancelHold(call, deps) {
    const { workspace, body, params } = call;
    const by = withClaimed(call.by, body.claimed);
    const { reason } = body;
    const command = { kind: "cancel_hold", workspace, by, holdId: params.id } as const;
    const result = await deps.engine.run(reason === undefined ? command : { ...command, reason });
    const entity = accepted(result, by);
    return { status: 200, body: presentHold(entity, by), headers: etagOf(entity) };
  },

  async eraseHold({ workspace, by, params }, deps) {
    const result = await deps.engine.run({ kind: "erase_hold", workspace, by, holdId: params.id });
    const entity = accepted(result, by);
    return { status: 200, body: presentHold(entity, by), headers: etagOf(entity) };
  },
} satisfies Routes;

export function refuseTarget(url: string | undefined, deps: RestDeps): void {
  const why = url === undefined ? null : deps.whyNotTarget(url);
  if (why !== null) throw fail("callback_refused", why);
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(",").map((one) => one.trim().replace(/^W\//, "")) ?? [];
  return known.includes(etag) || known.includes("*");
}

/** Replies `not_found` for another agent's hold. */
export async function visibleHold(
  id: string,
  workspace: string,
  by: Principal,
  deps: RestDeps,
): Promise<Entity<Hold>> {
  const found = await deps.holds.get(workspace, id);
  if (found === undefined || !sees(found.body, by, undefined)) throw fail("not_found");
  return found;
}

export function etagOf(entity: Entity<Hold>): { readonly etag: string } {
  return { etag: `"${entity.version}"` };
}

/** The command line and apps that relay answers name their door; every other caller used the API. */
export function doorOf({ via }: Principal, header: string | undefined): "console" | "rest" | "cli" | "agui" {
  if (via === "session") return "console";
  return header === "cli" || header === "agui" ? header : "rest";
}

export function withClaimed(by: Principal, claimed: object | undefined): Principal {
  return claimed === undefined ? by : { ...by, claimed: claimed as JsonObject };
}

function ifVersion(header: string | undefined): { readonly ifVersion?: number } {
  if (header === undefined || header === "*") return {};
  const match = /^(?:W\/)?"?(\d+)"?$/.exec(header.trim());
  if (match === null) throw fail("precondition_failed", "If-Match is not a version");
  return { ifVersion: Number(match[1]) };
}

/** Applies the filters that the index did not cover, to the current hold. */
function fits({ body }: Entity<Hold>, find: Partial<Find>): boolean {
  return (
    (find.status === undefined || body.status === find.status) &&
    (find.creator === undefined || body.createdBy === find.creator) &&
    (find.thread_id === undefined || body.threadId === find.thread_id) &&
    (find.intent_id === undefined || intentIdOf(body) === find.intent_id) &&
    (find.group_id === undefined || body.groupId === find.group_id)
  );
}

interface HoldPage {
  readonly holds: readonly Entity<Hold>[];
  readonly next: string | null;
}

interface Find {
  readonly workspace: string;
  readonly by: Principal;
  readonly creator?: string | undefined;
  readonly status?: Hold["status"];
  readonly q?: string;
  readonly key?: string;
  readonly thread_id?: string;
  readonly intent_id?: string;
  readonly group_id?: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

async function findHolds(find: Find, deps: RestDeps): Promise<HoldPage> {
  const { store } = deps.engine;
  const { workspace, creator, status, limit, after } = find;
  if (find.key !== undefined) return byKey(find, deps);
  const from = after === undefined ? {} : { after };
  if (find.q !== undefined) {
    const { q: text } = find;
    const only = {
      ...(status === undefined ? {} : { status }),
      ...(creator === undefined ? {} : { creator }),
    };
    const page = await store.searchHolds({ workspace, text, ...only, ...from, limit });
    return { holds: page.holds, next: page.resumeAfter };
  }
  const index = indexFor(find);
  const rows = await store.query({
    workspace,
    kind: "hold",
    ...(index === undefined ? {} : { index }),
    ...from,
    newestFirst: true,
    limit,
  });
  const next = rows.length < limit ? null : (rows.at(-1)?.id ?? null);
  return { holds: rows, next };
}

function indexFor({ creator, status, thread_id, intent_id, group_id }: Find) {
  if (thread_id !== undefined) return { name: "thread", value: thread_id };
  if (intent_id !== undefined) return { name: "intent", value: intent_id };
  if (group_id !== undefined) return { name: "group", value: group_id };
  if (creator !== undefined && status !== undefined)
    return { name: "creator_status", value: `${creator}\u0000${status}` };
  if (creator !== undefined) return { name: "creator", value: creator };
  return status === undefined ? undefined : { name: "status", value: status };
}

/** An idempotency key belongs to an agent, so a person who searches for one must name the agent too. */
async function byKey({ workspace, creator, key, by }: Find, deps: RestDeps): Promise<HoldPage> {
  const stubId = holdKeyId(creator ?? by.name, key ?? "");
  const [stub] = await deps.engine.store.load([{ workspace, kind: "hold_key", id: stubId, read: true }]);
  const holdId = stub?.body["holdId"];
  const hold = typeof holdId === "string" ? await deps.holds.get(workspace, holdId) : undefined;
  return { holds: hold === undefined ? [] : [hold], next: null };
}

export function writeCursor(id: string): string {
  return Buffer.from(id).toString("base64url");
}

export function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  if (!/^[\w.-]{1,200}$/.test(id)) throw fail("invalid_cursor");
  return id;
}
