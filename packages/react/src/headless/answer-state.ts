/**
 * Where a person is with their answer. One answer is on its way at a time, and a failed one can be sent again as it was:
 * nobody types twice, and no double click sends twice.
 */

import type { Answer, Problem } from "@holdpoint/protocol/rules";

export type AnswerState =
  | { readonly kind: "idle" }
  /** An action was chosen that wants words first. */
  | { readonly kind: "composing"; readonly action: string }
  | { readonly kind: "sending"; readonly answer: Answer }
  | {
      readonly kind: "refused";
      readonly answer: Answer;
      readonly problems: readonly Problem[];
      readonly notice?: string;
    }
  /** Nobody knows whether it arrived; sending the same answer again is safe. */
  | { readonly kind: "failed"; readonly answer: Answer; readonly message: string };

export type AnswerEvent =
  | { readonly kind: "compose"; readonly action: string }
  | { readonly kind: "back" }
  | { readonly kind: "send"; readonly answer: Answer }
  | { readonly kind: "retry" }
  | { readonly kind: "refuse"; readonly problems: readonly Problem[]; readonly notice?: string }
  | { readonly kind: "fail"; readonly message: string };

/** Nothing has been chosen yet. */
export const IDLE: AnswerState = { kind: "idle" };

/** The state after an event. Events that do not fit the state change nothing. */
export function nextAnswerState(state: AnswerState, event: AnswerEvent): AnswerState {
  switch (event.kind) {
    case "compose":
      return state.kind === "sending" ? state : { kind: "composing", action: event.action };
    case "back":
      return state.kind === "sending" ? state : IDLE;
    case "send":
      return state.kind === "sending" ? state : { kind: "sending", answer: event.answer };
    case "retry":
      return state.kind === "failed" ? { kind: "sending", answer: state.answer } : state;
    case "refuse": {
      if (state.kind !== "sending") return state;
      const { problems, notice } = event;
      return { kind: "refused", answer: state.answer, problems, ...(notice === undefined ? {} : { notice }) };
    }
    case "fail":
      return state.kind === "sending"
        ? { kind: "failed", answer: state.answer, message: event.message }
        : state;
  }
}

/** Actions that are better with a word to the agent. */
const WANTS_WORDS: Readonly<Record<string, readonly string[]>> = { approval: ["edit", "reject"] };

/** Whether the action is better with a word to the agent. */
export function wantsWords(type: string, action: string): boolean {
  return WANTS_WORDS[type]?.includes(action) ?? false;
}
