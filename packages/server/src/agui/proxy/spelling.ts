/** How an agent of any age says that it stopped, and how it wants to hear the answers. */

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

/** `list` takes all answers in `resume`, `object` one there, `command` LangGraph's way in `forwardedProps`. */
export type ResumeSpelling = "list" | "object" | "command";

export interface Ending {
  readonly end: RunEnd;
  readonly spelling: ResumeSpelling;
}

/** `told`: values of `CUSTOM on_interrupt`, for agents that end such a run like any other. */
export function readEnding(event: AgUiEvent, told: readonly Json[]): Ending {
  const list = event["interrupts"];
  if (event["outcome"] === "interrupt" && Array.isArray(list)) {
    return { end: { kind: "interrupt", interrupts: list as Interrupt[] }, spelling: "list" };
  }
  const end = readRunEnd(event);
  if (end.kind === "interrupt") return { end, spelling: isObject(event["outcome"]) ? "list" : "object" };
  if (end.kind === "success" && told.length > 0) {
    return { end: { kind: "interrupt", interrupts: told.map(toldInterrupt) }, spelling: "command" };
  }
  return { end, spelling: "list" };
}

export function isToldInterrupt({ type, name }: AgUiEvent): boolean {
  return type === "CUSTOM" && name === "on_interrupt";
}

export function toldValue({ value }: AgUiEvent): Json {
  if (typeof value !== "string") return (value ?? null) as Json;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function toldInterrupt(value: Json): Interrupt {
  const inside = isObject(value) ? value : {};
  const text = (name: string) => {
    const found = member(inside, name);
    return typeof found === "string" ? { [name]: found } : {};
  };
  const { reason, message, responseSchema } = plainAsk(value);
  return {
    id: "",
    reason,
    ...text("id"),
    ...text("reason"),
    ...(message === undefined ? {} : { message }),
    ...text("toolCallId"),
    ...text("expiresAt"),
    ...(responseSchema === undefined ? {} : { responseSchema: responseSchema as JsonObject }),
    metadata: { payload: value },
  };
}

/** The agent's question as a hold asks it. What is shown is what it sent; its own id stays with us. */
export function askOf(
  interrupt: Interrupt,
  now: number,
  rest: Pick<InterruptAsk, "ladder" | "bare">,
): InterruptAsk {
  const { reason, message, toolCallId, responseSchema, expiresAt, metadata } = interrupt;
  const { payload, ...others } = isObject(metadata as Json) ? (metadata as JsonObject) : {};
  const until = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  return {
    reason: isText(reason) ? reason : "unknown",
    ...(isText(message) ? { message: message.slice(0, PROMPT_LENGTH_MAX) } : {}),
    ...(isText(toolCallId) ? { toolCallId } : {}),
    ...(isObject(responseSchema as Json) ? { responseSchema: responseSchema as JsonObject } : {}),
    ...(payload === undefined || payload === null
      ? {}
      : { payload: isObject(payload) ? payload : { value: payload } }),
    ...(Object.keys(others).length === 0 ? {} : { metadata: others }),
    // One that is over already still gets its second, so that its end is told like any other.
    ...(Number.isNaN(until) ? {} : { until: new Date(Math.max(until, now + 1_000)).toISOString() }),
    ...rest,
  };
}

/** Agents of other languages send null for what they leave out, and some of them anything. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The members of a run's input that carry the answers, complete and in one piece. */
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
      return { forwardedProps: { ...props, command: { resume: commandValue(given) } } };
    }
  }
}

interface Given {
  readonly id: string;
  readonly answer: InterruptAnswer;
  /** The author said what an answer looks like. */
  readonly hasSchema: boolean;
}

/** LangGraph gives an object whose members are all ids of interrupts to these; any other value to `interrupt()` itself. */
const LANGGRAPH_ID = /^[0-9a-f]{32}$/;

/** What `interrupt()` returns in the agent, whose code may only test it for truth: what is not approved is `false` (G14). */
function commandValue(given: readonly Given[]): Json {
  const values = given.map(
    ({ answer, hasSchema }) =>
      answer.status === "resolved" && (answer.approved || hasSchema) && answer.payload,
  );
  if (given.length === 1) return values[0] ?? false;
  if (given.every(({ id }) => LANGGRAPH_ID.test(id)))
    return Object.fromEntries(given.map(({ id }, at) => [id, values[at] ?? false]));
  // Several answers in one value: a list or an object would be true although somebody said no.
  if (given.some(({ answer }) => answer.status !== "resolved" || !answer.approved)) return false;
  return given.every(({ id }) => id !== "")
    ? Object.fromEntries(given.map(({ id }, at) => [id, values[at] ?? false]))
    : values;
}

/** The draft has no word for it, and its payload is always an object: abandoned is told inside it (AG-088). */
function plain(answer: InterruptAnswer | undefined): Json {
  return answer?.status === "resolved" ? answer.payload : { cancelled: true };
}
