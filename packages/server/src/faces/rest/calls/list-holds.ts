/** Lists and searches holds. */

import type { HoldListOut, ListQuery } from "@holdpoint/protocol";
import type { Entity } from "../../../kernel/entity.ts";
import { type Hold, holdKeyId } from "../../../kernel/hold/hold.ts";
import { sees } from "../../../kernel/hold/who.ts";
import { type Principal, seesAll } from "../../../kernel/principal.ts";
import { intentIdOf } from "../../../openintent/rules/attachment.ts";
import type { HoldWhere } from "../../../store/port.ts";
import { fail } from "../../http/failure.ts";
import { presentNamed } from "../../http/vote-names.ts";
import type { CallDeps, Caller } from "./caller.ts";
import { readCursor, readPlace, writeCursor, writePlace } from "./cursor.ts";
import { waitingFilter } from "./desk.ts";

const PAGE = 50;

/** An agent finds its own holds only. */
export async function listHolds(
  { workspace, by }: Caller,
  query: ListQuery,
  deps: CallDeps,
): Promise<HoldListOut> {
  const creator = seesAll(by) ? query.created_by : by.name;
  if (!seesAll(by) && query.created_by !== undefined && query.created_by !== by.name) return { holds: [] };
  const limit = query.limit ?? PAGE;
  if (isByWaiting(query)) return listWaiting({ workspace, by }, query, creator, limit, deps);
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const page = await findHolds({ ...query, creator, workspace, by, after, limit }, deps);
  const forward = await Promise.all(page.holds.map((entity) => deps.holds.bringForward(entity)));
  const holds = forward.filter((hold) => sees(hold.body, by, undefined) && fits(hold, { ...query, creator }));
  const next = page.next === null ? {} : { next_cursor: writeCursor(page.next) };
  return { holds: await presentNamed(holds, by, deps.engine.store), ...next };
}

/** Whether the lists of open holds serve it: sorted, and filtered by columns. */
function isByWaiting({ status, sort, q, ...query }: ListQuery): boolean {
  const isSorted = sort === "urgency" || sort === "oldest" || query.expires_by !== undefined;
  const isSearched = q !== undefined || isFiltered(query) || query.key !== undefined;
  const isLinked = query.thread_id ?? query.intent_id ?? query.group_id;
  if (isSorted && (status !== "open" || isSearched || isLinked !== undefined))
    throw fail(
      "invalid_query",
      "only lists of open holds without a search can be sorted by urgency or age, or limited by expiry",
    );
  const isColumn = [query.tool, query.type, query.assignee, query.unseen].some(
    (value) => value !== undefined,
  );
  return status === "open" && !isSearched && isLinked === undefined && (isSorted || isColumn);
}

/** Filters on how a hold ended, which are applied while holds are searched. */
function isFiltered(query: ListQuery): boolean {
  const { action, decided_by, door, settled_from, settled_before } = query;
  return [action, decided_by, door, settled_from, settled_before].some((value) => value !== undefined);
}

async function listWaiting(
  { workspace, by }: Caller,
  query: ListQuery,
  creator: string | undefined,
  limit: number,
  deps: CallDeps,
): Promise<HoldListOut> {
  const filter = waitingFilter(workspace, query);
  const after = query.cursor === undefined ? {} : { after: readPlace(query.cursor) };
  const page = await deps.engine.store.listWaiting({
    ...{ ...filter, order: query.sort ?? "newest", limit, ...after },
    ...(creator === undefined ? {} : { creator }),
  });
  const forward = await Promise.all(page.holds.map((entity) => deps.holds.bringForward(entity)));
  const holds = forward.filter(({ body }) => body.status === "open" && sees(body, by, undefined));
  const next = page.next === null ? {} : { next_cursor: writePlace(page.next) };
  return { holds: await presentNamed(holds, by, deps.engine.store), ...next };
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
  readonly tool?: string;
  readonly type?: string;
  readonly assignee?: string;
  readonly unseen?: "true";
  readonly action?: string;
  readonly decided_by?: string;
  readonly door?: string;
  readonly settled_from?: string;
  readonly settled_before?: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

function whereOf(find: Find): HoldWhere {
  const { tool, type, assignee, unseen, action, decided_by: by, door, settled_from, settled_before } = find;
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(type === undefined ? {} : { type }),
    ...(assignee === undefined ? {} : { assignee: assignee === "none" ? null : assignee }),
    ...(unseen === undefined ? {} : { isUnseen: true }),
    ...(action === undefined ? {} : { action }),
    ...(by === undefined ? {} : { by }),
    ...(door === undefined ? {} : { door }),
    ...(settled_from === undefined ? {} : { settledFrom: Date.parse(settled_from) }),
    ...(settled_before === undefined ? {} : { settledBefore: Date.parse(settled_before) }),
  };
}

async function findHolds(find: Find, deps: CallDeps): Promise<HoldPage> {
  const { store } = deps.engine;
  const { workspace, creator, status, limit, after } = find;
  if (find.key !== undefined) return byKey(find, deps);
  const from = after === undefined ? {} : { after };
  const where = whereOf(find);
  if (find.q !== undefined || Object.keys(where).length > 0) {
    const { q: text = "" } = find;
    const only = {
      ...(status === undefined ? {} : { status }),
      ...(creator === undefined ? {} : { creator }),
    };
    const page = await store.searchHolds({ workspace, text, where, ...only, ...from, limit });
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
async function byKey({ workspace, creator, key, by }: Find, deps: CallDeps): Promise<HoldPage> {
  const stubId = holdKeyId(creator ?? by.name, key ?? "");
  const [stub] = await deps.engine.store.load([{ workspace, kind: "hold_key", id: stubId, read: true }]);
  const holdId = stub?.body["holdId"];
  const hold = typeof holdId === "string" ? await deps.holds.get(workspace, holdId) : undefined;
  return { holds: hold === undefined ? [] : [hold], next: null };
}
