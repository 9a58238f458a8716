/** Portfolios: create, read, change, and their members. */

import type { EntityOf } from "../../../domains.ts";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { collect } from "../../reads/collect.ts";
import { indexed, loadIntents, statusCountsOf } from "../../reads/graphs.ts";
import { memberCountsId } from "../../rules/graph/status-counts.ts";
import { may } from "../../rules/intent/who.ts";
import type { PortfolioCommand, PortfolioPatch } from "../../rules/portfolio/commands.ts";
import { membershipId, type Portfolio } from "../../rules/portfolio/portfolio.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, fresh } from "../enter.ts";
import { refusedIntent } from "../errors.ts";
import type { Routes } from "../operations/index.ts";
import { presentIntents } from "../present.ts";
import { memberAggregate, presentMembership, presentPortfolio } from "../present-portfolio.ts";
import { progressOf } from "../progress.ts";

type Found = EntityOf<"portfolio">;

export const portfolios = {
  async createPortfolio(call, deps) {
    const { workspace, by, body } = call;
    const portfolio = {
      id: fresh("portfolio", deps),
      name: body.name,
      description: body.description ?? null,
      namespace: body.namespace ?? null,
      metadata: body.metadata ?? {},
      governance: { ...body.governance_policy, ...body.governance } as Portfolio["governance"],
      ...(deps.defaultAccess === undefined ? {} : { access: deps.defaultAccess }),
    };
    const made = await run({ kind: "create_portfolio", workspace, by, portfolio }, deps);
    return { status: 200, body: await shown(made, deps) };
  },

  async listPortfolios(call, deps) {
    const { workspace, query } = call;
    const { created_by: creator, limit = PAGE } = query;
    const index = creator === undefined ? {} : { index: { name: "creator", value: creator } };
    const found = await deps.engine.store.query({
      ...{ workspace, kind: "portfolio", ...index, newestFirst: true, limit },
    });
    const portfolios = await Promise.all(found.map((each) => shown(each, deps)));
    return { status: 200, body: { portfolios } };
  },

  async getPortfolio(call, deps) {
    const found = await enterPortfolio(call.params.id, call.workspace, deps);
    const progress = await progressOf(found, call.by, deps);
    // Loaded after its members, because reading those may have expired one of them.
    return { status: 200, body: { ...(await shown(found, deps)), progress } };
  },

  async getPortfolioProgress(call, deps) {
    const found = await enterPortfolio(call.params.id, call.workspace, deps);
    return { status: 200, body: await progressOf(found, call.by, deps) };
  },

  async changePortfolio(call, deps) {
    const { params, body } = call;
    const { name, status, metadata, description, namespace } = body;
    const governance = body.governance ?? body.governance_policy;
    const patch: PortfolioPatch = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(status === undefined ? {} : { status }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(governance === undefined ? {} : { governance: governance as Portfolio["governance"] }),
    };
    return change(call, params.id, patch, deps);
  },

  async setPortfolioStatus(call, deps) {
    const { params, body } = call;
    const patch = { status: body.status };
    return change(call, params.id, patch, deps);
  },

  async addMember(call, deps) {
    const { workspace, by, params, body } = call;
    const member = {
      id: fresh("member", deps),
      role: body.role ?? "member",
      priority: body.priority ?? 0,
    } as const;
    const where = { workspace, by, portfolioId: params.id, intentId: body.intent_id } as const;
    await run({ kind: "add_member", ...where, member }, deps);
    const id = membershipId(params.id, body.intent_id);
    const [kept] = await deps.engine.store.load([{ workspace, kind: "membership", id, read: true }]);
    if (kept === undefined) throw new Error("Invariant: a member that was added is not in the portfolio");
    return { status: 200, body: presentMembership(kept.body) };
  },

  async listMembers(call, deps) {
    const { workspace, by, params, query } = call;
    const { limit = MEMBERS_PAGE, offset = 0 } = query;
    await enterPortfolio(params.id, workspace, deps);
    const { store, clock } = deps.engine;
    const index = { name: "portfolio", value: params.id };
    async function* pages() {
      for await (const page of indexed(store, workspace, "membership", index))
        yield await loadIntents(
          store,
          workspace,
          page.map(({ body }) => body.intentId),
        );
    }
    const isShown = ({ body }: EntityOf<"intent">) => may(body, by, "read", clock.now());
    const found = await collect(pages(), isShown, { offset, limit });
    const intents = await presentIntents(await deps.intents.see(found), by);
    const aggregate_status = memberAggregate(
      await statusCountsOf(store, workspace, memberCountsId(params.id)),
    );
    return { status: 200, body: { intents, aggregate_status } };
  },

  async removeMember(call, deps) {
    const { workspace, by, params } = call;
    await run(
      { kind: "remove_member", workspace, by, portfolioId: params.id, intentId: params.intent_id },
      deps,
    );
    return { status: 204 };
  },

  async listPortfoliosOfIntent(call, deps) {
    const { workspace } = call;
    const { intent } = await enter(call.params.id, call, deps);
    const portfolios = await Promise.all(
      (intent.body.portfolios ?? []).map(async (id) =>
        shown(await enterPortfolio(id, workspace, deps), deps),
      ),
    );
    return { status: 200, body: { portfolios } };
  },
} satisfies Routes;

async function change(
  { workspace, by }: Pick<Call, "workspace" | "by">,
  portfolioId: string,
  patch: PortfolioPatch,
  deps: OpenIntentDeps,
) {
  let changed = await run({ kind: "change_portfolio", workspace, by, portfolioId, patch }, deps);
  // Members get a changed deadline in small batches. The caller is told when all of them have it.
  while (changed.body.deadlineFor !== undefined) {
    changed = await run({ kind: "tick_portfolio", workspace, by: SYSTEM, portfolioId }, deps);
  }
  return { status: 200, body: await shown(changed, deps) };
}

async function run(command: PortfolioCommand, { engine }: OpenIntentDeps): Promise<Found> {
  const result = await engine.run(command);
  if (!result.ok) throw refusedIntent(result.failure);
  return result.entity;
}

/** Every caller of the workspace may see a portfolio. Its members have access lists of their own. */
export async function enterPortfolio(
  id: string,
  workspace: string,
  { engine }: OpenIntentDeps,
): Promise<Found> {
  const [found] = await engine.store.load([{ workspace, kind: "portfolio", id, read: true }]);
  if (found === undefined) throw fail("not_found", "this workspace has no portfolio with this id");
  return found;
}

async function shown({ workspace, body }: Found, { engine }: OpenIntentDeps) {
  return presentPortfolio(body, await statusCountsOf(engine.store, workspace, memberCountsId(body.id)));
}

const PAGE = 100;

const MEMBERS_PAGE = 500;
