/** How an agent of any age says that it stopped, and how it wants to hear the answers. */

import { isObject, type Json, type JsonObject, member, PROMPT_LENGTH_MAX } from "@holdpoint/protocol/rules";
import {
  type AgUiEvent,
  type Interrupt,
  type InterruptAnswer,
  type InterruptAsk,
  type RunEnd,
  readRunEnd,
} from "@holdpoint/sdk/agui";

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
  const schema = member(inside, "responseSchema");
  return {
    id: "",
    reason: "langgraph:interrupt",
    ...(typeof value === "string" ? { message: value } : {}),
    ...text("id"),
    ...text("reason"),
    ...text("message"),
    ...text("toolCallId"),
    ...text("expiresAt"),
    ...(isObject(schema) ? { responseSchema: schema } : {}),
    metadata: { payload: value },
  };
}

/** The agent's question as a hold asks it. What is shown is what it sent; its own id stays with us. */
export function askOf(interrupt: Interrupt, now: number, rest: Pick<InterruptAsk, "ladder">): InterruptAsk {
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
  const given = interrupts.map(({ id }, at) => ({ id, answer: answers[at] as InterruptAnswer }));
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
      const hasIds = given.every(({ id }) => id !== "");
      const byId = Object.fromEntries(given.map(({ id, answer }) => [id, plain(answer)]));
      const all = hasIds ? byId : given.map(({ answer }) => plain(answer));
      const resume = given.length === 1 ? plain(first?.answer) : all;
      const props = isObject(forwardedProps) ? forwardedProps : {};
      return { forwardedProps: { ...props, command: { resume } } };
    }
  }
}

/** Forms without a word for it are told that it was abandoned inside the payload (AG-088). */
function plain(answer: InterruptAnswer | undefined): Json {
  return answer?.status === "resolved" ? answer.payload : { cancelled: true };
}
