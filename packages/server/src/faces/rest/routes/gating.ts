/** Rules, checks, coverage and grants. */

import {
  checkRules,
  evaluate,
  explainRule,
  isAbout,
  NO_RULES,
  type RuleSet,
  replay,
} from "@holdpoint/protocol/gating";
import type { Kind } from "../../../domains.ts";
import { contentDigest } from "../../../engine/seal.ts";
import { CURRENT, type Grant, type RulesVersion, ruleAt, versionId } from "../../../kernel/gating/gating.ts";
import { type Principal, seesAll } from "../../../kernel/principal.ts";
import type { Need } from "../../../kernel/world.ts";
import { fail } from "../../http/failure.ts";
import { checkCall, recordStandingCalls } from "../calls/checks.ts";
import { writeCursor } from "../calls/cursor.ts";
import { pageOf } from "../calls/page.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import { presentCheck, presentGrant, presentRules, refOf, ruleSetOf } from "../gating-map.ts";
import { ifVersion } from "../if-version.ts";
import type { Routes } from "../operations.ts";
import { unmetRules } from "../unmet-rules.ts";
import { readCoverage, suggestionsOf } from "./coverage.ts";

import { recordedChecks } from "./recorded-checks.ts";

const REPLAY_PAGE = 500;

export const gating = {
  async getRules({ workspace, by }, deps) {
    refuseAgents(by);
    return rulesReply(workspace, await currentRules(workspace, deps), deps);
  },

  async publishRules(call, deps) {
    const { workspace, by, body } = call;
    const { note, ...set } = body;
    const result = await deps.engine.run({
      ...{ kind: "publish_rules", workspace, by, set: ruleSetOf(set), source: "api" },
      ...(note === undefined ? {} : { note }),
      ...ifVersion(call.headers["if-match"]),
    });
    accepted(result, by);
    return rulesReply(workspace, await currentRules(workspace, deps), deps);
  },

  async rulesHistory({ workspace, by, query }, deps) {
    refuseAgents(by);
    const { page, next } = await pageOf("rules_version", workspace, query, deps);
    return { status: 200, body: { versions: page.map(({ body }) => presentRules(body)), ...next } };
  },

  async tryRules({ workspace, by, body }, deps) {
    refuseAgents(by);
    const { rules, ...call } = body;
    const set = rules === undefined ? (await currentRules(workspace, deps))?.set : ruleSetOf(rules);
    if (set !== undefined) refuseInvalid(set, deps);
    const found = evaluate(set ?? NO_RULES, call, deps.engine.judge);
    const rule = ruleAt(set ?? NO_RULES, found.index);
    const { shadow } = found;
    return {
      status: 200,
      body: {
        verdict: found.verdict,
        reason: found.reason,
        rule: refOf(found.index, rule?.name),
        ...(rule === undefined ? {} : { explained: explainRule(rule) }),
        ...(shadow === undefined ? {} : { shadow: { verdict: shadow.verdict, rule: refOf(shadow.index) } }),
      },
    };
  },

  async replayRules({ workspace, by, body }, deps) {
    refuseAgents(by);
    const { cursor, limit = REPLAY_PAGE, ...given } = body;
    const set = ruleSetOf(given);
    refuseInvalid(set, deps);
    const { page, next } = await pageOf("check", workspace, { cursor, limit }, deps);
    const { checks, erased } = await recordedChecks(page, workspace, deps);
    return { status: 200, body: { ...replay(checks, set, deps.engine.judge), erased, ...next } };
  },

  async checkCall(call, deps) {
    return { status: 200, body: await checkCall(call, call.body, deps) };
  },

  async recordStandingCalls(call, deps) {
    return { status: 200, body: await recordStandingCalls(call, call.body, deps) };
  },

  async listChecks({ workspace, by, query }, deps) {
    refuseAgents(by);
    const { page, next } = await pageOf("check", workspace, query, deps);
    return { status: 200, body: { checks: page.map(({ body }) => presentCheck(body)), ...next } };
  },

  async coverage({ workspace, by, query }, deps) {
    refuseAgents(by);
    const rules = await currentRules(workspace, deps);
    const after = query.cursor === undefined ? undefined : readKeyCursor(query.cursor);
    const { tools, next } = await readCoverage(workspace, rules?.set ?? NO_RULES, after, deps);
    const cursor = next === undefined ? {} : { next_cursor: writeCursor(next) };
    return { status: 200, body: { rules_version: rules?.version ?? 0, tools, ...cursor } };
  },

  async listGrants({ workspace, by, query }, deps) {
    refuseAgents(by);
    const { page, next } = await pageOf("grant", workspace, query, deps);
    const isRuleSame = await ruleTest(workspace, deps);
    const grants = page.map(({ body }) => shownGrant(body, isRuleSame, deps));
    return { status: 200, body: { grants, ...next } };
  },

  async suggestGrants({ workspace, by, query }, deps) {
    refuseAgents(by);
    return { status: 200, body: { suggestions: await suggestionsOf(workspace, query.agent, deps) } };
  },

  async revokeGrant({ workspace, by, params }, deps) {
    const result = await deps.engine.run({ kind: "revoke_grant", workspace, by, grantId: params.id });
    const { body } = accepted(result, by);
    return { status: 200, body: shownGrant(body, await ruleTest(workspace, deps), deps) };
  },
} satisfies Routes;

