/** Guarded tools for LangChain agents whose `humanInTheLoopMiddleware` stops them. */

import { type ClientSource, holdClientOf } from "@holdpoint/protocol/client";
import { type JsonObject, sameJson } from "@holdpoint/protocol/rules";
import { interrupt } from "@langchain/langgraph";
import { jsonSchemaOf } from "../tool-calls/args-schema.ts";
import type { GuardedTool, WrapOptions } from "../tool-calls/call.ts";
import { currentRun } from "../tool-calls/current.ts";
import { runGuarded } from "../tool-calls/guard.ts";
import { asJson } from "../tool-calls/json.ts";
import { EDIT_NOT_TAKEN } from "../tool-calls/notices.ts";
import type { ToolClient } from "../tool-calls/tool-run.ts";
import { type RunStore, serverStore } from "../workflow/store.ts";
import type { SuspendableRun } from "../workflow/workflow.ts";
import { retryMark } from "./ask.ts";
import { Guards } from "./guards.ts";
import { type GraphRunOptions, graphKey, guardedGraphRun } from "./run.ts";

/** What is used of a LangChain tool. */
export interface StructuredTool {
  readonly name: string;
  readonly schema: unknown;
}

/** LangChain's tools run by this method, whatever they are made by. */
interface Callable extends StructuredTool {
  _call(args: unknown, manager?: unknown, config?: Config): Promise<unknown>;
}

interface Config {
  readonly toolCall?: { readonly id?: string; readonly args?: unknown };
}

export interface GraphApprovals {
  /**
   * The same tools, whose bodies run after an approval only, with the approved arguments, once. The middleware stops them: name each of
   * them in its `interruptOn`. A wrapped tool that the middleware lets through does not run.
   */
  wrap<const Tools extends readonly StructuredTool[]>(tools: Tools, options?: WrapOptions): [...Tools];
  /** `graphRun` for a graph with wrapped tools. */
  run<Values>(options: GraphRunOptions<Values> & { readonly store?: RunStore }): SuspendableRun<Values>;
}

export function approvals(holdpoint: ClientSource<ToolClient>): GraphApprovals {
  const guards = new Map<string, GuardedTool>();
  const client = holdClientOf(holdpoint);
  return {
    wrap: <const Tools extends readonly StructuredTool[]>(tools: Tools, options: WrapOptions = {}) => {
      for (const { name, schema } of tools) {
        const argsSchema = jsonSchemaOf(schema);
        guards.set(name, { name, ...(argsSchema === undefined ? {} : { argsSchema }), ...options });
      }
      const wrapped: readonly StructuredTool[] = tools.map((tool) => guarded(tool as Callable));
      return wrapped as [...Tools];
    },
    run: ({ store = serverStore(client), ...options }) =>
      guardedGraphRun(options, new Guards(graphKey(options.threadId), client, guards, store)),
  };
}

function guarded(tool: Callable): Callable {
  // A tool is an instance of one of many classes: the copy keeps its prototype and everything on it.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(tool)) as Callable, tool);
  copy._call = async (args, manager, config) => {
    const { id = "", args: written } = config?.toolCall ?? {};
    const proposed = asJson(written ?? args) as JsonObject;
    const attempt = () =>
      runGuarded({ id, tool: tool.name, args: proposed }, (approved, isEdited) => {
        // The middleware hands over the changed arguments itself; those that were not approved do not run.
        if (isEdited && !sameJson(proposed, approved)) throw new Error(EDIT_NOT_TAKEN);
        return tool._call(args, manager, config);
      });
    let outcome = await attempt();
    // An error would become a message to the model, and the call would be over. An interrupt keeps it for another process.
    while (currentRun()?.halted !== undefined) {
      interrupt(retryMark(id));
      outcome = await attempt();
    }
    if (outcome.kind === "refused") return outcome.notice;
    const { edited, result } = outcome;
    if (edited === undefined) return result;
    return `${edited.notice} The changed arguments: ${JSON.stringify(edited.arguments)}\n\n${textOf(result)}`;
  };
  return copy;
}

function textOf(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(asJson(result));
}
