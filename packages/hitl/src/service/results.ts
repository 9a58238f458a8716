/** Answers that need no person: the choice gate, and results with suggestions for making them better. */

import type { ImprovementSuggestion } from "@holdpoint/protocol/hitl";
import { PRIORITIES, readChoice } from "@holdpoint/protocol/hitl/words";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { json, refuse } from "./reply.ts";

export type Chosen =
  | { readonly kind: "review" }
  | { readonly kind: "skip" }
  | { readonly kind: "refused"; readonly response: Response };

/** What the request chose. Where no choice is demanded, saying nothing means that a person may be asked. */
export function choose(body: JsonObject, isRequired: boolean): Chosen {
  const choice = readChoice(body);
  if (choice.kind !== "refused") return choice;
  if (choice.code === "HITL_CHOICE_REQUIRED" && !isRequired) return { kind: "review" };
  return { kind: "refused", response: refuse(choice.code, choice.message) };
}

export interface ResultOptions {
  readonly status?: 200 | 201;
  /** What would make it better; the list may be empty, which says that nothing would. */
  readonly suggestions?: readonly ImprovementSuggestion[];
}

function suggestionsIn(options: ResultOptions): JsonObject {
  if (options.suggestions === undefined) return {};
  const rank = (suggestion: ImprovementSuggestion) => PRIORITIES.indexOf(suggestion.priority);
  return { improvement_suggestions: options.suggestions.toSorted((one, other) => rank(one) - rank(other)) };
}

export function result(body: JsonObject, options: ResultOptions = {}): Response {
  return json(options.status ?? 200, { ...body, ...suggestionsIn(options) });
}

/** A result given without a person because the request said so. */
export function skipped(body: JsonObject, options: ResultOptions = {}): Response {
  return json(options.status ?? 201, { ...body, hitl_skipped: true, ...suggestionsIn(options) });
}
