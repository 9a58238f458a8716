/**
 * @module
 * What the components know, without their looks: the state of an answer and of a form, diffs, countdowns, safe Markdown,
 * how a value is best shown. Pure, for pages that draw themselves.
 */
export { visibleText } from "@holdpoint/protocol/rules";
export type { AnswerEvent, AnswerState } from "./answer-state.ts";
export { IDLE, nextAnswerState, wantsWords } from "./answer-state.ts";
export { askOf } from "./ask-of.ts";
export type { SaveState, Timer } from "./autosave.ts";
export { Autosave } from "./autosave.ts";
export type { Countdown } from "./countdown.ts";
export { agoWords, countdown, durationWords } from "./countdown.ts";
export type { JsonChange } from "./diff.ts";
export { diffJson } from "./diff.ts";
export { diffLines } from "./diff-lines.ts";
export type { FormStart, FormState, Shows } from "./form-state.ts";
export {
  draftValues,
  fillIn,
  formData,
  goBack,
  goOn,
  messages,
  problemsOf,
  setValue,
  shownFields,
  showProblems,
  startForm,
  stepFields,
  touch,
  valueOfText,
} from "./form-state.ts";
export { browserJudge } from "./judge.ts";
export type { Block, Inline } from "./markdown.ts";
export { readInline, readMarkdown } from "./markdown.ts";
export { moneyText } from "./money.ts";
export type { Item, Part } from "./parts.ts";
export { itemsOf, labelOf, partsOf, toolCallOf } from "./parts.ts";
export { answerPost } from "./post.ts";
export { safeHref } from "./safe-href.ts";
export type { SchemaNode } from "./schema-form.ts";
export { initialValue, schemaNode } from "./schema-form.ts";
export type { DiffLine } from "./unified-diff.ts";
export { readUnifiedDiff } from "./unified-diff.ts";
export { uploadTo } from "./upload-to.ts";
export type { ValueKind } from "./value-kind.ts";
export { exactKind, valueKind } from "./value-kind.ts";
export { visibleJson } from "./visible-json.ts";
