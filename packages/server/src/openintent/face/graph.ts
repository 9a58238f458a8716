/** Graphs: parents and children, dependencies and dependents. What the caller may not read is in no list. */

import type { Hono } from "hono";
import type { EntityOf } from "../../domains.ts";
import { type Call, type MountOptions, mount } from "../../faces/http/mount.ts";
import { children, dependentIds, descendants, isReady, loadIntents } from "../reads/graphs.ts";
import { aggregateOf } from "../rules/graph/status-counts.ts";
import type { Intent, IntentStatus } from "../rules/intent/intent.ts";
import { may } from "../rules/intent/who.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { enter, ifMatchOrRefuse, ranAndSeen } from "./enter.ts";
import { create } from "./intents.ts";
import { operations } from "./operations/index.ts";
import { presentIntent } from "./present.ts";

type Found = EntityOf<"intent">;
type Pages = AsyncIterable<readonly Found[]>;

export function mountGraph(app: Hono, deps: OpenIntentDeps, options: MountOptions): void {
  const list = (operation: typeof operations.listChildren, name: string, pagesOf: PagesOf) =>
    mount(app, operation, (call) => listed(call, name, pagesOf, deps), options);
  const { store } = deps.engine;
  mount(app, operations.createChild, (call) => child(call, deps), options);
  list(operations.listChildren, "children", (intent) => children(store, intent));
  list(as(operations.listDescendants), "descendants", (intent) => descendants(store, intent));
  list(as(operations.listAncestors), "ancestors", ({ workspace, body }) =>
    one(() => loadIntents(store, workspace, body.path ?? [])),
  );
  list(as(operations.listDependencies), "dependencies", ({ workspace, body }) =>
    one(() => loadIntents(store, workspace, body.dependsOn)),
  );
  list(as(operations.listDependents), "dependents", (intent) =>
    one(async () => loadIntents(store, intent.workspace, await dependentIds(store, intent))),
  );
  list(as(operations.listReady), "ready", (intent) => only(children(store, intent), isReady));
  list(as(operations.listBlocked), "blocked", (intent) =>
    only(children(store, intent), ({ status }) => status === "blocked"),
  );
  mount(app, operations.getGraph, (call) => graph(call, deps), options);
  mount(app, operations.addDependency, (call) => addDependency(call, deps), options);
  mount(app, operations.removeDependency, (call) => removeDependency(call, deps), options);
}

/** The lists differ in their names alone. */
function as(operation: unknown): typeof operations.listChildren {
  return operation as typeof operations.listChildren;
}

type PagesOf = (intent: Found) => Pages;

async function* one(load: () => Promise<readonly Found[]>): Pages {
  yield await load();
}

async function* only(pages: Pages, wanted: (intent: Intent) => boolean): Pages {
  for await (const page of pages) yield page.filter(({ body }) => wanted(body));
}

async function child(call: Call<typeof operations.createChild>, deps: OpenIntentDeps) {
  await enter(call.params.id, call, deps);
  return create({ ...call, body: { ...call.body, parent_intent_id: call.params.id } }, deps);
}

const PAGE = 500;

async function listed(
  call: Call<typeof operations.listChildren>,
  name: string,
  pagesOf: PagesOf,
  deps: OpenIntentDeps,
) {
  const { by, query } = call;
  const { limit = PAGE, offset = 0 } = query;
  const { intent } = await enter(call.params.id, call, deps);
  const now = deps.engine.clock.now();
  const found: Found[] = [];
  for await (const page of pagesOf(intent)) {
    found.push(...page.filter(({ body }) => may(body, by, "read", now)));
    if (found.length >= offset + limit) break;
  }
  const seen = await deps.intents.see(found.slice(offset, offset + limit));
  return { status: 200, body: { [name]: seen.map((each) => presentIntent(each, by)) } };
}

async function graph(call: Call<typeof operations.getGraph>, deps: OpenIntentDeps) {
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
}

function nodeOf({ id, title, status, parentId, dependsOn }: Intent) {
  return { id, title, status, parent_id: parentId ?? null, depends_on: [...dependsOn] };
}

/** From the parent to the child, and from what is depended on to who depends. */
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

function addDependency(call: Call<typeof operations.addDependency>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const on = { workspace, by, intentId: params.id, ifVersion: ifMatchOrRefuse(call) } as const;
  return ranAndSeen({ kind: "add_dependency", ...on, dependencyId: body.dependency_id }, deps);
}

function removeDependency(call: Call<typeof operations.removeDependency>, deps: OpenIntentDeps) {
  const { workspace, by, params } = call;
  const on = { workspace, by, intentId: params.id, ifVersion: ifMatchOrRefuse(call) } as const;
  return ranAndSeen({ kind: "remove_dependency", ...on, dependencyId: params.dependency_id }, deps);
}
