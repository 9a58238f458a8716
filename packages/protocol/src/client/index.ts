/**
 * @module
 * What a program needs to talk about holds: types, the `HoldClient` interface, its errors, and the casing between wire and
 * program. No schema library and no dependencies, so that it can go into any page or agent.
 */

export type { BrowserToken, BrowserTokenClient, BrowserTokenGiven } from "./browser-token-client.ts";
export type { Received, Shape } from "./casing.ts";
export { camel, fromWire, holdFromWire, snake, toWire } from "./casing.ts";
export type {
  Check,
  CheckClient,
  CheckGiven,
  GrantGiven,
  RuleRef,
  StandingCalls,
  StandingClient,
} from "./check-client.ts";
export type { ClientSource } from "./client-source.ts";
export { holdClientOf } from "./client-source.ts";
export type { ConnectionChoice, ConnectionSources, FoundCredentials } from "./connection.ts";
export { chooseConnection, counts, isSameServer } from "./connection.ts";
export type { Credentials } from "./credentials.ts";
export { CREDENTIALS_FILE, readCredentials } from "./credentials.ts";
export { ASKERS_LINK, deciderWords } from "./decider.ts";
export { defined } from "./defined.ts";
export type { CommentGiven, DeskClient, MoreTime } from "./desk-client.ts";
export type { Refused, Troubled } from "./errors.ts";
export { isRefusal, isRetryableError, isTerminalError, RetryableError, TerminalError } from "./errors.ts";
export type { FileClient, FileGiven, UploadedFile } from "./file-client.ts";
export type { CallOptions, FollowOptions, HoldClient, WaitOptions } from "./hold-client.ts";
export type { ProblemReply } from "./problem-error.ts";
export { problemError } from "./problem-error.ts";
export type { ClaimClient, OnceAttempt, OutstandingReport, RunOnceOptions } from "./run-once.ts";
export { runClaimed, runOnce, tryOnce, warnOutstanding } from "./run-once.ts";
export type { OutputOf, StandardSchema, ValidationIssue } from "./standard-schema.ts";
export { isStandardSchema, issuePointer } from "./standard-schema.ts";
export { standingOutcome } from "./standing.ts";
export type { Thread, ThreadClient, ThreadGiven } from "./thread-client.ts";
export type {
  Actor,
  AnswerGiven,
  CancelGiven,
  Cancelled,
  Claim,
  ClaimedName,
  ClaimGiven,
  ClaimResult,
  Decided,
  Decider,
  DecisionRule,
  Default,
  Expired,
  Group,
  GroupEntry,
  GroupPlace,
  Hold,
  HoldComment,
  HoldEvent,
  HoldPage,
  HoldQuery,
  HoldStatus,
  Link,
  LinkGiven,
  Missing,
  OpenIn,
  Outcome,
  Place,
  Progress,
  Revoked,
  Rung,
  RungState,
  Skip,
  SkipGiven,
  Strength,
  Vote,
} from "./types.ts";
export { type VoteWords, voteWords } from "./vote-words.ts";
