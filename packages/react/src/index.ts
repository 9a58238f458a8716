/**
 * @module
 * Components that show any hold and take its answer. `HoldpointProvider` names the server, `Inbox` lists what waits, and
 * `HoldReview` shows one question; the others are its parts. Looks come from `@holdpoint/react/style.css` and its `--hp-*` variables.
 *
 * @example
 * ```tsx
 * import { HoldpointProvider, Inbox } from "@holdpoint/react";
 * import "@holdpoint/react/style.css";
 *
 * // Your server makes a browser token for the user who is signed in.
 * const token = async () => (await fetch("/api/holdpoint-token", { method: "POST" })).text();
 *
 * <HoldpointProvider url="https://holdpoint.example.com" token={token}>
 *   <Inbox />
 * </HoldpointProvider>
 * ```
 */
"use client";

export type { EarlierRound } from "@holdpoint/protocol";
export type { PanelProps } from "./components/answer-panel.tsx";
export { AnswerPanel } from "./components/answer-panel.tsx";
export { ArgumentEditor, ChangeList } from "./components/argument-editor.tsx";
export { Deadline, Moment } from "./components/deadline.tsx";
export { Details, ToolCall } from "./components/details.tsx";
export { DiffView } from "./components/diff-view.tsx";
export { Ending } from "./components/ending.tsx";
export { FieldView } from "./components/field-view.tsx";
export type { HoldReviewProps as HoldCardProps, HoldReviewSlots } from "./components/hold-review.tsx";
/** A hold that the app has read itself; it needs no provider, and brings no client along. */
export { HoldDetails, HoldReview as HoldCard } from "./components/hold-review.tsx";
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
export { Facts, ValueView } from "./components/value-view.tsx";
export type { PageClient, TokenSource } from "./live/browser-client.ts";
export type { InboxProps, InboxSlots } from "./live/inbox.tsx";
export { Inbox } from "./live/inbox.tsx";
export type { HoldpointProviderProps } from "./live/provider.tsx";
export { HoldpointProvider, useHoldpoint } from "./live/provider.tsx";
export type { HoldReviewProps } from "./live/review.tsx";
export { HoldReview } from "./live/review.tsx";
export type { LiveHold } from "./live/use-hold.ts";
export { useHold } from "./live/use-hold.ts";
export type { LiveInbox } from "./live/use-inbox.ts";
export { useInbox } from "./live/use-inbox.ts";
