/** Agents: a name, a model, instructions, and what may be proposed. Data only; `run` does the work. */

import type { OutputGuardrail } from "./guardrail.ts";
import type { RunContext } from "./policy.ts";
import type { Tool } from "./tool.ts";

export type Instructions<TContext> =
  | string
  | ((runContext: RunContext<TContext>) => string | Promise<string>);

export interface Agent<TContext = unknown> {
  readonly name: string;
  readonly model: string;
  readonly instructions: Instructions<TContext>;
  readonly promptVersion?: string;
  readonly modelSettings: Readonly<Record<string, unknown>>;
  readonly tools: readonly Tool<TContext>[];
  /** A function, so that agents may hand off to each other in circles. */
  readonly handoffs: () => readonly Agent<TContext>[];
  /** Shown to the model of an agent that may hand off to this one. */
  readonly handoffDescription?: string;
  readonly outputGuardrails: readonly OutputGuardrail<TContext>[];
}

export interface AgentDefinition<TContext> {
  readonly name: string;
  readonly model: string;
  readonly instructions?: Instructions<TContext>;
  readonly promptVersion?: string;
  readonly modelSettings?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly Tool<TContext>[];
  readonly handoffs?: readonly Agent<TContext>[] | (() => readonly Agent<TContext>[]);
  readonly handoffDescription?: string;
  readonly outputGuardrails?: readonly OutputGuardrail<TContext>[];
}

/**
 * Defines an agent.
 *
 * @example
 * ```ts
 * const agent = defineAgent({
 *   name: "Support Agent",
 *   model: "some-model",
 *   instructions: "Help with orders.",
 *   tools: [refund],
 *   handoffs: () => [billing],
 * });
 * ```
 */
export function defineAgent<TContext = unknown>(definition: AgentDefinition<TContext>): Agent<TContext> {
  const {
    tools = [],
    handoffs = [],
    instructions = "",
    modelSettings = {},
    outputGuardrails = [],
  } = definition;
  if (definition.name === "") throw new TypeError("An agent needs a name that is not empty");
  if (definition.model.trim() === "")
    throw new TypeError(`Agent ${definition.name} needs a model that is not blank`);
  const names = new Set(tools.map((tool) => tool.name));
  if (names.size < tools.length)
    throw new TypeError(`Agent ${definition.name} has several tools with the same name. Rename all but one.`);
  return {
    ...definition,
    instructions,
    modelSettings,
    tools,
    outputGuardrails,
    handoffs: typeof handoffs === "function" ? handoffs : () => handoffs,
  };
}

/** The same agents with other tools, followed through every handoff; circles stay circles. */
export function mapTools<TContext>(
  agent: Agent<TContext>,
  change: (tool: Tool<TContext>) => Tool<TContext>,
): Agent<TContext> {
  const mapped = new Map<Agent<TContext>, Agent<TContext>>();
  const visit = (original: Agent<TContext>): Agent<TContext> => {
    const known = mapped.get(original);
    if (known !== undefined) return known;
    const copy: Agent<TContext> = {
      ...original,
      tools: original.tools.map(change),
      handoffs: () => original.handoffs().map(visit),
    };
    mapped.set(original, copy);
    return copy;
  };
  return visit(agent);
}
