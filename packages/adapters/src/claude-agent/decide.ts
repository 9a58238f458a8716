/** One call of one of the agent's tools before the rules. What a person approved is claimed, and so used up, before it is handed over. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import {
  type AgentCall,
  agentCall,
  approvalWords,
  handOver,
  placeFinder,
  type RulingOptions,
  ruleOn,
} from "@holdpoint/protocol/toolcalls";
import type { ToolClient } from "./types.ts";

export type Decision =
  /** `approved`: who let it run; absent: the rules allow it. */
  | { readonly kind: "run"; readonly input: Record<string, unknown>; readonly approved?: string }
  | { readonly kind: "denied"; readonly reason: string }
  | { readonly kind: "pending"; readonly holdId: string };

export async function decide(
  client: ToolClient,
  call: AgentCall,
  input: JsonObject,
  options: RulingOptions,
): Promise<Decision> {
  const { edited, ...check } = call;
  const ruling = await ruleOn(client, check, options);
  switch (ruling.kind) {
    case "denied":
      return ruling;
    case "pending":
      return { kind: "pending", holdId: ruling.hold.id };
    case "run": {
      if (ruling.hold === undefined) return { kind: "run", input };
      const why = await handOver(client, { edited }, ruling, "claude-agent-sdk");
      if (why !== null) return { kind: "denied", reason: why };
      const given = ruling.isEdited ? edited(ruling.args) : input;
      return given === null
        ? { kind: "denied", reason: FAILED }
        : { kind: "run", input: given, approved: approvalWords(ruling.hold) };
    }
  }
}

export async function callOf(
  tool: unknown,
  input: unknown,
  more: { readonly cwd?: unknown; readonly session?: unknown },
): Promise<{ readonly call: AgentCall; readonly input: JsonObject }> {
  if (typeof tool !== "string" || !isObject((input ?? null) as Json))
    throw new TypeError("A tool call needs a name and an object of arguments.");
  const place = { ...more, placeOf: await placeFinder() };
  return { call: agentCall(tool, input as JsonObject, place), input: input as JsonObject };
}

export const FAILED = "Holdpoint could not decide about this call, so it must not run. Try again later.";
export const PENDING =
  "A person was asked and has not answered yet. The question stays open: make exactly the same call again to go on.";
