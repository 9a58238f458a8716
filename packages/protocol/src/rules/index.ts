/**
 * @module
 * Rules that both sides of the wire share. Pure: no clock, no I/O, no dependencies.
 */

export { amountText, isCurrencyCode } from "./amount-text.ts";
export type {
  Action,
  Answer,
  Ask,
  AskType,
  KnownAskType,
  Option,
  SelectRange,
  ShownAction,
  Style,
  Uses,
} from "./ask.ts";
export {
  ASK_TYPES,
  actionsOf,
  CALL_UNKNOWN,
  hasUsesLeft,
  isCallUnknown,
  isGranting,
  isKnownType,
  shownActions,
} from "./ask.ts";
export { triedLengthMax } from "./backtracking.ts";
export type { Change, ChangedMember } from "./changes.ts";
export { changesOf } from "./changes.ts";
export type { AnswerCheck, GivenAnswer } from "./check-answer.ts";
export { checkAnswer } from "./check-answer.ts";
export { checkAsk, normaliseAsk, PROMPT_LENGTH_MAX, USES_MAX } from "./check-ask.ts";
export { checkFieldAnswer } from "./check-form-answer.ts";
export { amountIn, toolIn } from "./context-facts.ts";
export { readDate } from "./date.ts";
export { DURATION_MAX_MS, formatDuration, parseDuration } from "./duration.ts";
export { escapeUnseen } from "./escape-unseen.ts";
export { exactText } from "./exact-text.ts";
export type { Bounds } from "./field-value.ts";
export { boundsOf, isGiven } from "./field-value.ts";
export type { FilePlace } from "./file.ts";
export { filePlaces, filesIn } from "./file.ts";
export type { FileRef } from "./file-ref.ts";
export { FILE_BYTES_MAX, FILE_NAME_LENGTH_MAX, FILE_UPLOAD, isFileRef, wantsFile } from "./file-ref.ts";
export type { Condition, Field, FieldOption, FieldType, Form, Operator, Step, Validation } from "./form.ts";
export { FIELD_TYPES, fieldsOf, sensitiveKeys } from "./form.ts";
export { ACTION_INPUT, FILE_INPUT } from "./form-inputs.ts";
export type { FormPost } from "./form-post.ts";
export { readFormPost } from "./form-post.ts";
export { escapeHtml } from "./html.ts";
export type { Json, JsonObject } from "./json.ts";
export { hasMoreValuesThan, isDeeperThan, isObject, member, pointer } from "./json.ts";
export type { JsonBounds } from "./json-text.ts";
export { endOfJsonText, whyTooMuchJson } from "./json-text.ts";
export type { Judge, PatternTest, Problem, SchemaTest } from "./judge.ts";
export { maskSensitive, WITHHELD } from "./mask.ts";
export type { Progress } from "./progress.ts";
export { progressOf } from "./progress.ts";
export { canonicalText, sameAnswer, sameJson } from "./same-answer.ts";
export { isDroppedKeyword, modernKeywords, modernSchema, SCHEMA_KEYWORDS } from "./schema-document.ts";
export { asksForValue } from "./schema-hints.ts";
export { asShown } from "./shown-value.ts";
export { needsNote, noteProblems } from "./unknown-call.ts";
export { visibleFields } from "./visible.ts";
export { textInInput, UNSEEN, visibleText } from "./visible-text.ts";
