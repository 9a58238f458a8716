/** From an answer, or a verdict of the server's rules, to what becomes of a call. */

import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import { type Check, type CheckClient, isRefusal, type Place } from "@holdpoint/protocol/client";
import { isObject, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { CallDecision, GuardedTool, ToolCall } from "./call.ts";
import { denialNotice, EDIT_NOT_TAKEN, refusalNotice } from "./notices.ts";

/** What the server's rules said about a call; saved with the run, because the same check later may say something else. */
export type Ruling =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "hold"; readonly holdId: string };

export async function ruleOn(
  client: CheckClient,
  runKey: string,
  call: ToolCall,
  { argsSchema }: Pick<GuardedTool, "argsSchema">,
): Promise<Ruling> {
  const given = { tool: call.tool, args: call.args, key: `${runKey}:${call.id}`, threadId: runKey };
  const { verdict, reason, hold } = await check(client, given, argsSchema);
  switch (verdict) {
    case "allow":
      return hold === undefined ? { kind: "allow" } : { kind: "hold", holdId: hold.id };
    case "deny":
      return { kind: "deny", reason };
    case "ask":
      if (hold === undefined)
        throw new Error("The server's verdict is ask, but its reply names no hold. Update the server.");
      return { kind: "hold", holdId: hold.id };
    default:
      throw new Error(`The server gave an unknown verdict: ${String(verdict)}`);
  }
}

const SCHEMA_REFUSALS = ["invalid_ask", "invalid_body", "too_deep", "too_large"] as const;

/** A schema that the server refuses must not keep people from being asked: then they approve without changes. */
async function check(
  client: CheckClient,
  given: Parameters<CheckClient["check"]>[0],
  argsSchema: JsonObject | undefined,
): Promise<Check> {
  if (argsSchema === undefined) return client.check(given);
  try {
    return await client.check({ ...given, argsSchema });
  } catch (error) {
    if (!SCHEMA_REFUSALS.some((code) => isRefusal(error, code))) throw error;
    return client.check(given);
  }
}

/** The question about a call that no rule decides. */
export function askAbout(call: ToolCall, guard: GuardedTool | undefined): Omit<Place, "key" | "threadId"> {
  const asked = guard?.ask?.(call) ?? {};
  const schema = guard?.argsSchema;
  return {
    prompt: `Allow the agent to call ${call.tool}?`,
    ...(schema === undefined ? {} : { responseSchema: schema }),
    ...asked,
    type: "approval",
    // Shown whatever the author adds: a person approves these arguments and no others (G15).
    context: { ...asked.context, tool: call.tool, arguments: call.args },
  };
}

/** `canEdit`: the tool is guarded, or the framework itself can run it with other arguments. */
export function decisionOf(call: ToolCall, answer: InterruptAnswer, canEdit: boolean): CallDecision {
  if (answer.status !== "resolved" || !answer.approved) {
    return { kind: "refused", notice: refusalNotice(answer) };
  }
  const edited = isObject(answer.payload) ? member(answer.payload, "editedArgs") : undefined;
  const holdId = answer.interruptId;
  const { tool, args: proposed } = call;
  if (edited === undefined) return { kind: "run", tool, proposed, args: proposed, isEdited: false, holdId };
  if (!canEdit || !isObject(edited)) return { kind: "refused", notice: EDIT_NOT_TAKEN };
  return { kind: "run", tool, proposed, args: edited, isEdited: true, holdId };
}

export function ruledDecision(
  { tool, args }: ToolCall,
  ruling: Exclude<Ruling, { kind: "hold" }>,
): CallDecision {
  if (ruling.kind === "deny") return { kind: "refused", notice: denialNotice(ruling.reason) };
  return { kind: "run", tool, proposed: args, args, isEdited: false };
}
