/** What people are asked for each type of question. */

import { type Ask, isObject, type Json, type JsonObject, type Option } from "@holdpoint/protocol/rules";
import { type Intent, LEVELS } from "../intent/intent.ts";
import type { AccessRequest, ArbitrationRequest, CheckpointRequest, RequestIn } from "./request.ts";

const YES_OR_NO = [
  { id: "approve", label: "Approve", style: "primary" },
  { id: "reject", label: "Deny", style: "danger" },
] as const;

/** The intent that a question is about. Without its title if the asker may not read it, because the asker reads its own hold. */
type AboutIntent = Pick<Intent, "id"> & Partial<Pick<Intent, "title">>;

/** Questions of a plan's checkpoint bring their own ask. */
export function requestAsk(
  request: Exclude<RequestIn, CheckpointRequest>,
  intent: AboutIntent,
  askedBy: string,
): Ask {
  switch (request.type) {
    case "access":
      return accessAsk(request, intent);
    case "escalation":
      return {
        type: "input",
        prompt: `${askedBy} needs a person for ${nameOf(intent)}: ${request.reason}`,
        context: {
          ...aboutIntent(intent),
          priority: request.priority,
          urgency: request.urgency,
          ...given({ ...request, reason: "" }),
        },
        form: {
          fields: [
            { key: "resolution", label: "Resolution", type: "text", required: true },
            { key: "notes", label: "Notes", type: "textarea" },
          ],
        },
      };
    case "arbitration":
      return arbitrationAsk(request, intent, askedBy);
    case "approval":
      return {
        type: "approval",
        prompt: `Approve “${request.action}” of ${nameOf(intent)}?`,
        context: { ...aboutIntent(intent), action: request.action, ...given(request) },
        actions: YES_OR_NO,
      };
  }
}

function nameOf({ id, title }: AboutIntent): string {
  return title === undefined ? `the intent ${id}` : `“${title}”`;
}

function aboutIntent({ id, title }: AboutIntent): JsonObject {
  return { intent: title === undefined ? { id } : { id, title } };
}

function given({ reason, context }: Pick<RequestIn, "reason" | "context">): JsonObject {
  return {
    ...(reason === "" ? {} : { reason }),
    ...(Object.keys(context).length === 0 ? {} : { context }),
  };
}

/** Approving with changes grants another permission, or grants it for a time only. */
function accessAsk(request: AccessRequest, intent: AboutIntent): Ask {
  const { principalId, principalType, permission, capabilities } = request;
  return {
    type: "approval",
    prompt: `Give ${principalId} the permission '${permission}' on ${nameOf(intent)}?`,
    context: {
      ...aboutIntent(intent),
      principal: { id: principalId, type: principalType },
      ...(capabilities.length === 0 ? {} : { capabilities: [...capabilities] }),
      ...given(request),
      arguments: { permission },
    },
    actions: YES_OR_NO,
    responseSchema: {
      type: "object",
      properties: { permission: { enum: [...LEVELS] }, expires_at: { type: "string" } },
      required: ["permission"],
      additionalProperties: false,
    },
  };
}

function arbitrationAsk(request: ArbitrationRequest, intent: AboutIntent, askedBy: string): Ask {
  const common = {
    prompt: `${askedBy} asks for a decision about ${nameOf(intent)}: ${request.reason}`,
    context: { ...aboutIntent(intent), ...given({ ...request, reason: "" }) },
  };
  const options = optionsIn(request.context["options"]);
  if (options.length > 0) return { type: "selection", ...common, options, select: { min: 1, max: 1 } };
  return {
    type: "input",
    ...common,
    form: {
      fields: [
        { key: "decision", label: "Decision", type: "text", required: true },
        { key: "reasoning", label: "Reasoning", type: "textarea" },
      ],
    },
  };
}

/** Options that the agent names in the context, each value once: `{ value, label }` or plain texts. */
function optionsIn(list: Json | undefined): readonly Option[] {
  const seen = new Map<string, Option>();
  for (const each of Array.isArray(list) ? list : []) {
    const { value = each, label = value } = isObject(each) ? each : {};
    if (typeof value === "string" && value.trim() !== "" && typeof label === "string" && label.trim() !== "")
      seen.set(value, { id: value, label });
  }
  return [...seen.values()];
}
