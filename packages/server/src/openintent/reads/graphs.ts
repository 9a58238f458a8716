/** Reads graphs of intents with a few bounded queries, however large the graph is. */

import type { EntityOf } from "../../domains.ts";
import type { Reader } from "../../store/port.ts";
import { dependentIds as listOfDependents } from "../rules/graph/dependents.ts";
import { unmetOf } from "../rules/graph/gate.ts";
import { pagedIdsNeeds } from "../rules/graph/paged-ids.ts";
import {
  type Aggregate,
  aggregateOf,
  childCountsId,
  NO_MEMBERS,
  type StatusCounts,
} from "../rules/graph/status-counts.ts";
import { childStatus, type Intent, type IntentStatus, SUSPENDED } from "../rules/intent/intent.ts";

type Found = EntityOf<"intent">;

const WINDOW = 500;
/** The most blocking and ready intents that a parent lists. */
const NAMED_MAX = 100;

export async function loadIntents(
  store: Reader,
  workspace: string,
  ids: readonly string[],
): Promise<readonly Found[]> {
  const found = await loadAll(store, workspace, "intent", ids);
  return ids.map((id) => found.get(id)).filter((intent) => intent !== undefined);
}

async function loadAll<K extends string>(
  store: Reader,
  workspace: string,
  kind: K,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EntityOf<K>>> {
  if (ids.length === 0) return new Map();
  const found = await store.load(ids.map((id) => ({ workspace, kind, id, read: true as const })));
  return new Map(found.map((entity) => [entity.id, entity]));
}

/** All entities of one index value, a page at a time. */
export async function* indexed<K extends string>(
  store: Reader,
  workspace: string,
  kind: K,
  index: { readonly name: string; readonly value: string },
): AsyncGenerator<readonly EntityOf<K>[]> {
  let after: string | undefined;
  for (;;) {
    const from = after === undefined ? {} : { after };
    const page = await store.query({ workspace, kind, index, ...from, limit: WINDOW });
    yield page;
    if (page.length < WINDOW) return;
    after = page.at(-1)?.id;
  }
}

export function children(store: Reader, { workspace, id }: Found): AsyncGenerator<readonly Found[]> {
  return indexed(store, workspace, "intent", { name: "parent", value: id });
}

/** A whole tree shares one index value, so one query finds all descendants without a search per level. */
export async function* descendants(
  store: Reader,
  { workspace, id, body }: Found,
): AsyncGenerator<readonly Found[]> {
  const value = body.path?.at(-1) ?? id;
  for await (const page of indexed(store, workspace, "intent", { name: "tree", value })) {
    yield page.filter((intent) => intent.body.path?.includes(id));
  }
}

export async function dependentIds(store: Reader, { workspace, body }: Found): Promise<readonly string[]> {
  const pageIds = pagedIdsNeeds(listOfDependents(body)).map(({ id }) => id);
  const pages = await loadAll(store, workspace, "roll", pageIds);
  return pageIds.flatMap((id) => pages.get(id)?.body.ids ?? []);
}

export async function statusCountsOf(store: Reader, workspace: string, id: string): Promise<StatusCounts> {
  return (await loadAll(store, workspace, "tally", [id])).get(id)?.body ?? NO_MEMBERS;
}

export interface Standing extends Aggregate {
  readonly blocking_intents: readonly string[];
  readonly ready_intents: readonly string[];
}

/** The status counts of a parent's children, or `undefined` if it has none. */
export async function standingOf(store: Reader, parent: Found): Promise<Standing | undefined> {
  const { workspace, id } = parent;
  const aggregate = aggregateOf(await statusCountsOf(store, workspace, childCountsId(id)));
  if (aggregate.total === 0) return undefined;
  const inStatus = async (status: IntentStatus) => {
    if (aggregate.by_status[status] === 0) return [];
    const index = { name: "child_status", value: childStatus(id, status) };
    return store.query({ workspace, kind: "intent", index, limit: NAMED_MAX });
  };
  const [blocked, suspended, drafts, active] = await Promise.all(
    (["blocked", SUSPENDED, "draft", "active"] as const).map(inStatus),
  );
  const waitedFor = (blocked ?? []).flatMap(({ body }) => unmetOf(body));
  const blocking = new Set([...(suspended ?? []).map((each) => each.id), ...waitedFor]);
  const ready = [...(drafts ?? []), ...(active ?? [])].filter(({ body }) => isReady(body));
  return {
    ...aggregate,
    blocking_intents: [...blocking].slice(0, NAMED_MAX),
    ready_intents: ready.map((each) => each.id).slice(0, NAMED_MAX),
  };
}

/** The intent has not ended and all its dependencies are complete. */
export function isReady(intent: Intent): boolean {
  return (intent.status === "draft" || intent.status === "active") && unmetOf(intent).length === 0;
}

/** The first children that are not complete, up to the limit. */
export async function openChildren(store: Reader, workspace: string, id: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const status of ["draft", "active", "blocked", SUSPENDED, "abandoned"] as const) {
    const index = { name: "child_status", value: childStatus(id, status) };
    const limit = NAMED_MAX - found.length;
    if (limit > 0)
      found.push(...(await store.query({ workspace, kind: "intent", index, limit })).map((each) => each.id));
  }
  return found;
}
