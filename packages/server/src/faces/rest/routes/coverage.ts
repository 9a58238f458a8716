/** Which tools agents were seen to call, and which of them no rule is about. */

import type { CoverageOut } from "@holdpoint/protocol";
import { isAbout, type RuleSet } from "@holdpoint/protocol/gating";
import type { ToolSeen } from "../../../kernel/gating/gating.ts";
import { time } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";

type Tool = CoverageOut["tools"][number];

const PAGE = 1_000;

/** Adds up the shards of each tool. Shards of one tool are neighbours, because the shard is the last part of the id. */
export async function readCoverage(
  workspace: string,
  set: RuleSet,
  after: string | undefined,
  { engine }: RestDeps,
): Promise<{ readonly tools: readonly Tool[]; readonly next?: string }> {
  const from = after === undefined ? {} : { after };
  const rows = await engine.store.query({ workspace, kind: "tool_seen", limit: PAGE, ...from });
  const tools = new Map<string, ToolSeen>();
  for (const { body } of rows) {
    const name = `${body.agent}\n${body.tool}`;
    const before = tools.get(name);
    tools.set(name, before === undefined ? body : added(before, body));
  }
  const last = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  return {
    tools: [...tools.values()].map((tool) => present(tool, set)),
    ...(last === undefined ? {} : { next: last }),
  };
}

function added(one: ToolSeen, other: ToolSeen): ToolSeen {
  const last = one.lastAt >= other.lastAt ? one : other;
  return {
    ...last,
    calls: one.calls + other.calls,
    allow: one.allow + other.allow,
    ask: one.ask + other.ask,
    deny: one.deny + other.deny,
    granted: one.granted + other.granted,
    shadow: one.shadow + other.shadow,
    firstAt: Math.min(one.firstAt, other.firstAt),
  };
}

function present(seen: ToolSeen, set: RuleSet): Tool {
  const { agent, tool, calls, allow, ask, deny, granted, shadow } = seen;
  return {
    ...{ agent, tool, calls, allow, ask, deny, granted, shadow },
    first_at: time(seen.firstAt),
    last_at: time(seen.lastAt),
    last_verdict: seen.lastVerdict,
    gated: set.default !== "allow" ? set.mode === "enforce" : isAbout(set, agent, tool),
  };
}

/** From this many equal answers on, asking again probably teaches nobody anything. */
const ANSWERS_MIN = 20;

/** Tools whose calls people always approved unchanged. Nothing is allowed by a suggestion. */
export async function suggestionsOf(workspace: string, agent: string | undefined, { engine }: RestDeps) {
  const rows = await engine.store.query({ workspace, kind: "tool_answers", limit: PAGE });
  return rows.flatMap(({ body }) => {
    const { approved, edited, rejected, tool } = body;
    const asked = approved + edited + rejected;
    if (approved < ANSWERS_MIN || approved < asked || (agent !== undefined && agent !== body.agent))
      return [];
    const message = `${approved} of ${asked} calls of ${tool} by ${body.agent} were approved unchanged. Consider a grant or a rule.`;
    return [{ agent: body.agent, tool, approved_unchanged: approved, asked, message }];
  });
}
