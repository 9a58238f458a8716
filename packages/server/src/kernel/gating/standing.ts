/**
 * Standing permissions: where the rules allow every call of a tool, a check says so, and for a short time the caller need not ask about
 * each call. It records the calls afterwards, many at once.
 *
 * S1  A permission is given only where no argument, hint or local file could change the verdict, and nothing in shadow mode watches.
 * S2  It lasts 250 ms, or what the operator chose, and is renewed only by rules that still allow every call. So rules that are
 *     published count for such calls within that time.
 * S3  A record is accepted only if the version that it names gave the permission.
 */

import { allowsEveryCall, NO_RULES, type RuleSet } from "@holdpoint/protocol/gating";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import type { Platform } from "../platform.ts";
import { actorText, mayPlace } from "../principal.ts";
import type { Need, World } from "../world.ts";
import type { RecordStanding } from "./commands.ts";
import { type Check, CURRENT, rulesIn, toolSeenId, versionId } from "./gating.ts";

interface Rules {
  readonly version: number;
  readonly set: RuleSet;
}

interface Caller {
  readonly agent: string;
  readonly tool: string;
  /** Present if the caller has allowed each call by rules of its own. */
  readonly localRules: string | undefined;
}

/** The permission that these rules give, if they give one. While nothing is published, the caller's own rules count alone. */
export function standing(
  { version, set }: Rules,
  { agent, tool, localRules }: Caller,
  { standingMs }: Pick<Platform, "standingMs">,
): Pick<Check, "standingMs"> {
  const isGiven = version === 0 ? localRules !== undefined : allowsEveryCall(set, agent, tool);
  return isGiven && standingMs > 0 ? { standingMs } : {};
}

export function standingNeeds(command: RecordStanding, world: World): readonly Need[] {
  const { by, check, shard } = command;
  const current = world.get("rules", CURRENT)?.version ?? 0;
  const versions = [...new Set([check.version, current])].filter((version) => version > 0);
  return [
    { kind: "rules", id: CURRENT, read: true },
    { kind: "check", id: check.id },
    { kind: "tool_seen", id: toolSeenId(by.name, check.tool, shard) },
    { kind: "agent_checks", id: by.name },
    ...versions.map((version) => ({ kind: "rules_version", id: versionId(version), read: true }) as const),
  ];
}

export function recordStanding(command: RecordStanding, draft: Draft, { now, platform }: Context): Reply {
  const { by, check: given, shard, retainMs } = command;
  if (!mayPlace(by))
    return refuse(
      failure("not_allowed", `a key with the role ${by.role} may not check calls; use an agent or app key`),
    );
  const { id, salt, tool, calls, version, annotations, session, localRules } = given;
  const caller = { agent: by.name, tool, localRules };
  if (standing(rulesOf(version, draft), caller, { standingMs: 1 }).standingMs === undefined)
    return refuse(
      failure(
        "not_allowed",
        `version ${version} of the rules does not allow every call of this tool; check each call before it runs`,
      ),
    );
  const check: Check = {
    ...{ id, salt, tool, calls, version, agent: by.name, at: now, args: null, index: null },
    ...{ verdict: "allow", ruled: "allow", reason: "The rules allow every call of this tool." },
    ...(annotations === undefined ? {} : { annotations }),
    ...(session === undefined ? {} : { session }),
    ...(localRules === undefined ? {} : { localRules }),
    ...standing(rulesIn(draft), caller, platform),
    dropAt: now + retainMs,
  };
  const fact = { type: "check.recorded", check, args: {}, shard } as const;
  draft.state({ kind: "check", id, fact, at: now, actor: actorText(by), audience: by.name });
  return accept(id);
}

function rulesOf(version: number, world: World): Rules {
  if (version === 0) return { version, set: NO_RULES };
  return { version, set: world.get("rules_version", versionId(version))?.set ?? NO_RULES };
}