/** Agents and apps are told verdicts, not the rules behind them. */
function refuseAgents(by: Principal): void {
  if (!seesAll(by))
    throw fail(
      "not_allowed",
      `a key with the role ${by.role} may not read rules and grants; use an operator key`,
    );
}

function refuseInvalid(set: RuleSet, { engine }: RestDeps): void {
  const problems = checkRules(set, engine.judge);
  if (problems.length > 0)
    throw fail("invalid_rules", "the rules contain errors; see `fields`", { problems });
}

async function currentRules(workspace: string, { engine }: RestDeps): Promise<RulesVersion | undefined> {
  const [current] = await engine.store.load([{ workspace, kind: "rules", id: CURRENT, read: true }]);
  if (current === undefined) return undefined;
  const id = versionId(current.body.version);
  const [version] = await engine.store.load([{ workspace, kind: "rules_version", id, read: true }]);
  return version?.body;
}

async function rulesReply(workspace: string, rules: RulesVersion | undefined, { engine }: RestDeps) {
  const { warnings, ...shown } = presentRules(rules);
  const load = (wants: readonly Need[]) =>
    engine.store.load(wants.map(({ kind, id }) => ({ workspace, kind: kind as Kind, id, read: true })));
  const unmet = await unmetRules(rules?.set ?? NO_RULES, load);
  const body = { ...shown, warnings: [...warnings, ...unmet] };
  return { status: 200, body, headers: { etag: `"${rules?.version ?? 0}"` } } as const;
}

/** Whether the rule that asked when a grant was made still asks today. If not, the grant is suspended. */
async function ruleTest(workspace: string, deps: RestDeps): Promise<(grant: Grant) => boolean> {
  const set = (await currentRules(workspace, deps))?.set ?? NO_RULES;
  const rules = new Set(set.rules.map((rule) => contentDigest(rule, "")));
  const byDefault = contentDigest({ default: set.default }, "");
  return ({ ruleDigest, agent, tool }) =>
    rules.has(ruleDigest) || (ruleDigest === byDefault && !isAbout(set, agent, tool));
}

function shownGrant(grant: Grant, isRuleSame: (grant: Grant) => boolean, { engine }: RestDeps) {
  return presentGrant(grant, engine.clock.now(), isRuleSame(grant));
}

/** The ids of coverage rows are names that agents chose, so the cursor may be any text that we wrote. */
function readKeyCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  if (writeCursor(id) !== cursor) throw fail("invalid_cursor");
  return id;
}
