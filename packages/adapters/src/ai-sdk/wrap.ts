/** Tools of the AI SDK that stop for people: same names, schemas and types, and a body that runs after an approval only. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { asSchema, type Tool, type ToolSet } from "ai";
import type { GuardedTool, WrapOptions } from "../tool-calls/call.ts";
import { currentRun } from "../tool-calls/current.ts";
import { runGuarded } from "../tool-calls/guard.ts";
import { EDIT_NOT_TAKEN, EDITED, isNotice } from "../tool-calls/notices.ts";

type AnyTool = Tool<unknown, unknown>;
type Executed = { readonly toolCallId: string };
type ModelOutput = { readonly type: string; readonly value?: unknown };

export async function guardOf(name: string, tool: AnyTool, options: WrapOptions): Promise<GuardedTool> {
  const schema = await asSchema(tool.inputSchema).jsonSchema;
  return { name, argsSchema: schema as JsonObject, ...options };
}

export function guardedTools<Tools extends ToolSet>(tools: Tools): Tools {
  const all = Object.entries(tools).map(([name, tool]) => [name, guarded(name, tool as AnyTool)] as const);
  return Object.fromEntries(all) as Tools;
}

function guarded(name: string, tool: AnyTool): AnyTool {
  const { execute } = tool;
  if (execute === undefined) {
    throw new TypeError(
      `The tool ${name} has no execute function, so it cannot be guarded here. Guard it where it runs.`,
    );
  }
  const body = {
    needsApproval: true,
    async execute(input: unknown, options: Executed) {
      const call = { id: options.toolCallId, tool: name, args: input as JsonObject };
      const outcome = await runGuarded(call, async (args, isEdited) =>
        lastOf(await execute((isEdited ? await checked(tool, args) : input) as never, options as never)),
      );
      return outcome.kind === "ran" ? outcome.result : outcome.notice;
    },
    async toModelOutput(given: { toolCallId: string; input: unknown; output: unknown }) {
      const isOurs = typeof given.output === "string" && isNotice(given.output);
      const output = isOurs ? undefined : await tool.toModelOutput?.(given as never);
      const edited = isOurs ? undefined : editedArgs(given.toolCallId);
      const plain = (output as ModelOutput | undefined) ?? plainOutput(given.output);
      return edited === undefined ? plain : withNotice(plain, edited);
    },
  };
  // The SDK's own `tool()` returns plain objects, so that a spread loses nothing.
  return { ...tool, ...(body as object) } as AnyTool;
}

/** A tool may give its result in parts; the last one is the result. */
async function lastOf(result: unknown): Promise<unknown> {
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const part of result as AsyncIterable<unknown>) last = part;
  return last;
}

/** A person's arguments fit the JSON Schema that was shown; the tool's own schema may want more. */
async function checked(tool: AnyTool, args: JsonObject): Promise<unknown> {
  const { validate } = asSchema(tool.inputSchema);
  const validated = await validate?.(args);
  if (validated === undefined) return args;
  if (!validated.success) throw new Error(`${EDIT_NOT_TAKEN} ${validated.error.message}`);
  return validated.value;
}

function editedArgs(toolCallId: string): JsonObject | undefined {
  const decision = currentRun()?.decisions.get(toolCallId);
  return decision?.kind === "run" && decision.isEdited ? decision.args : undefined;
}

/** As the SDK does without a `toModelOutput`. */
function plainOutput(output: unknown): ModelOutput {
  return typeof output === "string"
    ? { type: "text", value: output }
    : { type: "json", value: output === undefined ? null : output };
}

function withNotice(output: ModelOutput, args: JsonObject): ModelOutput {
  const text = `${EDITED} The changed arguments: ${JSON.stringify(args)}`;
  if (output.type === "content" && Array.isArray(output.value)) {
    return { ...output, value: [{ type: "text", text }, ...output.value] };
  }
  if (output.type === "text") return { ...output, value: `${text}\n\n${String(output.value)}` };
  return { type: "json", value: { notice: EDITED, arguments: args, result: output.value ?? null } };
}
