/**
 * @module
 * Ask a person, wait for weeks if need be, go on exactly once. Everything else that a program can say about holds, and the types of
 * it, is in `@holdpoint/protocol/client`.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const approved = await hp.approve("Deploy build 7?", { key: "deploy:7" });
 * if (approved) await approved.runOnce(() => console.error("deploying, once"));
 * ```
 */
export type {
  CallOptions,
  Hold,
  HoldClient,
  RunOnceOptions,
  WaitOptions,
} from "@holdpoint/protocol/client";
export {
  isRefusal,
  isRetryableError,
  isTerminalError,
  RetryableError,
  runOnce,
  TerminalError,
} from "@holdpoint/protocol/client";
export { defineHold } from "./define-hold.ts";
export type { HoldHandle, PlacedHold, SavedHold } from "./handle.ts";
export type { HoldpointOptions } from "./holdpoint.ts";
export { Holdpoint } from "./holdpoint.ts";
export {
  CancelledError,
  ExpiredError,
  isNotDecidedError,
  NotDecidedError,
  PendingError,
} from "./not-decided.ts";
export type { AskOutcome, DecidedOutcome, SettledOutcome } from "./outcome.ts";
export type { ApprovalData, Place, Question } from "./question.ts";
export type { Approved } from "./short-forms.ts";
