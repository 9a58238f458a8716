/**
 * The improvement loop: a service gave its result at once and says what would make it better. The person sees the result
 * first, is asked one thing at a time, at most twice, and can stop at any moment by not answering.
 */

import { PRIORITIES, type Priority } from "@holdpoint/protocol/hitl/words";
import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";

export interface Suggestion {
  readonly field: string;
  readonly issue: string;
  /** The question to ask, in the service's words. */
  readonly agentAction: string;
  readonly impact: string;
  readonly priority: Priority;
}

export interface ImproveOptions {
  /** Shows a result to the person. Called for every result before anything is asked about it. */
  readonly share: (result: JsonObject) => void | Promise<void>;
  /** Asks one question. Nothing, or only spaces, means the person would rather stop. */
  readonly ask: (suggestion: Suggestion) => Promise<string | undefined>;
  /** Sends the request again with everything answered so far, by field. */
  readonly resubmit: (answers: Readonly<Record<string, string>>) => Promise<JsonObject>;
  readonly cyclesMax?: number;
}

export interface Improved {
  readonly result: JsonObject;
  readonly cycles: number;
  readonly stopped: "nothing_left" | "declined" | "cap";
}

const CYCLES_MAX = 2;

function suggestionOf(value: Json): Suggestion | undefined {
  if (!isObject(value)) return undefined;
  const { field, issue, impact } = value;
  const agentAction = value["agent_action"];
  if (typeof field !== "string" || typeof agentAction !== "string") return undefined;
  return {
    field,
    agentAction,
    issue: typeof issue === "string" ? issue : "",
    impact: typeof impact === "string" ? impact : "",
    priority: PRIORITIES.find((word) => word === value["priority"]) ?? "low",
  };
}

/** What could be better, the most important first. */
export function suggestionsOf(result: JsonObject): readonly Suggestion[] {
  const listed = result["improvement_suggestions"];
  if (!Array.isArray(listed)) return [];
  const rank = (suggestion: Suggestion) => PRIORITIES.indexOf(suggestion.priority);
  return listed
    .flatMap((value: Json) => suggestionOf(value) ?? [])
    .sort((one: Suggestion, other: Suggestion) => rank(one) - rank(other));
}

/** Shares a result, asks the user about its most important suggestion and calls the service again, until nothing is left to ask. */
export async function improve(first: JsonObject, options: ImproveOptions): Promise<Improved> {
  const answers: Record<string, string> = {};
  let result = first;
  for (let cycles = 0; ; cycles += 1) {
    await options.share(result);
    const suggestion = suggestionsOf(result)[0];
    if (suggestion === undefined) return { result, cycles, stopped: "nothing_left" };
    if (cycles >= (options.cyclesMax ?? CYCLES_MAX)) return { result, cycles, stopped: "cap" };
    const answer = (await options.ask(suggestion))?.trim() ?? "";
    if (answer === "") return { result, cycles, stopped: "declined" };
    answers[suggestion.field] = answer;
    result = await options.resubmit({ ...answers });
  }
}
