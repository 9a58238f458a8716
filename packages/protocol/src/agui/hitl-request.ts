/**
 * What LangChain's human-in-the-loop middleware interrupts with: several tool calls in one interrupt, in camelCase from JavaScript and
 * in snake_case from Python. Each call is a question of its own, and all answers go back together, by position.
 *
 * H1  The answers are given back only when there is one for every call.
 * H2  Whatever is not an approval becomes `reject`, with the person's words or with the truth that nobody decided (G5, G14).
 * H3  An answer that the middleware does not take is not bent into another one that runs the tool.
 */

import { isObject, type Json, type JsonObject, member, PROMPT_LENGTH_MAX } from "../rules/index.ts";
import type { InterruptAnswer } from "./interrupt-answer.ts";
import type { InterruptAsk } from "./interrupt-ask.ts";

export interface HitlAction {
  readonly name: string;
  readonly args: JsonObject;
  readonly description?: string;
  /** What the middleware takes for this call: `approve`, `edit`, `reject`. */
  readonly allowed: readonly string[];
  readonly argsSchema?: JsonObject;
}

export interface HitlRequest {
  readonly spelling: "camel" | "snake";
  readonly actions: readonly HitlAction[];
}

const NAMES = {
  camel: ["actionRequests", "reviewConfigs", "actionName", "allowedDecisions", "argsSchema"],
  snake: ["action_requests", "review_configs", "action_name", "allowed_decisions", "args_schema"],
} as const;

/** Null: the value is some other interrupt. */
export function hitlRequestIn(value: Json): HitlRequest | null {
  if (!isObject(value)) return null;
  const spelling = Array.isArray(member(value, "action_requests")) ? "snake" : "camel";
  const [requestsName, configsName] = NAMES[spelling];
  const requests = member(value, requestsName);
  const configs = member(value, configsName);
  if (!Array.isArray(requests) || requests.length === 0 || !Array.isArray(configs)) return null;
  const actions = requests.map((request: Json, at) => actionOf(request, at, configs, spelling));
  return actions.every((action) => action !== null) ? { spelling, actions } : null;
}

function actionOf(
  request: Json,
  at: number,
  configs: readonly Json[],
  spelling: HitlRequest["spelling"],
): HitlAction | null {
  const name = isObject(request) ? (member(request, "name") ?? member(request, "action")) : undefined;
  const args = isObject(request) ? (member(request, "args") ?? member(request, "arguments")) : undefined;
  if (typeof name !== "string" || !isObject(args)) return null;
  const [, , actionName, allowedName, schemaName] = NAMES[spelling];
  const isFor = (config: Json | undefined) => isObject(config) && member(config, actionName) === name;
  // JavaScript gives one config for each call, Python one for each tool.
  const config = (isFor(configs[at]) ? configs[at] : configs.find(isFor)) ?? {};
  const allowed = member(config as JsonObject, allowedName);
  const schema = member(config as JsonObject, schemaName);
  const description = member(request as JsonObject, "description");
  return {
    name,
    args,
    ...(typeof description === "string" && description.trim() !== "" ? { description } : {}),
    allowed: Array.isArray(allowed)
      ? allowed.filter((each) => typeof each === "string")
      : ["approve", "reject"],
    ...(isObject(schema) ? { argsSchema: schema } : {}),
  };
}

/** One call as a question: tool and arguments are always shown (G15). */
export function hitlAsk({ name, args, description, allowed, argsSchema }: HitlAction): InterruptAsk {
  const editedArgs = argsSchema ?? { type: "object" };
  const canEdit = allowed.includes("edit");
  const schema = {
    type: "object",
    properties: {
      approved: { type: "boolean" },
      feedback: { type: "string" },
      ...(canEdit ? { editedArgs } : {}),
    },
    required: ["approved"],
  };
  return {
    reason: "tool_call",
    message: (description ?? `Run ${name}?`).slice(0, PROMPT_LENGTH_MAX),
    payload: { tool: name, arguments: args },
    responseSchema: schema,
  };
}

export type HitlDecision = Readonly<Record<string, Json>>;

export type HitlResponse =
  | { readonly ok: true; readonly value: { readonly decisions: readonly HitlDecision[] } }
  /** The middleware takes no such answer for this tool. */
  | { readonly ok: false; readonly tool: string; readonly missing: "edit" | "reject" | "approve" };

/** `answers` in the order of the actions; one that is missing counts as not approved. */
export function hitlResponse(
  request: HitlRequest,
  answers: readonly (InterruptAnswer | undefined)[],
): HitlResponse {
  const decisions: HitlDecision[] = [];
  for (const [at, action] of request.actions.entries()) {
    const decision = decisionOf(action, answers[at], request.spelling);
    if (typeof decision === "string") return { ok: false, tool: action.name, missing: decision };
    decisions.push(decision);
  }
  return { ok: true, value: { decisions } };
}

function decisionOf(
  action: HitlAction,
  answer: InterruptAnswer | undefined,
  spelling: HitlRequest["spelling"],
): HitlDecision | "edit" | "reject" | "approve" {
  const { name, args, allowed } = action;
  const edit = (changed: JsonObject) => ({
    type: "edit",
    [spelling === "snake" ? "edited_action" : "editedAction"]: { name, args: changed },
  });
  if (answer?.status !== "resolved" || !answer.approved) {
    return allowed.includes("reject") ? { type: "reject", message: hitlRefusal(answer) } : "reject";
  }
  const edited = isObject(answer.payload) ? member(answer.payload, "editedArgs") : undefined;
  if (edited === undefined) {
    if (allowed.includes("approve")) return { type: "approve" };
    return allowed.includes("edit") ? edit(args) : "approve";
  }
  return isObject(edited) && allowed.includes("edit") ? edit(edited) : "edit";
}

/** What the model is told about a call that does not run. */
function hitlRefusal(answer: InterruptAnswer | undefined): string {
  if (answer?.status === "resolved") {
    const words = isObject(answer.payload) ? member(answer.payload, "feedback") : undefined;
    const said = typeof words === "string" && words.trim() !== "" ? `: ${sentence(words.trim())}` : ".";
    return `A person did not approve this call${said} The tool did not run.`;
  }
  return answer?.expired === true
    ? "Nobody answered in time, so nobody decided about this call. The tool did not run."
    : "The question was withdrawn, so nobody decided about this call. The tool did not run.";
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/**
 * The decisions that an app sends to the middleware itself, as payloads for the interrupts of its calls; null: it is something else,
 * or names another tool than the one that was asked about.
 */
export function hitlPayloads(
  payload: Json | undefined,
  tools: readonly string[],
): readonly JsonObject[] | null {
  const decisions = isObject(payload) ? member(payload, "decisions") : undefined;
  if (!Array.isArray(decisions) || decisions.length !== tools.length) return null;
  const payloads = decisions.map((decision: Json, at) => payloadOf(decision, tools[at] ?? ""));
  return payloads.every((each) => each !== null) ? payloads : null;
}

function payloadOf(decision: Json, tool: string): JsonObject | null {
  if (!isObject(decision)) return null;
  const message = member(decision, "message");
  switch (member(decision, "type")) {
    case "approve":
      return { approved: true };
    case "reject":
      return { approved: false, ...(typeof message === "string" ? { feedback: message } : {}) };
    case "edit": {
      const edited = member(decision, "editedAction") ?? member(decision, "edited_action");
      const args = isObject(edited) ? member(edited, "args") : undefined;
      const isSame = isObject(edited) && member(edited, "name") === tool;
      return isSame && isObject(args) ? { approved: true, editedArgs: args } : null;
    }
    default:
      return null;
  }
}
