/** Tools: what a model may propose to run. Defining one lets nothing run; only a policy does. */

import type { StandardSchema } from "@holdpoint/protocol/client";
import type { RunContext } from "./policy.ts";
import type { InputOf, JsonSchema, ToolParameters } from "./schema.ts";
import { toolParameters } from "./schema.ts";

export interface Tool<TContext = unknown> {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  readonly execute: (input: unknown, runContext: RunContext<TContext>) => unknown;
}

export interface ToolDefinition<Schema, TContext> {
  readonly name: string;
  readonly description?: string;
  /** Absent: no parameters. */
  readonly parameters?: Schema;
  /** Called after the policy has allowed the call and the arguments fit. */
  readonly execute: (input: InputOf<Schema>, runContext: RunContext<TContext>) => unknown;
}

/**
 * Defines a tool.
 *
 * @example
 * ```ts
 * const refund = defineTool({
 *   name: "refund",
 *   description: "Pays an order back.",
 *   parameters: z.object({ order: z.string(), cents: z.number().int() }),
 *   execute: ({ order, cents }) => payments.refund(order, cents),
 * });
 * ```
 */
export function defineTool<const Schema extends StandardSchema | JsonSchema, TContext = unknown>(
  definition: ToolDefinition<Schema, TContext>,
): Tool<TContext> {
  const { name, description = "", parameters, execute } = definition;
  if (name === "") throw new TypeError("A tool needs a name that is not empty");
  return {
    name,
    description,
    parameters: toolParameters(parameters),
    // The value has just been validated by the schema that `InputOf` reads its type from.
    execute: (input, runContext) => execute(input as InputOf<Schema>, runContext),
  };
}
