/** Tools of Mastra that stop for people: same ids, schemas and types, and a body that runs after an approval only. */

import { isObject, type JsonObject, member } from "@holdpoint/protocol/rules";
import { jsonSchemaOf } from "../tool-calls/args-schema.ts";
import type { GuardedTool, WrapOptions } from "../tool-calls/call.ts";
import { currentRun } from "../tool-calls/current.ts";
import { runGuarded } from "../tool-calls/guard.ts";
import { asJson } from "../tool-calls/json.ts";
import type { MastraTool, MastraToolContext } from "./agent.ts";

const RETRY = "holdpoint_retry";

/** Whether a guarded tool suspended its call because it could not be settled; nobody is asked about it. */
export function isRetry(payload: unknown): boolean {
  return isObject(payload) && member(payload, RETRY) === true;
}

export function guardOf(name: string, { inputSchema }: MastraTool, options: WrapOptions): GuardedTool {
  const argsSchema = jsonSchemaOf(inputSchema);
  return { name, ...(argsSchema === undefined ? {} : { argsSchema }), ...options };
}

export function guarded<Tool extends MastraTool>(name: string, tool: Tool): Tool {
  const { execute } = tool;
  if (execute === undefined) {
    throw new TypeError(
      `The tool ${name} has no execute function, so it cannot be guarded here. Guard it where it runs.`,
    );
  }
  // A tool is an instance of a class: the copy keeps its prototype and everything on it.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(tool)) as Tool, tool);
  return Object.assign(copy, {
    requireApproval: true,
    // A policy as a function once let a declined tool run: approval is the tool's own, without a condition.
    needsApprovalFn: undefined,
    async execute(input: unknown, context: MastraToolContext = {}) {
      const id = context.agent?.toolCallId ?? "";
      const call = { id, tool: name, args: asJson(input) as JsonObject };
      const outcome = await runGuarded(call, (args, isEdited) => execute(isEdited ? args : input, context));
      // An error would become a message to the model, and the call would be over. Suspended, another process settles it.
      if (currentRun()?.halted !== undefined) return context.agent?.suspend?.({ [RETRY]: true });
      if (outcome.kind === "refused") return outcome.notice;
      return outcome.edited === undefined ? outcome.result : { ...outcome.edited, result: outcome.result };
    },
  });
}
