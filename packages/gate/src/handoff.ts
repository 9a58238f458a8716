/** Handoffs reach the model as tools of a reserved name, so that they pass the same gate. */

import type { Agent } from "./agent.ts";
import type { ToolOffer } from "./provider.ts";

export interface HandoffTool<TContext> {
  readonly name: string;
  readonly target: Agent<TContext>;
}

/** An agent's handoffs under the names the model calls them by; unique among themselves and its tools. */
export function handoffTools<TContext>(agent: Agent<TContext>): readonly HandoffTool<TContext>[] {
  const taken = new Set(agent.tools.map((tool) => tool.name));
  return agent.handoffs().map((target) => {
    const name = freeName(`handoff_to_${nameSegment(target.name)}`, taken);
    taken.add(name);
    return { name, target };
  });
}

export function handoffOffer<TContext>({ name, target }: HandoffTool<TContext>): ToolOffer {
  const description = `Hand over to the agent ${target.name}. ${target.handoffDescription ?? ""}`.trim();
  return { name, description, parameters: { type: "object", additionalProperties: true } };
}

function nameSegment(agentName: string): string {
  const words = agentName.toLowerCase().match(/[a-z0-9]+/g);
  return words?.join("_") ?? "agent";
}

function freeName(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  let suffix = 2;
  while (taken.has(`${base}_${suffix}`)) suffix += 1;
  return `${base}_${suffix}`;
}
