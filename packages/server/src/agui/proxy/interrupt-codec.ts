/** Reads interrupts in every form that agents have used, and writes the answers in the form that the agent expects. */

import {
  type AgUiEvent,
  type Interrupt,
  type InterruptAnswer,
  type InterruptAsk,
  plainAsk,
  type RunEnd,
  readRunEnd,
} from "@holdpoint/protocol/agui";
import { isObject, type Json, type JsonObject, member, PROMPT_LENGTH_MAX } from "@holdpoint/protocol/rules";

/** `list`: all answers in `resume`; `object`: one answer in `resume`; `command`: LangGraph's `command` in `forwardedProps`. */
export type ResumeSpelling = "list" | "object" | "command";

export type Ending = {
  readonly end: RunEnd;
  /** Stored threads contain this member under this name. */
  readonly spelling: ResumeSpelling;
  /** Whether the client already has the interrupts as `CUSTOM on_interrupt`; absent in rows of earlier versions. */
  readonly told?: boolean;
};

/** A `CUSTOM on_interrupt` event. LangGraph's bridge sends the id of the interrupt in `rawEvent`. */
export interface Told {
  readonly value: Json;
  readonly id?: string;
}

/** `told`: for agents that end an interrupted run like any other run. */
export function readEnding(event: AgUiEvent, told: readonly Told[]): Ending {
  const list = event["interrupts"];
  if (event["outcome"] === "interrupt" && Array.isArray(list))
    return listed(list as Interrupt[], "list", told.length > 0);
  const end = readRunEnd(event);
  if (end.kind === "interrupt")
    return listed(end.interrupts, isObject(event["outcome"]) ? "list" : "object", told.length > 0);
  if (end.kind === "success" && told.length > 0) {
    return {
      end: { kind: "interrupt", interrupts: told.map(toldInterrupt) },
      spelling: "command",
      told: true,
    };
  }
  return { end, spelling: "list" };
}

/** LangGraph's bridge passes one answer to `interrupt()` as it is, and a cancelled one as an object: both may be truthy (G14). */
function listed(interrupts: readonly Interrupt[], spelling: ResumeSpelling, told: boolean): Ending {
  const isBridged = interrupts.length > 0 && interrupts.every((each) => bridgedValue(each) !== undefined);
  const end: RunEnd = { kind: "interrupt", interrupts: interrupts.map(unbridged) };
  return { end, spelling: isBridged ? "command" : spelling, told };
}

/** What a graph called `interrupt()` with, as `@ag-ui/langgraph` and `ag_ui_langgraph` pass it on. */
function bridgedValue({ metadata }: Interrupt): Json | undefined {
  const bridge = isObject(metadata as Json) ? member(metadata as JsonObject, "langgraph") : undefined;
  return isObject(bridge) ? member(bridge, "raw") : undefined;
}

/** The value that the graph stopped with, where every other interrupt has it. */
function unbridged(interrupt: Interrupt): Interrupt {
  const value = bridgedValue(interrupt);
  if (value === undefined) return interrupt;
  const { message, responseSchema } = plainAsk(value);
  const { langgraph: _bridge, ...others } = interrupt.metadata as JsonObject;
  return {
    ...(message === undefined ? {} : { message }),
    ...(responseSchema === undefined ? {} : { responseSchema: responseSchema as JsonObject }),
    ...interrupt,
    metadata: { ...others, payload: value },
  };
}

/** What people are shown: the payload or, where an agent has none, all that it says of its question (G15). */
export function contextOf({ metadata }: Interrupt): JsonObject | undefined {
  const { payload, ...others } = isObject(metadata as Json) ? (metadata as JsonObject) : {};
  if (payload === undefined || payload === null) return Object.keys(others).length === 0 ? undefined : others;
  return isObject(payload) ? payload : { value: payload };
}

export function isToldInterrupt({ type, name }: AgUiEvent): boolean {
  return type === "CUSTOM" && name === "on_interrupt";
}

export function toldIn({ value, rawEvent }: AgUiEvent): Told {
  const id = isObject(rawEvent as Json) ? member(rawEvent as JsonObject, "id") : undefined;
  return { value: toldValue(value), ...(typeof id === "string" ? { id } : {}) };
}

