/**
 * @module
 * Ask a person, wait for weeks if need be, go on exactly once.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const outcome = await hp.ask({ key: "deploy:7", type: "approval", prompt: "Deploy build 7?" });
 * if (outcome.kind === "decided" && outcome.action === "approve") console.error("deploying");
 * ```
 */
export type {
  Actor,
  AnswerGiven,
  CallOptions,
  CancelGiven,
  Cancelled,
  Claim,
  ClaimGiven,
  ClaimResult,
  Decided,
  Decider,
  Default,
  Expired,
  FollowOptions,
  Group,
  GroupEntry,
  GroupPlace,
  Hold,
  HoldClient,
  HoldEvent,
  HoldPage,
  HoldQuery,
  HoldStatus,
  Link,
  LinkGiven,
  Outcome,
  Place,
  Rung,
  StandardSchema,
  Thread,
  ThreadClient,
  ThreadGiven,
  WaitOptions,
} from "@holdpoint/protocol/client";
export {
  isRefusal,
  isRetryableError,
  isTerminalError,
  RetryableError,
  TerminalError,
} from "@holdpoint/protocol/client";
export type { RetryPolicy, Runtime } from "@holdpoint/protocol/http";
export type { Asking, HoldDefinition } from "./define-hold.ts";
export { defineHold } from "./define-hold.ts";
export type { Holdlike, HoldpointOptions } from "./holdpoint.ts";
export { Holdpoint } from "./holdpoint.ts";
export type { NotDecidedKind } from "./not-decided.ts";
export {
  CancelledError,
  ExpiredError,
  isNotDecidedError,
  NotDecidedError,
  PendingError,
} from "./not-decided.ts";
export type { AskOutcome, DecidedOutcome, Pending, SettledOutcome } from "./outcome.ts";
export { outcomeOf } from "./outcome.ts";
export type { Question } from "./question.ts";
export type { AnyOptions, FirstDecided } from "./together.ts";
