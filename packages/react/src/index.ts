/**
 * @module
 * Components that show any hold and take its answer. `HoldReview` is the whole of it; the others are its parts. Looks come
 * from `@holdpoint/react/style.css` and its `--hp-*` variables.
 *
 * @example
 * ```tsx
 * import { HoldReview } from "@holdpoint/react";
 * import "@holdpoint/react/style.css";
 *
 * <HoldReview hold={hold} now={Date.now()} onAnswer={async (answer) => {
 *   await client.answer(hold.id, { ...answer, shown: hold.digest });
 *   return { kind: "settled" };
 * }} />
 * ```
 */

export type { EarlierRound } from "@holdpoint/protocol";
export type { PanelProps } from "./components/answer-panel.tsx";
export { AnswerPanel } from "./components/answer-panel.tsx";
export { ArgumentEditor, ChangeList } from "./components/argument-editor.tsx";
export { Deadline, Moment } from "./components/deadline.tsx";
export { Details, ToolCall } from "./components/details.tsx";
export { Ending } from "./components/ending.tsx";
export { FieldView } from "./components/field-view.tsx";
export type { HoldReviewProps } from "./components/hold-review.tsx";
export { HoldReview } from "./components/hold-review.tsx";
export { useHydrated, useNow } from "./components/hooks.ts";
export type { IconName } from "./components/icons.tsx";
export { Icon } from "./components/icons.tsx";
export { loadParts, partsUsed } from "./components/late.tsx";
export { Markdown } from "./components/markdown.tsx";
export type { DetailsProps, Registry } from "./components/registry.tsx";
export { overrideFor, RegistryProvider, useOverride } from "./components/registry.tsx";
export { Rounds } from "./components/rounds.tsx";
export { Code, Text } from "./components/text.tsx";
export type { Upload } from "./components/upload.ts";
export type { AnswerReply, AnswerSent, AnswerStart } from "./components/use-answer.ts";
export { DiffView, Facts, ValueView } from "./components/value-view.tsx";