function toldValue(value: unknown): Json {
  if (typeof value !== "string") return (value ?? null) as Json;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function toldInterrupt({ value, id = "" }: Told): Interrupt {
  const inside = isObject(value) ? value : {};
  const text = (name: string) => {
    const found = member(inside, name);
    return typeof found === "string" ? { [name]: found } : {};
  };
  const { reason, message, responseSchema } = plainAsk(value);
  return {
    reason,
    id: id === "" ? (text("id")["id"] ?? "") : id,
    ...text("reason"),
    ...(message === undefined ? {} : { message }),
    ...text("toolCallId"),
    ...text("subagentRunId"),
    ...text("expiresAt"),
    ...(responseSchema === undefined ? {} : { responseSchema: responseSchema as JsonObject }),
    metadata: { payload: value },
  };
}

/** The agent's interrupt as the ask of a hold. It shows what the agent sent, without the agent's own id. */
export function askOf(
  interrupt: Interrupt,
  now: number,
  rest: Pick<InterruptAsk, "ladder" | "bare">,
): InterruptAsk {
  const { reason, message, toolCallId, subagentRunId, responseSchema, expiresAt, metadata } = interrupt;
  const { payload: _shown, ...others } = isObject(metadata as Json) ? (metadata as JsonObject) : {};
  const context = contextOf(interrupt);
  const until = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  return {
    reason: isText(reason) ? reason : "unknown",
    ...(isText(message) ? { message: message.slice(0, PROMPT_LENGTH_MAX) } : {}),
    ...(isText(toolCallId) ? { toolCallId } : {}),
    ...(isText(subagentRunId) ? { subagentRunId } : {}),
    ...(isObject(responseSchema as Json) ? { responseSchema: responseSchema as JsonObject } : {}),
    ...(context === undefined ? {} : { payload: context }),
    ...(Object.keys(others).length === 0 ? {} : { metadata: others }),
    // A deadline in the past becomes one second from now, so that the hold expires like any other.
    ...(Number.isNaN(until) ? {} : { until: new Date(Math.max(until, now + 1_000)).toISOString() }),
    ...rest,
  };
}

/** Some agents send null, or a value of another type, for a member that they leave out. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The members of a run's input that contain all the answers. */
export function resumeFor(
  spelling: ResumeSpelling,
  interrupts: readonly Interrupt[],
  answers: readonly InterruptAnswer[],
  forwardedProps: Json | undefined,
): JsonObject {
  const given = interrupts.map(({ id, responseSchema }, at) => ({
    ...{ id, answer: answers[at] as InterruptAnswer, hasSchema: responseSchema !== undefined },
  }));
  const [first] = given;
  switch (spelling) {
    case "list":
      return {
        resume: given.map(({ id, answer }) =>
          answer.status === "resolved"
            ? { interruptId: id, status: "resolved", payload: answer.payload }
            : { interruptId: id, status: "cancelled" },
        ),
      };
    case "object": {
      const { id = "", answer } = first ?? {};
      return { resume: { ...(id === "" ? {} : { interruptId: id }), payload: plain(answer) } };
    }
    case "command": {
      const props = isObject(forwardedProps) ? forwardedProps : {};
      return {
        forwardedProps: { ...props, command: { resume: commandValue(given), ...eventOf(interrupts) } },
      };
    }
  }
}

interface Given {
  readonly id: string;
  readonly answer: InterruptAnswer;
  /** Whether the author gave a schema for the answer. */
  readonly hasSchema: boolean;
}

/** LangGraph splits an object whose keys are all interrupt ids among these interrupts; it passes any other value to `interrupt()`. */
const LANGGRAPH_ID = /^[0-9a-f]{32}$/;

/** What `interrupt()` returns in the agent. Its code may only test for truth, so whatever was not approved is `false` (G14). */
function commandValue(given: readonly Given[]): Json {
  const values = given.map(
    ({ answer, hasSchema }) =>
      answer.status === "resolved" && (answer.approved || hasSchema) && answer.payload,
  );
  // By its id an interrupt also gets a `false`, which LangGraph otherwise takes for no answer at all.
  if (given.every(({ id }) => LANGGRAPH_ID.test(id))) {
    // Of several answers under one id, which an agent may give twice, a "no" counts.
    const denied = new Set(given.filter((_, at) => (values[at] ?? false) === false).map(({ id }) => id));
    return Object.fromEntries(given.map(({ id }, at) => [id, !denied.has(id) && (values[at] ?? false)]));
  }
  if (given.length === 1) return values[0] ?? false;
  // Several answers in one value: a list or an object would be truthy although one person said no.
  if (given.some(({ answer }) => answer.status !== "resolved" || !answer.approved)) return false;
  return given.every(({ id }) => id !== "")
    ? Object.fromEntries(given.map(({ id }, at) => [id, values[at] ?? false]))
    : values;
}

/** CopilotKit's clients send the event that they answer; Mastra's bridge finds the tool call by it. */
function eventOf(interrupts: readonly Interrupt[]): JsonObject {
  const [first, second] = interrupts;
  if (first === undefined || second !== undefined || LANGGRAPH_ID.test(first.id)) return {};
  const { payload } = (first.metadata ?? {}) as JsonObject;
  return payload === undefined ? {} : { interruptEvent: payload };
}

/** The draft form cannot express a cancelled interrupt, and its payload is always an object, so the payload says it (AG-088). */
function plain(answer: InterruptAnswer | undefined): Json {
  return answer?.status === "resolved" ? answer.payload : { cancelled: true };
}
