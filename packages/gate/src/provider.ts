/** The port to a model. What comes through it is a proposal, never an instruction to the runtime. */

import type { AgentInputItem } from "./items.ts";
import type { JsonSchema } from "./schema.ts";

/** A tool as the model is told about it. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ProviderRequest {
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly AgentInputItem[];
  readonly tools: readonly ToolOffer[];
  readonly modelSettings: Readonly<Record<string, unknown>>;
}

export type ProviderEvent =
  | { readonly type: "delta"; readonly delta: string }
  | { readonly type: "tool_call"; readonly callId: string; readonly name: string; readonly arguments: string }
  /** `message` counts only when no delta came before. */
  | { readonly type: "completed"; readonly message?: string };

/** One call is one turn of the model. */
export interface ModelProvider {
  readonly name: string;
  stream(request: ProviderRequest): AsyncIterable<ProviderEvent>;
}

/**
 * A provider that says what it was told to say, one list of events a turn. For tests, examples and replays.
 *
 * @example
 * ```ts
 * const provider = scriptedProvider([
 *   [{ type: "tool_call", callId: "c1", name: "refund", arguments: '{"order":"7"}' }],
 *   [{ type: "completed", message: "Done." }],
 * ]);
 * ```
 */
export function scriptedProvider(
  turns: readonly (readonly ProviderEvent[])[],
  options: { readonly name?: string; readonly afterwards?: ModelProvider | undefined } = {},
): ModelProvider {
  let next = 0;
  return {
    name: options.name ?? options.afterwards?.name ?? "scripted",
    async *stream(request) {
      const events = turns[next];
      next += 1;
      if (events !== undefined) yield* events;
      else if (options.afterwards !== undefined) yield* options.afterwards.stream(request);
      else
        throw new RangeError(
          `The script has only ${turns.length} turns, and the run asked for another. Add a turn to it.`,
        );
    },
  };
}
