/**
 * The gate for people who bring their own loop: wraps functions and tool objects, keeps their names and types, and puts
 * a policy in front of each.
 *
 * W1  A guarded tool executes only after its policy has allowed exactly these arguments.
 * W2  It executes with what was judged: the arguments are read once, and later changes to them reach nobody.
 * W3  Arguments that are not plain JSON are denied, for a hash cannot stand for them.
 */

import type { BlockedEnvelope } from "./envelope.ts";
import type { GuardOptions } from "./guard-gate.ts";
import { createGate } from "./guard-gate.ts";
import { guardTool } from "./guard-tool.ts";
import type { ToolPolicy } from "./policy.ts";

/** A plain async function. */
export type ToolFunction = (...args: never[]) => Promise<unknown>;

/** A tool object as the Vercel AI SDK has them; without `execute` it runs elsewhere and is passed through. */
export interface ToolObject {
  readonly description?: string | undefined;
  // A method, so that tools of any input type are assignable.
  execute?(input: never, options: never): unknown;
}

export type GuardableTools = Readonly<Record<string, ToolFunction | ToolObject>>;

/** `throw`: blocked calls always throw. `policy`: they throw or return the envelope, as the policy's `resultMode` says. */
export type BlockedMode = "throw" | "policy";

type Widened<Execute> = Execute extends (...args: infer Args) => infer Output
  ? (
      ...args: Args
    ) => Output extends PromiseLike<infer Value> ? Promise<Value | BlockedEnvelope> : Output | BlockedEnvelope
  : Execute;

/** The tools' own types; with `blocked: "policy"` their outputs may also be an envelope. */
export type Guarded<Tools, Blocked extends BlockedMode> = Blocked extends "throw"
  ? Tools
  : {
      readonly [Name in keyof Tools]: Tools[Name] extends ToolFunction
        ? Widened<Tools[Name]>
        : {
            [Key in keyof Tools[Name]]: Key extends "execute" ? Widened<Tools[Name][Key]> : Tools[Name][Key];
          };
    };

/**
 * Puts a policy in front of tools. A function called with one object proposes that object; called in any other way it
 * proposes the list of its arguments. A tool object proposes its input.
 *
 * The guarded tools throw `ToolCallPolicyDeniedError` or `ToolCallApprovalRequiredError` when they are blocked.
 *
 * @example
 * ```ts
 * const tools = guard(
 *   { refund: async ({ order, cents }: { order: string; cents: number }) => payments.refund(order, cents) },
 *   () => requireApproval("refund_needs_a_person"),
 * );
 * await tools.refund({ order: "7", cents: 1200 }); // throws ToolCallApprovalRequiredError
 * ```
 */
export function guard<
  const Tools extends GuardableTools,
  TContext = unknown,
  const Blocked extends BlockedMode = "throw",
>(
  tools: Tools,
  policy: ToolPolicy<TContext>,
  options: GuardOptions<TContext, Blocked> = {},
): Guarded<Tools, Blocked> {
  const gate = createGate(policy, options);
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(gate, name, tool)]);
  // Each tool is replaced by one of its own type, which the compiler cannot see through `fromEntries`.
  return Object.fromEntries(guarded) as Guarded<Tools, Blocked>;
}
