/** How each coding agent asks its hooks, and how it wants to be answered. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import { type AgentCall, agentCall, type PlaceOf, SHELL } from "@holdpoint/protocol/toolcalls";

/**
 * `allow`: the agent runs the call without its own prompt; `args` are there if a person changed them.
 * `leave`: no decision; the agent goes on as it would without the hook.
 * `prompt`: the agent's own prompt must appear.
 */
export type Decision =
  | { readonly kind: "allow"; readonly reason: string; readonly args?: JsonObject }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "prompt"; readonly reason: string }
  | { readonly kind: "leave" };

export interface Asked {
  readonly call: AgentCall;
  /** What the hook prints; nothing but this may reach standard output. */
  write(decision: Decision): string;
}

/** `null`: an event about which a hook decides nothing. Throws if the input is not what the agent sends. */
export type Dialect = (input: JsonObject, placeOf?: PlaceOf) => Asked | null;

const LEAVE = "{}";

const specific = (hookEventName: string, rest: JsonObject): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName, ...rest } });

const claude: Dialect = (input, placeOf) => {
  const { hook_event_name: event, cwd, session_id: session } = input;
  if (event !== "PreToolUse" && event !== "PermissionRequest") return null;
  const call = agentCall(...toolOf(input), { cwd, session, placeOf });
  const write = (decision: Decision) => {
    if (event === "PermissionRequest") return permissionRequest(decision, call);
    if (decision.kind === "leave") return LEAVE;
    const permissionDecision = decision.kind === "prompt" ? "ask" : decision.kind;
    return specific(event, {
      permissionDecision,
      permissionDecisionReason: decision.reason,
      ...(decision.kind === "allow" ? updatedInput(decision, call) : {}),
    });
  };
  return { call, write };
};

/** Before a tool runs Codex takes only a denial; where it asks for permission itself, it takes both. */
const codex: Dialect = (input, placeOf) => {
  const { hook_event_name: event, cwd, session_id: session } = input;
  if (event !== "PreToolUse" && event !== "PermissionRequest") return null;
  const call = agentCall(...toolOf(input), { cwd, session, placeOf });
  const write = (decision: Decision) => {
    if (event === "PermissionRequest") return permissionRequest(decision, call);
    if (decision.kind === "allow" && decision.args !== undefined)
      return denied(event, CHANGED(decision.args));
    // Without a decision the call may run without any prompt, so a call that nobody decided is denied.
    if (decision.kind === "deny" || decision.kind === "prompt") return denied(event, decision.reason);
    return LEAVE;
  };
  return { call, write };
};

function denied(event: string, permissionDecisionReason: string): string {
  return specific(event, { permissionDecision: "deny", permissionDecisionReason });
}

const CHANGED = (args: JsonObject) =>
  `A person approved this call with other arguments, which this agent cannot take over by itself. Call again with ${JSON.stringify(args)}`;

function permissionRequest(decision: Decision, call: AgentCall): string {
  switch (decision.kind) {
    case "allow":
      return specific("PermissionRequest", {
        decision: { behavior: "allow", ...updatedInput(decision, call) },
      });
    case "deny":
      return specific("PermissionRequest", { decision: { behavior: "deny", message: decision.reason } });
    default:
      return LEAVE;
  }
}

function updatedInput({ args }: Decision & { readonly kind: "allow" }, call: AgentCall): JsonObject {
  if (args === undefined) return {};
  const changed = call.edited(args);
  if (changed === null)
    throw new Error("Invariant: changed arguments that cannot be handed over were allowed");
  return { updatedInput: changed };
}

const cursor: Dialect = (input, placeOf) => {
  const call = cursorCall(input, placeOf);
  if (call === null) return null;
  const write = (decision: Decision) => {
    if (decision.kind === "leave") return LEAVE;
    if (decision.kind === "allow" && decision.args !== undefined)
      return cursorReply("deny", CHANGED(decision.args));
    return cursorReply(decision.kind === "prompt" ? "ask" : decision.kind, decision.reason);
  };
  return { call, write };
};

function cursorReply(permission: string, reason: string): string {
  return JSON.stringify({ permission, user_message: reason, agent_message: reason });
}

function cursorCall(input: JsonObject, placeOf?: PlaceOf): AgentCall | null {
  const { hook_event_name: event, command, cwd, conversation_id: session, file_path } = input;
  const place = { cwd, session, placeOf };
  switch (event) {
    case "beforeShellExecution":
      return agentCall(SHELL, { command: textOf(command, "command") }, place);
    case "beforeReadFile":
      return agentCall("Read", { file_path: textOf(file_path, "file_path") }, place);
    case "beforeMCPExecution":
    case "preToolUse":
      return agentCall(...toolOf(input), place);
    default:
      return null;
  }
}

function toolOf({ tool_name, tool_input }: JsonObject): [string, JsonObject] {
  const given: Json | undefined = typeof tool_input === "string" ? JSON.parse(tool_input) : tool_input;
  if (!isObject(given ?? null)) throw new Error("tool_input is not an object");
  return [textOf(tool_name, "tool_name"), given as JsonObject];
}

function textOf(value: Json | undefined, name: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`${name} is missing`);
}

export const DIALECTS = { claude, codex, cursor } as const;
export type AgentName = keyof typeof DIALECTS;

export function isAgentName(name: string | undefined): name is AgentName {
  return name !== undefined && Object.hasOwn(DIALECTS, name);
}
