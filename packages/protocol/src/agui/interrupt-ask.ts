/** An interrupt as a hold asks it: one question, whichever door it is answered through. */

import type { Hold, OpenIn, Place, Rung } from "../client/index.ts";
import { caseContext, defaultActionOf } from "../hitl/case.ts";
import { type Form, isObject, type JsonObject, member, type Option } from "../rules/index.ts";
import { editedArgsSchema } from "./reason.ts";
import type { Interrupt } from "./types.ts";
import { isAmbiguous, wrapped } from "./whole-payload.ts";

export type InterruptKind = "approval" | "confirmation" | "input" | "selection" | "escalation";

/** What an agent asks when it stops. */
export interface InterruptAsk {
  readonly reason: string;
  /** The question in words. */
  readonly message?: string;
  readonly toolCallId?: string;
  /** The subagent that asks, of which the agent has sent SUBAGENT_STARTED. */
  readonly subagentRunId?: string;
  /** JSON Schema 2020-12 of the resume's payload. */
  readonly responseSchema?: OpenIn;
  /** What people need to see to decide: arguments, a diff, a plan, a risk. */
  readonly payload?: OpenIn;
  readonly metadata?: OpenIn;
  /** When neither reason nor schema says how it is answered. */
  readonly kind?: InterruptKind;
  /**
   * A yes/no question whose answer is a bare JSON value, because the agent may test it for truth: a person's approval is
   * `true`, everything that is not an approval is `false` (G14). See `bare-answer.ts`.
   */
  readonly bare?: boolean;
  readonly options?: readonly Option[];
  /** Fields for the review page; instead of a schema. */
  readonly form?: Form;
  readonly timeout?: string;
  readonly until?: string;
  readonly onTimeout?: string;
  readonly ladder?: readonly Rung[];
  readonly answerers?: readonly string[];
}

/** Where a hold keeps what only AG-UI wants to know. */
const OURS = "ag_ui";

const APPROVALS: readonly string[] = ["tool_call", "human_approval", "policy_hold", "database_modification"];

export function kindOf(ask: InterruptAsk): InterruptKind {
  if (ask.bare === true) return "approval";
  if (ask.kind !== undefined) return ask.kind;
  const schema = ask.responseSchema as JsonObject | undefined;
  if (ask.options !== undefined) return "selection";
  if (ask.form !== undefined) return "input";
  if (ask.reason === "confirmation") return "confirmation";
  if (ask.reason === "error_recovery" || ask.reason === "holdpoint:escalation") return "escalation";
  if (schema !== undefined) return asksApprovalOnly(schema) ? "approval" : "input";
  return APPROVALS.includes(ask.reason) ? "approval" : "input";
}

/** A yes or no with optional extras fits an approval; whatever else is required needs the whole schema. */
function asksApprovalOnly(schema: JsonObject): boolean {
  const [properties, required] = [member(schema, "properties"), member(schema, "required")];
  const approved = isObject(properties) ? member(properties, "approved") : undefined;
  if (!isObject(approved) || member(approved, "type") !== "boolean") return false;
  return !Array.isArray(required) || required.every((name) => name === "approved");
}

export interface Placing {
  readonly key: string;
  readonly threadId: string;
  readonly runId: string;
}

