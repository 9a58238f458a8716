/** Graphs: parents and children, dependencies and dependents. Lists leave out intents that the caller may not read. */

import type { EntityOf } from "../../../domains.ts";
import type { Call } from "../../../faces/http/mount.ts";
import type { Store } from "../../../store/port.ts";
import { collect } from "../../reads/collect.ts";
import { children, dependentIds, descendants, isReady, loadIntents } from "../../reads/graphs.ts";
import { aggregateOf } from "../../rules/graph/status-counts.ts";
import type { Intent, IntentStatus } from "../../rules/intent/intent.ts";
import { may } from "../../rules/intent/who.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, ifMatchOrRefuse, ranAndSeen } from "../enter.ts";
import type { operations, Routes } from "../operations/index.ts";
import { presentIntents } from "../present.ts";
import { create } from "./intents.ts";

type Found = EntityOf<"intent">;
type Pages = AsyncIterable<readonly Found[]>;

export const graph = {
  listChildren: listing("children", (intent, store) => children(store, intent)),
  listDescendants: listing("descendants", (intent, store) => descendants(store, intent)),
  listAncestors: listing("ancestors", ({ workspace, body }, store) =>
    one(() => loadIntents(store, workspace, body.path ?? [])),
  ),
  listDependencies: listing("dependencies", ({ workspace, body }, store) =>
    one(() => loadIntents(store, workspace, body.dependsOn)),
  ),
  listDependents: listing("dependents", (intent, store) =>
    one(async () => loadIntents(store, intent.workspace, await dependentIds(store, intent))),
  ),
  listReady: listing("ready", (intent, store) => only(children(store, intent), isReady)),
  listBlocked: listing("blocked", (intent, store) =>
    only(children(store, intent), ({ status }) => status === "blocked"),
  ),

  async createChild(call, deps) {
    await enter(call.params.id, call, deps);
    return create({ ...call, body: { ...call.body, parent_intent_id: call.params.id } }, deps);
  },

  async getGraph(call, deps) {
    const { intent } = await enter(call.params.id, call, deps);
    const now = deps.engine.clock.now();
    const all: Intent[] = [intent.body];
    for await (const page of descendants(deps.engine.store, intent)) {
      for (const { body } of page) if (may(body, call.by, "read", now)) all.push(body);
    }
    const inside = new Set(all.map(({ id }) => id));
    const body = {
      root_id: intent.id,
      nodes: all.map(nodeOf),
      edges: all.flatMap((each) => edgesOf(each, inside)),
      aggregate_status: aggregateOf({ counts: countsOf(all) }),
    };
    return { status: 200, body };
  },

  addDependency(call, deps) {
    const { workspace, by, params, body } = call;
    const on = { workspace, by, intentId: params.id, ifVersion: ifMatchOrRefuse(call) } as const;
    return ranAndSeen({ kind: "add_dependency", ...on, dependencyId: body.dependency_id }, deps);
  },

  removeDependency(call, deps) {
    const { workspace, by, params } = call;
    const on = { workspace, by, intentId: params.id, ifVersion: ifMatchOrRefuse(call) } as const;
    return ranAndSeen({ kind: "remove_dependency", ...on, dependencyId: params.dependency_id }, deps);
  },
} satisfies Routes;

type PagesOf = (intent: Found, store: Store) => Pages;

async function* one(load: () => Promise<readonly Found[]>): Pages {
  yield await load();
}

async function* only(pages: Pages, wanted: (intent: Intent) => boolean): Pages {
  for await (const page of pages) yield page.filter(({ body }) => wanted(body));
}

const PAGE = 500;

type ListCall = Pick<Call<typeof operations.listChildren>, "workspace" | "by" | "params" | "query">;

function listing(name: string, pagesOf: PagesOf) {
  return async (call: ListCall, deps: OpenIntentDeps) => {
    const { by, query } = call;
    const { limit = PAGE, offset = 0 } = query;
    const { intent } = await enter(call.params.id, call, deps);
    const now = deps.engine.clock.now();
    const isShown = ({ body }: Found) => may(body, by, "read", now);
    const found = await collect(pagesOf(intent, deps.engine.store), isShown, { offset, limit });
    return { status: 200, body: { [name]: await presentIntents(await deps.intents.see(found), by) } };
  };
}

function nodeOf({ id, title, status, parentId, dependsOn }: Intent) {
  return { id, title, status, parent_id: parentId ?? null, depends_on: [...dependsOn] };
}

/** Edges from parent to child, and from a dependency to its dependent. */
function edgesOf({ id, parentId, dependsOn }: Intent, inside: ReadonlySet<string>) {
  const parent = parentId !== undefined && inside.has(parentId) ? [parentId] : [];
  return [
    ...parent.map((from) => ({ from, to: id, type: "parent" })),
    ...dependsOn.filter((from) => inside.has(from)).map((from) => ({ from, to: id, type: "dependency" })),
  ];
}

function countsOf(intents: readonly Intent[]): Partial<Record<IntentStatus, number>> {
  const counts: Partial<Record<IntentStatus, number>> = {};
  for (const { status } of intents) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
