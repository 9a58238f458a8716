/** Intents: create, read, change. */

import type { EntityOf } from "../../../domains.ts";
import type { Call } from "../../../faces/http/mount.ts";
import type { Failure } from "../../../kernel/failure.ts";
import { collect } from "../../reads/collect.ts";
import { openChildren, standingOf } from "../../reads/graphs.ts";
import { effectivePolicy } from "../../rules/intent/governance.ts";
import type { Intent } from "../../rules/intent/intent.ts";
import type { Patch } from "../../rules/intent/patch.ts";
import { may } from "../../rules/intent/who.ts";
import type { OpenIntentDeps } from "../deps.ts";
import {
  enter,
  followed,
  fresh,
  ifMatchOrRefuse,
  intentReply,
  madeHold,
  ran,
  ranAndSeen,
  seenReply,
} from "../enter.ts";
import { refusedIntent } from "../errors.ts";
import type { operations, Routes } from "../operations/index.ts";
import { presentIntents, presentPolicy } from "../present.ts";

export const intents = {
  createIntent: create,

  /** The list leaves out intents that the caller may not read. */
  async listIntents(call, deps) {
    const { query, workspace, by } = call;
    const { limit = PAGE, offset = 0 } = query;
    const now = deps.engine.clock.now();
    const isShown = ({ body }: EntityOf<"intent">) => isWanted(body, query) && may(body, by, "read", now);
    const found = await collect(pages(workspace, query, deps), isShown, { offset, limit });
    const intents = await presentIntents(await deps.intents.see(found), by);
    return { status: 200, body: { intents, limit, offset } };
  },

  async getIntent(call, deps) {
    const seen = await enter(call.params.id, call, deps);
    const standing = await standingOf(deps.engine.store, seen.intent);
    const { body, ...reply } = await intentReply(seen, call.by);
    return { ...reply, body: { ...(body as object), ...(standing && { aggregate_status: standing }) } };
  },

  patchState(call, deps) {
    const { workspace, by, params, body } = call;
    const ifVersion = ifMatchOrRefuse(call);
    const patches: readonly Patch[] =
      body.patches?.map(({ op, path, value }) => ({ op, path, ...(value === undefined ? {} : { value }) })) ??
      Object.entries(body.state ?? {}).map(([name, value]) => ({
        op: "set",
        path: `/${escaped(name)}`,
        value,
      }));
    const command = { kind: "patch_state", workspace, by, intentId: params.id, patches, ifVersion } as const;
    return ranAndSeen({ ...command, made: madeHold(deps) }, deps);
  },

  async setStatus(call, deps) {
    const { workspace, by, params, body } = call;
    const ifVersion = ifMatchOrRefuse(call);
    const reason = body.reason ?? undefined;
    const command = {
      kind: "set_status",
      workspace,
      by,
      intentId: params.id,
      status: body.status,
      ifVersion,
    } as const;
    const made = madeHold(deps);
    const result = await deps.engine.run({ ...command, ...(reason === undefined ? {} : { reason }), made });
    if (!result.ok) throw refusedIntent(await withChildren(result.failure, call, deps));
    return seenReply({ entity: await followed(result.entity, deps) }, by, deps);
  },

  setGovernance: (call, deps) => governance(call, call.body, deps),

  async getGovernance(call, deps) {
    const { intent } = await enter(call.params.id, call, deps);
    const policy = intent.body.governance ?? null;
    const body = {
      intent_id: intent.id,
      governance_policy: policy,
      effective_policy: presentPolicy(effectivePolicy(policy ?? {})),
    };
    return { status: 200, body };
  },

  removeGovernance: (call, deps) => governance(call, null, deps),

  async assignAgent(call, deps) {
    const { workspace, by, params, body } = call;
    await ran({ kind: "assign_agent", workspace, by, intentId: params.id, agentId: body.agent_id }, deps);
    return { status: 200, body: { intent_id: params.id, agent_id: body.agent_id } };
  },

  async unassignAgent(call, deps) {
    const { workspace, by, params } = call;
    await ran({ kind: "unassign_agent", workspace, by, intentId: params.id, agentId: params.agent_id }, deps);
    return { status: 204 };
  },
} satisfies Routes;

export function create(
  call: Pick<Call<typeof operations.createIntent>, "workspace" | "by" | "body">,
  deps: OpenIntentDeps,
) {
  const { workspace, by, body } = call;
  const parentId = body.parent_intent_id ?? body.parent_id ?? undefined;
  const { governance_policy: governance, status: wanted } = body;
  const intent = {
    id: fresh("intent", deps),
    title: body.title,
    description: body.description ?? "",
    dependsOn: [...new Set(body.depends_on ?? [])],
    constraints: body.constraints ?? {},
    state: body.state ?? {},
    confidence: body.confidence ?? 0,
    ...(parentId === undefined ? {} : { parentId }),
    ...(governance === null || governance === undefined ? {} : { governance }),
    ...(deps.activationGate === "soft" ? { gate: "soft" as const } : {}),
    ...(deps.defaultAccess === undefined ? {} : { access: deps.defaultAccess }),
  };
  const status = wanted === null || wanted === undefined ? {} : { status: wanted };
  return ranAndSeen({ kind: "create_intent", workspace, by, intent, ...status }, deps);
}

const PAGE = 50;
const WINDOW = 200;

type ListQuery = Call<typeof operations.listIntents>["query"];

function isWanted({ status, createdBy, parentId }: Intent, query: ListQuery): boolean {
  return (
    (query.status ?? status) === status &&
    (query.created_by ?? createdBy) === createdBy &&
    (query.parent_intent_id ?? parentId) === parentId
  );
}

/** Uses the index with the fewest matches; newest first. */
async function* pages(workspace: string, query: ListQuery, { engine }: OpenIntentDeps) {
  const index = indexFor(query);
  let after: string | undefined;
  for (;;) {
    const page = await engine.store.query({
      workspace,
      kind: "intent",
      ...(index === undefined ? {} : { index }),
      ...(after === undefined ? {} : { after }),
      newestFirst: true,
      limit: WINDOW,
    });
    yield page;
    if (page.length < WINDOW) return;
    after = page.at(-1)?.id;
  }
}

function indexFor({ status, created_by: creator, parent_intent_id: parent }: ListQuery) {
  if (parent !== undefined) return { name: "parent", value: parent };
  if (creator !== undefined) return { name: "creator", value: creator };
  return status === undefined ? undefined : { name: "status", value: status };
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Adds the first incomplete children to the refusal `children_incomplete`. */
async function withChildren(refused: Failure, call: Call<typeof operations.setStatus>, deps: OpenIntentDeps) {
  if (refused.code !== "children_incomplete") return refused;
  const blocking = await openChildren(deps.engine.store, call.workspace, call.params.id);
  return { ...refused, detail: { blocking_intents: [...blocking] } };
}

type GovernanceCall = Call<typeof operations.setGovernance> | Call<typeof operations.removeGovernance>;

function governance(call: GovernanceCall, policy: Intent["state"] | null, deps: OpenIntentDeps) {
  const { workspace, by, params } = call;
  const ifVersion = ifMatchOrRefuse(call);
  return ranAndSeen({ kind: "set_governance", workspace, by, intentId: params.id, policy, ifVersion }, deps);
}
