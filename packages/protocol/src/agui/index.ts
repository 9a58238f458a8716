/**
 * @module
 * AG-UI runs that stop for a person: types, parsers and helpers for the released form and the draft before it. Nothing here
 * depends on a framework; the handler for agents is in `@holdpoint/adapters/ag-ui`.
 *
 * @example
 * ```ts
 * import { newDesk, readRunEnd, reduceDesk, resumeOf } from "@holdpoint/protocol/agui";
 *
 * const interrupt = { id: "i1", reason: "confirmation" };
 * const end = readRunEnd({ type: "RUN_FINISHED", outcome: { type: "interrupt", interrupts: [interrupt] } });
 * let desk = newDesk("t1");
 * if (end.kind === "interrupt") desk = reduceDesk(desk, { kind: "interrupted", interrupts: end.interrupts });
 * desk = reduceDesk(desk, { kind: "drafted", interruptId: "i1", answer: { status: "resolved", payload: true } });
 * const resume = resumeOf(desk, Date.now());
 * ```
 */
export type { Desk, DeskAction, DraftAnswer, PastInterrupt } from "./desk.ts";
export { canSubmit, isComposerBlocked, newDesk, reduceDesk, resumeOf, timeLeftMs } from "./desk.ts";
export type { FormHints } from "./form.ts";
export { chooseForm, FORM_HEADER, FORM_PARAMETER, isInterruptForm, PARTIAL_PARAMETER } from "./form.ts";
export type { HitlAction, HitlDecision, HitlRequest, HitlResponse } from "./hitl-request.ts";
export { hitlAsk, hitlPayloads, hitlRequestIn, hitlResponse } from "./hitl-request.ts";
export type { InterruptAnswer, PayloadReading } from "./interrupt-answer.ts";
export { agrees, answerOf, interruptAnswerOf, repeats } from "./interrupt-answer.ts";
export type { InterruptAsk, InterruptKind, Placing } from "./interrupt-ask.ts";
export { interruptOf, kindOf, placeOf } from "./interrupt-ask.ts";
export type { Machine } from "./machine.ts";
export { machineOver } from "./machine.ts";
export { plainAsk } from "./plain-ask.ts";
export type { CardKind } from "./reason.ts";
export { cardKindOf, createCardRegistry, editedArgsSchema, offersEdits, whyNotReason } from "./reason.ts";
export type { RunNames } from "./run-end.ts";
export { draftOf, isExpired, readRunEnd, writeRunEnd } from "./run-end.ts";
export type { InputReading } from "./run-input.ts";
export { readRunInput } from "./run-input.ts";
export type {
  AgUiEvent,
  AgUiMessage,
  AgUiTool,
  AgUiToolCall,
  DraftInterrupt,
  DraftResume,
  Interrupt,
  InterruptForm,
  Resume,
  ResumeEntry,
  RunEnd,
  RunInput,
} from "./types.ts";
export { INTERRUPT_FORMS, PROTOCOL_VERSION } from "./types.ts";
