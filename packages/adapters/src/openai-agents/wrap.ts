/** Function tools of the OpenAI Agents SDK that stop for people: same names, schemas and types, another `invoke`. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { type FunctionTool, tool } from "@openai/agents";
import type { GuardedTool, WrapOptions } from "../tool-calls/call.ts";
import { runGuarded } from "../tool-calls/guard.ts";
import { asJson } from "../tool-calls/json.ts";

// biome-ignore lint/suspicious/noExplicitAny: a tool of any context, parameters and result.
export type AnyFunctionTool = FunctionTool<any, any, any>;

/** The SDK knows its own unconditional policy and keeps calls that wait for it; a function of ours would be asked again. */
const ALWAYS = tool({
  name: "always",
  description: "",
  strict: false,
  needsApproval: true,
  parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
  execute: () => "",
}).needsApproval;

export function guardOf({ name, parameters }: AnyFunctionTool, options: WrapOptions): GuardedTool {
  return { name, argsSchema: asJson(parameters) as JsonObject, ...options };
}

export function guarded<Wrapped extends AnyFunctionTool>(wrapped: Wrapped): Wrapped {
  const { name, invoke } = wrapped;
  const guardedInvoke: AnyFunctionTool["invoke"] = async (context, input, details) => {
    const id = details?.toolCall?.callId ?? "";
    const outcome = await runGuarded({ id, tool: name, args: argsIn(input) }, (args, isEdited) =>
      // The tool's own schema judges changed arguments too.
      invoke(context, isEdited ? JSON.stringify(args) : input, details),
    );
    if (outcome.kind === "refused") return outcome.notice;
    return outcome.edited === undefined ? outcome.result : { ...outcome.edited, result: outcome.result };
  };
  return { ...wrapped, invoke: guardedInvoke, needsApproval: ALWAYS };
}

/** The arguments as the model wrote them. */
export function argsIn(text: string | undefined): JsonObject {
  try {
    const args: unknown = JSON.parse(text ?? "{}");
    return isObject(args) ? args : { input: args as never };
  } catch {
    return { input: text ?? "" };
  }
}
