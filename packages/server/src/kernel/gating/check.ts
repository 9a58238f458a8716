/**
 * Puts one tool call before the rules. The verdict is recorded in the log together with everything that follows from
 * it: a hold that asks people, or a grant that was used.
 */

import {
  type AskRules,
  askRules,
  type Evaluation,
  evaluate,
  matchesGrant,
  type ToolCall,
} from "@holdpoint/protocol/gating";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { HoldIn } from "../hold/commands.ts";
import type { Hold } from "../hold/hold.ts";
import { placeNeeds, placeOne } from "../hold/place.ts";
import { settle } from "../hold/settle.ts";
import { must } from "../must.ts";
import { actorText, mayPlace, SYSTEM } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { type Answered, type Asked, callIdFor, holdOf } from "./ask.ts";
import type { CheckCall } from "./commands.ts";
import { earlier } from "./earlier.ts";
import {
  type Call,
  type Check,
  CURRENT,
  digestOf,
  exactListId,
  type Grant,
  rangeListId,
  ruleAt,
  rulesIn,
  toolAnswersId,
  toolSeenId,
  versionId,
} from "./gating.ts";
import { GRANTED_REASON, grantIdOf } from "./granted.ts";
import { usableGrant } from "./grants.ts";
import { cancelReplaced, replacedNeeds } from "./replaced.ts";
import { standing } from "./standing.ts";

export function callOf({ by, check }: Pick<CheckCall, "by" | "check">): ToolCall {
  const { tool, args, annotations } = check;
  return { agent: by.name, tool, args, ...(annotations === undefined ? {} : { annotations }) };
}

export function checkNeeds(command: CheckCall, world: World): readonly Need[] {
  const call = callOf(command);
  const { agent, tool } = call;
  const current = world.get("rules", CURRENT);
  const seenId = toolSeenId(agent, tool, command.shard);
  const needs: Need[] = [
    { kind: "rules", id: CURRENT, read: true },
    { kind: "check", id: command.check.id },
    { kind: "tool_seen", id: seenId },
  ];
  if (current !== undefined)
    needs.push({ kind: "rules_version", id: versionId(current.version), read: true });
  const { set } = rulesIn(world);
  const asking = command.check.atLeast === "ask" ? [...askRules(set, call), null] : askRules(set, call);
  if (asking.length > 0) needs.push(...askNeeds(command, asking, call, world));
  if (asking.length > 0 || world.get("tool_seen", seenId) === undefined)
    needs.push({ kind: "agent_checks", id: agent });
  return needs;
}

function askNeeds(command: CheckCall, asking: AskRules, call: ToolCall, world: World): readonly Need[] {
  const { agent, tool, args } = call;
  const needs: Need[] = [];
  for (const id of callIds(command)) {
    needs.push({ kind: "call", id });
    const holdId = world.get("call", id)?.holdId;
    if (holdId === undefined) continue;
    const hold = world.get("hold", holdId);
    const grantId = hold === undefined ? undefined : grantIdOf(hold);
    needs.push({ kind: "hold", id: holdId });
    if (grantId !== undefined) needs.push({ kind: "grant", id: grantId });
  }
  needs.push({ kind: "tool_answers", id: toolAnswersId(agent, tool) });
  for (const id of [exactListId(agent, tool, command.argsDigest), rangeListId(agent, tool)]) {
    needs.push({ kind: "grant_list", id });
    const matching = (world.get("grant_list", id)?.grants ?? []).filter((grant) =>
      matchesGrant(grant.args, args),
    );
    needs.push(...matching.map((grant) => ({ kind: "grant", id: grant.id })));
  }
  const { set } = rulesIn(world);
  for (const index of asking) {
    const hold = holdOf(command, { index, rule: ruleAt(set, index) });
    needs.push(...placeNeeds(hold, command.by, world));
  }
  return [...needs, ...replacedNeeds(command, asking, world)];
}

function callIds({ callId, sessionCallId }: CheckCall): readonly string[] {
  return sessionCallId === undefined ? [callId] : [callId, sessionCallId];
}

export function checkCall(command: CheckCall, draft: Draft, context: Context): Reply {
  const { by } = command;
  if (!mayPlace(by))
    return refuse(
      failure("not_allowed", `a key with the role ${by.role} may not check calls; use an agent or app key`),
    );
  const { version, set } = rulesIn(draft);
  const published = evaluate(set, callOf(command), context.judge);
  const evaluation = version === 0 ? alone(published, command.check) : stricter(published, command.check);
  const known = { command, version, evaluation };
  if (evaluation.verdict !== "ask") return record(known, { verdict: evaluation.verdict }, draft, context);
  const rule = ruleAt(set, evaluation.index);
  const ruleDigest = digestOf(set, evaluation.index, context);
  const asked: Asked = { index: evaluation.index, rule, ruleDigest, version };
  const before = earlier(command, asked, draft, context);
  if (before !== null) return record(known, before, draft, context);
  return ask(known, asked, draft, context);
}

/** While nothing is published, what the caller's own rules said counts. */
function alone(evaluation: Evaluation, { atLeast }: CheckCall["check"]): Evaluation {
  if (atLeast === undefined) return evaluation;
  return { index: null, verdict: atLeast, reason: LOCAL_REASONS[atLeast] };
}

