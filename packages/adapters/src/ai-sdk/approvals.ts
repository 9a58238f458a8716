/** Approvals for agents on the Vercel AI SDK. */

import { type ClientSource, holdClientOf } from "@holdpoint/protocol/client";
import type { Json } from "@holdpoint/protocol/rules";
import type { ModelMessage, Tool, ToolSet } from "ai";
import type { GuardedTool, WrapOptions } from "../tool-calls/call.ts";
import { asJson, readBack } from "../tool-calls/json.ts";
import { type AgentStep, type ToolClient, type ToolRunOptions, toolRun } from "../tool-calls/tool-run.ts";
import type { SuspendableRun } from "../workflow/workflow.ts";
import { answersTo, pendingApprovals } from "./messages.ts";
import { guardedTools, guardOf } from "./wrap.ts";

/** What is used of a result of `generateText`, `streamText` or an agent's `generate` and `stream`. */
export interface Generated {
  readonly text: PromiseLike<string> | string;
  /** From version 7 on. */
  readonly responseMessages?: PromiseLike<readonly ModelMessage[]> | readonly ModelMessage[];
  /** Of version 6. */
  readonly response?:
    | PromiseLike<{ readonly messages?: readonly ModelMessage[] }>
    | { readonly messages?: readonly ModelMessage[] };
}

export interface AiRunOptions extends Pick<ToolRunOptions<AiResult>, "key" | "store" | "version"> {
  /** What the run begins with; not looked at when it has begun. */
  readonly messages: readonly ModelMessage[];
  /** Calls the model with these messages, by `generateText`, `streamText` or an agent. Called again whenever people have answered. */
  readonly generate: (messages: ModelMessage[]) => PromiseLike<Generated> | Generated;
}

export interface AiResult {
  readonly text: string;
  /** The whole conversation, to go on with. */
  readonly messages: readonly ModelMessage[];
}

export interface AiApprovals {
  /** The same tools, each of which stops for people. Its body runs after an approval, with the approved arguments, once. */
  wrap<Tools extends ToolSet>(tools: Tools, options?: WrapOptions): Tools;
  /** A conversation as a run for `advanceRun` and `finishRun`. */
  run(options: AiRunOptions): SuspendableRun<AiResult>;
  /** For the SDK's `toolApproval`, which takes precedence over what a tool says: it stops every wrapped tool. */
  readonly toolApproval: (options: {
    readonly toolCall: { readonly toolName: string };
  }) => "user-approval" | undefined;
}

/**
 * @example
 * ```ts
 * import { approvals, finishRun } from "@holdpoint/adapters/ai-sdk";
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const people = approvals(hp);
 * const run = people.run({ key: "order-1042", messages: [], generate: () => ({ text: "done" }) });
 * console.error((await finishRun(run, { holdpoint: hp })).text);
 * ```
 */
export function approvals(holdpoint: ClientSource<ToolClient>): AiApprovals {
  const guards = new Map<string, () => Promise<GuardedTool>>();
  const client = holdClientOf(holdpoint);
  return {
    wrap(tools, options = {}) {
      const wrapped = guardedTools(tools);
      for (const [name, tool] of Object.entries(tools)) {
        guards.set(name, () => guardOf(name, tool as Tool<unknown, unknown>, options));
      }
      return wrapped;
    },
    run: (options) => lazyRun(client, options, guards),
    toolApproval: ({ toolCall }) => (guards.has(toolCall.toolName) ? "user-approval" : undefined),
  };
}

/** A tool's schema may be a promise, so that the guards are known only when the run begins. */
function lazyRun(
  holdpoint: ToolClient,
  { key, store, version, messages, generate }: AiRunOptions,
  guards: ReadonlyMap<string, () => Promise<GuardedTool>>,
): SuspendableRun<AiResult> {
  const agent = {
    start: async () => stepAfter(messages, await generate([...messages])),
    async resume(state: Json, decisions: Parameters<typeof answersTo>[1]) {
      const before = readBack<readonly ModelMessage[]>(state);
      const asked = [...before, answersTo(before, decisions)];
      return stepAfter(asked, await generate([...asked]));
    },
  };
  let run: Promise<SuspendableRun<AiResult>> | undefined;
  const made = async () => {
    const tools = new Map<string, GuardedTool>();
    for (const [name, guard] of guards) tools.set(name, await guard());
    const more = { ...(store === undefined ? {} : { store }), ...(version === undefined ? {} : { version }) };
    return toolRun<AiResult>({ key, holdpoint, agent, tools, ...more });
  };
  const ready = () => {
    run ??= made();
    return run;
  };
  return {
    key,
    look: async () => (await ready()).look(),
    resume: async (answers) => (await ready()).resume(answers),
  };
}

async function stepAfter(
  before: readonly ModelMessage[],
  generated: Generated,
): Promise<AgentStep<AiResult>> {
  // The text first: a stream is read to its end by it.
  const text = await generated.text;
  const said = (await generated.responseMessages) ?? (await generated.response)?.messages ?? [];
  const state = asJson([...before, ...said]);
  const messages = readBack<readonly ModelMessage[]>(state);
  const calls = pendingApprovals(messages).map(({ call }) => call);
  return calls.length === 0
    ? { kind: "done", result: { text, messages } }
    : { kind: "stopped", state, calls };
}