/** The hold to place. Links go to people, not into the run: a reader of the stream could decide with one. */
export function placeOf(ask: InterruptAsk, { key, threadId, runId }: Placing): Place {
  const type = kindOf(ask);
  const schema = ask.responseSchema as JsonObject | undefined;
  const asked = nativeSchema(type, schema);
  const isWrapped = type === "input" && asked !== undefined && isAmbiguous(asked);
  const native = isWrapped ? wrapped(asked) : asked;
  const { timeout, until, onTimeout, ladder, answerers, options, form } = ask;
  return {
    key,
    threadId,
    type,
    prompt: ask.message ?? wordsFor(ask),
    links: "server",
    ...(ask.payload === undefined ? {} : { context: ask.payload }),
    ...(options === undefined ? {} : { options }),
    ...(form === undefined ? {} : { form }),
    ...(native === undefined || form !== undefined ? {} : { responseSchema: native }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(until === undefined ? {} : { until }),
    ...(onTimeout === undefined ? {} : { onTimeout }),
    ...(ladder === undefined ? {} : { ladder }),
    ...(answerers === undefined ? {} : { answerers }),
    metadata: {
      [OURS]: {
        reason: ask.reason,
        run_id: runId,
        ...(ask.message === undefined ? {} : { message: ask.message }),
        ...(ask.toolCallId === undefined ? {} : { tool_call_id: ask.toolCallId }),
        ...(ask.subagentRunId === undefined ? {} : { subagent_run_id: ask.subagentRunId }),
        ...(ask.metadata === undefined ? {} : { metadata: ask.metadata }),
        ...(ask.bare === true ? { bare: true } : {}),
        ...(isWrapped ? { wrapped: true } : {}),
        response_schema: schema ?? (ask.bare === true ? null : (defaultSchema(type, ask) ?? null)),
      },
    },
  };
}

function wordsFor({ reason, payload }: InterruptAsk): string {
  const tool = payload !== undefined && "tool" in payload ? payload.tool : undefined;
  if (reason === "tool_call" && typeof tool === "string") return `Run ${tool}?`;
  if (reason === "tool_call") return "Run a tool?";
  return `The agent stopped: ${reason}`;
}

/** Of the edited arguments for an approval, of the whole answer for an input; the other types bring their own rules. */
function nativeSchema(type: InterruptKind, schema: JsonObject | undefined): JsonObject | undefined {
  if (type === "approval") return editedArgsSchema(schema);
  // A schema that accepts everything asks for nothing in particular.
  return type === "input" && schema !== undefined && Object.keys(schema).length > 0 ? schema : undefined;
}

function defaultSchema(type: InterruptKind, { options = [], form }: InterruptAsk): JsonObject | undefined {
  const properties = (members: JsonObject, required: readonly string[]): JsonObject => ({
    type: "object",
    properties: members,
    required,
  });
  switch (type) {
    case "approval":
      return properties({ approved: { type: "boolean" }, feedback: { type: "string" } }, ["approved"]);
    case "selection": {
      const items = { enum: options.map(({ id }) => id) };
      return properties({ selected: { type: "array", items, minItems: 1 } }, ["selected"]);
    }
    case "escalation":
      return properties({ action: { enum: ["retry", "skip", "abort"] }, reason: { type: "string" } }, [
        "action",
      ]);
    // Fields are answered with an object; without them an input takes any JSON (AG-006).
    case "input":
      return form === undefined ? {} : { type: "object" };
    case "confirmation":
      return undefined;
  }
}

/** Whether the hold was asked with this mark: `bare`, `wrapped`. */
export function isMarked({ metadata }: Pick<Hold, "metadata">, mark: "bare" | "wrapped"): boolean {
  const ours = metadata === undefined ? undefined : member(metadata, OURS);
  return isObject(ours) && member(ours, mark) === true;
}

/**
 * The hold as AG-UI shows it; null when no run raised it. With Holdpoint's public address it also says where the same question
 * is a case of the HITL Protocol.
 */
export function interruptOf(hold: Hold, publicUrl?: string): Interrupt | null {
  const ours = hold.metadata === undefined ? undefined : member(hold.metadata, OURS);
  if (!isObject(ours)) return null;
  const reason = member(ours, "reason");
  const schema = member(ours, "response_schema");
  const metadata = member(ours, "metadata");
  const extra: JsonObject = {
    ...(isObject(metadata) ? metadata : {}),
    ...(hold.context === undefined ? {} : { payload: hold.context }),
    ...(publicUrl === undefined ? {} : { hitl: caseOf(hold, publicUrl) }),
  };
  return {
    id: hold.id,
    reason: typeof reason === "string" ? reason : "unknown",
    ...text("message", member(ours, "message")),
    ...text("toolCallId", member(ours, "tool_call_id")),
    ...text("subagentRunId", member(ours, "subagent_run_id")),
    ...(isObject(schema) ? { responseSchema: schema } : {}),
    ...text("expiresAt", hold.expiresAt),
    ...(Object.keys(extra).length === 0 ? {} : { metadata: extra }),
  };
}

/** Never with a submit token: a reader of the stream could answer with it. */
function caseOf(hold: Hold, publicUrl: string): JsonObject {
  const { caseId, type, reviewUrl, onTimeout } = hold;
  return {
    case_id: caseId,
    ...text("review_url", reviewUrl),
    poll_url: `${publicUrl}/reviews/${caseId}/status`,
    type,
    context: caseContext(hold) ?? {},
    default_action: defaultActionOf(onTimeout?.action),
  };
}

function text(name: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === "string" ? { [name]: value } : {};
}
