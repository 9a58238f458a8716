/** A function or tool object with a gate in front, otherwise as it was. */

import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import { parseProposalArguments } from "@holdpoint/protocol/proposal";
import { ProposalMismatchError } from "./errors.ts";
import type { GuardableTools, ToolFunction, ToolObject } from "./guard.ts";
import type { Gate, GuardedCall, GuardedOutcome } from "./guard-gate.ts";
import { assertUntouched } from "./replay-proposal.ts";

export function guardTool(gate: Gate, toolName: string, tool: ToolFunction | ToolObject): unknown {
  return typeof tool === "function" ? guardFunction(gate, toolName, tool) : guardObject(gate, toolName, tool);
}

function guardFunction(gate: Gate, toolName: string, tool: ToolFunction): unknown {
  return async (...args: unknown[]) => {
    const call = { toolName, callId: undefined, proposed: proposedArguments(args) };
    return outputOf(
      await gate.pass(call, (judged) => apply(tool, undefined, Array.isArray(judged) ? judged : [judged])),
    );
  };
}

/** One object is proposed as it is; everything else as a list, so that no two ways of calling look alike. */
function proposedArguments(args: readonly unknown[]): unknown {
  const given = args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1);
  const [only] = given;
  const isObject = typeof only === "object" && only !== null && !Array.isArray(only);
  return given.length === 1 && isObject ? only : given;
}

function guardObject(gate: Gate, toolName: string, tool: ToolObject): unknown {
  const { execute } = tool;
  if (execute === undefined) return tool;
  const call = (judged: unknown, options: unknown) => apply(execute, tool, [judged, options]);
  const guarded = isAsyncGenerator(execute)
    ? guardStream(gate, toolName, call)
    : guardCall(gate, toolName, call);
  const members = {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value: guarded, enumerable: true },
  };
  return Object.create(Object.getPrototypeOf(tool), members);
}

type ObjectExecute = (input: unknown, options: unknown) => unknown;

function guardCall(gate: Gate, toolName: string, execute: ObjectExecute): ObjectExecute {
  return async (input, options) =>
    outputOf(await gate.pass(objectCall(toolName, input, options), (judged) => execute(judged, options)));
}

function guardStream(gate: Gate, toolName: string, execute: ObjectExecute): ObjectExecute {
  return async function* (input, options) {
    const outcome = await gate.pass(objectCall(toolName, input, options), async (judged) => {
      const stream = execute(judged, options) as AsyncIterable<unknown>;
      // A fence has to see the end of the execution, so what streams is gathered first.
      return { stream: gate.fenced ? await gathered(stream) : stream };
    });
    if (outcome.kind === "blocked") yield outcome.envelope;
    else yield* outcome.output.stream;
  };
}

function objectCall(toolName: string, input: unknown, options: unknown): GuardedCall {
  const given = typeof options === "object" && options !== null && "toolCallId" in options;
  const callId = given && typeof options.toolCallId === "string" ? options.toolCallId : undefined;
  return { toolName, callId, proposed: input === undefined ? {} : input };
}

function isAsyncGenerator(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

/** The arguments are the caller's own, read back from their JSON text, so they have the types the caller gave. */
function apply(execute: (...args: never[]) => unknown, self: unknown, args: readonly unknown[]): unknown {
  return Reflect.apply(execute, self, args as never[]);
}

function outputOf(outcome: GuardedOutcome<unknown>): unknown {
  return outcome.kind === "executed" ? outcome.output : outcome.envelope;
}

async function gathered(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

/**
 * Calls a guarded tool with what was once suspended. It passes its gate again like any call: without evidence that its
 * policy honours, it is suspended again.
 *
 * @throws {ProposalMismatchError} when the stored proposal was tampered with, or none of these tools made it.
 *
 * @example
 * ```ts
 * await callProposal(tools, proposal); // executes if the policy allows it by now
 * ```
 */
export async function callProposal(tools: GuardableTools, proposal: SuspendedProposal): Promise<unknown> {
  assertUntouched(proposal);
  const name = proposal.kind === "tool" ? proposal.toolName : "";
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  const parsed = proposal.kind === "tool" ? parseProposalArguments(proposal.rawArguments) : undefined;
  if (typeof tool === "function")
    return await apply(tool, undefined, Array.isArray(parsed) ? parsed : [parsed]);
  if (tool?.execute === undefined)
    throw new ProposalMismatchError(
      `The given tools have no ${name} to run. Pass the guarded tools that made the proposal.`,
    );
  const output = apply(tool.execute, tool, [parsed, { toolCallId: proposal.callId }]);
  return isAsyncIterable(output) ? (await gathered(output)).at(-1) : await output;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