/** What the caller's own rules said counts if it is stricter. */
function stricter(evaluation: Evaluation, { atLeast }: CheckCall["check"]): Evaluation {
  const isStricter = atLeast === "deny" ? evaluation.verdict !== "deny" : evaluation.verdict === "allow";
  if (atLeast === undefined || atLeast === "allow" || !isStricter) return evaluation;
  return { ...evaluation, index: null, verdict: atLeast, reason: LOCAL_REASONS[atLeast] };
}

const LOCAL_REASONS = {
  allow: "The caller's own rules allow this call, and no others are published.",
  ask: "The caller's own rules say that a person decides.",
  deny: "The caller's own rules deny this call.",
} as const;

interface Known {
  readonly command: CheckCall;
  readonly version: number;
  readonly evaluation: Evaluation;
}

/** A grant answers the call, or people are asked. */
function ask(known: Known, asked: Asked, draft: Draft, context: Context): Reply {
  const { command } = known;
  const { by } = command;
  cancelReplaced(command, asked, draft, context);
  const grant = usableGrant(command, asked, draft, context);
  if (grant !== undefined)
    draft.state({
      ...{ kind: "grant", id: grant.id, at: context.now, actor: actorText(by), audience: by.name },
      fact: { type: "grant.matched", isUsed: !isSampled(grant) },
    });
  if (grant !== undefined && !isSampled(grant)) return granted(known, asked, grant, draft, context);
  const flooded = whyTooMany(by.name, draft, context);
  if (flooded !== null) return refuse(flooded);
  const hold = place(command, asked, draft, context);
  if ("ok" in hold) return hold;
  const call = newCall(command, asked, hold);
  return record(known, { verdict: "ask", holdId: hold.id, call }, draft, context);
}

/** Every nth matching call is still asked about. */
function isSampled({ sampleEvery, matched }: Grant): boolean {
  return sampleEvery !== undefined && (matched + 1) % sampleEvery === 0;
}

/** Answered by a grant: the hold is placed and decided in the same commit. The grant decided, not its minter (G5). */
function granted(known: Known, asked: Asked, grant: Grant, draft: Draft, context: Context): Reply {
  const { command } = known;
  const hold = place(command, asked, draft, context, forGrant);
  if ("ok" in hold) return hold;
  const by = { kind: "grant", id: grant.id } as const;
  settle(
    hold,
    { kind: "decided", action: "approve", data: {}, by, door: "grant", at: context.now },
    draft,
    SYSTEM,
  );
  const call = newCall(command, asked, hold);
  return record(
    known,
    { verdict: "allow", reason: GRANTED_REASON, holdId: hold.id, grantId: grant.id, call },
    draft,
    context,
  );
}

function place(
  command: CheckCall,
  asked: Asked,
  draft: Draft,
  context: Context,
  adapt: (hold: HoldIn) => HoldIn = (hold) => hold,
): Hold | Extract<Reply, { readonly ok: false }> {
  const reply = placeOne(adapt(holdOf(command, asked)), command.by, draft, context);
  return reply.ok ? must(draft.get("hold", reply.id), `hold ${reply.id}`) : reply;
}

/** Nobody is notified. One use of a grant is one execution, however often one approval of a person may be executed. */
function forGrant({ ask, ...hold }: HoldIn): HoldIn {
  const { uses: _uses, ...once } = ask;
  return { ...hold, ask: once, quiet: true };
}

function newCall(command: CheckCall, asked: Asked, hold: Hold): Call {
  const { by, check, argsDigest } = command;
  const { annotations } = check;
  const decision = asked.rule?.decision;
  return {
    id: callIdFor(command, asked),
    agent: by.name,
    tool: check.tool,
    holdId: hold.id,
    argsDigest,
    version: asked.version,
    ruleDigest: asked.ruleDigest,
    ...(annotations === undefined ? {} : { annotations }),
    ...(decision === undefined ? {} : { decision }),
  };
}

/** An agent that floods people with questions is stopped before they stop reading them. */
function whyTooMany(agent: string, draft: Draft, { platform }: Context): Failure | null {
  const open = draft.get("agent_checks", agent)?.open ?? 0;
  if (open < platform.maxOpenChecks) return null;
  return failure(
    "too_many_open",
    `${open} questions from checks of this agent are open, which is the limit; wait until people have answered some`,
  );
}

function record(known: Known, answered: Answered, draft: Draft, { now, platform }: Context): Reply {
  const { command, version, evaluation } = known;
  const { by, check: given, shard, retainMs } = command;
  const { id, salt, tool, args, annotations, session, threadId, localRules } = given;
  const { index, shadow, reason } = evaluation;
  const { call, ...ending } = answered;
  const { name } = ruleAt(rulesIn(draft).set, index) ?? {};
  const check: Check = {
    ...{ id, salt, tool, agent: by.name, at: now, version, index, reason, ruled: evaluation.verdict },
    ...ending,
    // The hold carries the arguments and is what people erase.
    args: ending.holdId === undefined ? args : null,
    ...(name === undefined ? {} : { rule: name }),
    ...(shadow === undefined ? {} : { shadow: { verdict: shadow.verdict, index: shadow.index } }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(session === undefined ? {} : { session }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(localRules === undefined ? {} : { localRules }),
    ...(answered.verdict === "allow" && ending.holdId === undefined
      ? standing(rulesIn(draft), { agent: by.name, tool, localRules }, platform)
      : {}),
    dropAt: now + retainMs,
  };
  const fact = {
    type: "check.recorded",
    check,
    args,
    shard,
    ...(call === undefined ? {} : { call }),
  } as const;
  draft.state({ kind: "check", id, fact, at: now, actor: actorText(by), audience: by.name });
  return accept(id);
}
