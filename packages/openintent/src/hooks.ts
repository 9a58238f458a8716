/**
 * Lifecycle hooks (RFC-0025 §9.3), as options or as standard decorators on an agent's methods. A hook that throws is reported
 * and changes nothing: what people are asked must not depend on somebody's logging.
 */

import type { EngagementDecision } from "./engagement.ts";
import type { InputResponse, Intent, Suspension } from "./types.ts";

export interface Hooks {
  /** After the record is written, and again for each attempt; `context` says which: `_attempt` of `_max_attempts`. */
  readonly onInputRequested?: (intent: Intent, suspension: Suspension) => void | Promise<void>;
  /** Before the waiting call returns. */
  readonly onInputReceived?: (intent: Intent, response: InputResponse) => void | Promise<void>;
  /** Before the fallback is applied. */
  readonly onSuspensionExpired?: (intent: Intent, suspension: Suspension) => void | Promise<void>;
  readonly onEngagementDecision?: (intent: Intent, decision: EngagementDecision) => void | Promise<void>;
  readonly onHookError?: (hook: HookName, error: unknown) => void;
}

export type HookName =
  | "onInputRequested"
  | "onInputReceived"
  | "onSuspensionExpired"
  | "onEngagementDecision";

export async function runHook<Name extends HookName>(
  hooks: readonly Hooks[],
  name: Name,
  ...args: Parameters<NonNullable<Hooks[Name]>>
): Promise<void> {
  for (const each of hooks) {
    try {
      await (each[name] as ((...given: unknown[]) => void | Promise<void>) | undefined)?.(...args);
    } catch (error) {
      each.onHookError?.(name, error);
    }
  }
}

const MARKED = Symbol.for("holdpoint.openintent.hooks");

type Marked = Record<PropertyKey, unknown>;

/** The standard decorator's shape, so that it works wherever decorators are compiled, whatever version of them. */
function marker(name: HookName) {
  return (method: (...args: never[]) => unknown, context: ClassMethodDecoratorContext): void => {
    context.addInitializer(function (this: unknown) {
      const agent = this as Marked;
      const marked = (agent[MARKED] ?? {}) as Record<string, unknown[]>;
      agent[MARKED] = { ...marked, [name]: [...(marked[name] ?? []), method.bind(agent as never)] };
    });
  };
}

/**
 * @example
 * ```ts
 * import { onInputRequested, hooksOf } from "@holdpoint/openintent";
 *
 * class Refunder {
 *   asked: string[] = [];
 *   @onInputRequested
 *   tell(_intent: unknown, suspension: { question: string }) {
 *     this.asked.push(suspension.question);
 *   }
 * }
 * const hooks = hooksOf(new Refunder());
 * ```
 */
export const onInputRequested = marker("onInputRequested");
/** Marks the method that is called when a person has answered. */
export const onInputReceived = marker("onInputReceived");
/** Marks the method that is called when nobody answered in time. */
export const onSuspensionExpired = marker("onSuspensionExpired");
/** Marks the method that is called when it was decided whether to ask a person. */
export const onEngagementDecision = marker("onEngagementDecision");

/** The hooks that an agent's methods were marked as. */
export function hooksOf(agent: object): Hooks {
  const marked = ((agent as Marked)[MARKED] ?? {}) as Partial<
    Record<HookName, ((...args: unknown[]) => unknown)[]>
  >;
  return Object.fromEntries(
    Object.entries(marked).map(([name, methods]) => [
      name,
      async (...args: unknown[]) => {
        for (const method of methods) await method(...args);
      },
    ]),
  );
}
