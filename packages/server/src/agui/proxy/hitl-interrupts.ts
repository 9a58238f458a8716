/**
 * Interrupts of LangChain's human-in-the-loop middleware behind the proxy: one interrupt of the agent is one hold for each tool call,
 * and the agent is resumed with all decisions together.
 */

import {
  type HitlRequest,
  hitlAsk,
  hitlRequestIn,
  hitlResponse,
  type Interrupt,
  type InterruptAnswer,
  type InterruptAsk,
} from "@holdpoint/protocol/agui";
import { RunFailure } from "@holdpoint/protocol/agui/runtime";
import { isObject, type Json } from "@holdpoint/protocol/rules";
import { askOf } from "./interrupt-codec.ts";

/** The agent's value stands under one of these names, or directly in the metadata. */
const VALUES = ["payload", "value"];

/** Null: an interrupt of another kind. */
export function hitlRequestOf({ metadata }: Interrupt): HitlRequest | null {
  const given = (metadata ?? null) as Json;
  const values = isObject(given) ? [given, ...VALUES.map((name) => given[name] ?? null)] : [];
  for (const value of values) {
    const request = hitlRequestIn(value);
    if (request !== null) return request;
  }
  return null;
}

/** The interrupt's own deadline counts for each of its calls. */
export function hitlAsks(request: HitlRequest, interrupt: Interrupt, now: number): readonly InterruptAsk[] {
  const { until } = askOf(interrupt, now, {});
  return request.actions.map((action) => ({ ...hitlAsk(action), ...(until === undefined ? {} : { until }) }));
}

/** The answers of all holds as one answer for each interrupt of the agent. */
export function answersFor(
  interrupts: readonly Interrupt[],
  answers: readonly InterruptAnswer[],
): readonly InterruptAnswer[] {
  let at = 0;
  return interrupts.map((interrupt) => {
    const request = hitlRequestOf(interrupt);
    const theirs = answers.slice(at, at + (request?.actions.length ?? 1));
    at += theirs.length;
    const [first] = theirs;
    if (first === undefined) throw new Error("Invariant: an interrupt of the agent has no answer");
    return request === null ? first : decided(request, theirs, first);
  });
}

function decided(
  request: HitlRequest,
  answers: readonly InterruptAnswer[],
  first: InterruptAnswer,
): InterruptAnswer {
  const response = hitlResponse(request, answers);
  if (!response.ok) {
    throw new RunFailure(
      "AGENT_ERROR",
      `The agent does not accept "${response.missing}" for the tool ${response.tool}, which is what people decided. ` +
        "Add it to the allowed decisions of its human-in-the-loop middleware.",
    );
  }
  const answered = answers.find((answer) => answer.status === "resolved");
  const by = answered?.by ?? { kind: "key" as const, id: "nobody" };
  const { decisions } = response.value;
  // The middleware reads the decisions themselves, and none of them approves what a person did not (G14).
  return {
    ...{ status: "resolved", interruptId: first.interruptId, payload: { decisions }, approved: true, by },
    door: answered?.door ?? "agui",
  };
}
