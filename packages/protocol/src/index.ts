/**
 * @module
 * What goes over Holdpoint's wire: schemas of the native API, its error codes and operations, and OpenAPI from them.
 * Browsers and agents that want no schema library import `@holdpoint/protocol/client` and `@holdpoint/protocol/rules`.
 */
export type { Code, ErrorEntry } from "./error-codes.ts";
export { CODES, docsUrl, ERROR_CODES, isCode } from "./error-codes.ts";
export { DOCUMENT, nativeOpenApi, nativeSet, wireSchemas } from "./native-openapi.ts";
export type { OpenApiAbout } from "./openapi.ts";
export { openApiDocument, openApiSteps, refusalGroups } from "./openapi.ts";
export type { Method, Operation, Security } from "./operation.ts";
export { defineOperation } from "./operation.ts";
export type { ErrorWords, OperationSet } from "./operation-set.ts";
export { nativeOperations, operations } from "./operations.ts";
export type {
  AppView,
  EarlierRound,
  PasskeyView,
  ReviewView,
  SignInView,
  SignInWays,
  SimplePage,
} from "./page-views.ts";
export { AnswerIn, CancelIn } from "./wire/answer.ts";
export { ActionItem, AskTypeWord, FieldItem, FormItem, OptionItem, SelectItem } from "./wire/ask.ts";
export { Duration, OpenObject, Time } from "./wire/base.ts";
export { BrowserTokenIn, BrowserTokenOut } from "./wire/browser-token.ts";
export {
  ChannelIn,
  ChannelListOut,
  ChannelOut,
  ChannelTestOut,
  ChatChannelIn,
  MailChannelIn,
  WebhookChannelIn,
} from "./wire/channel.ts";
export { ClaimDoneIn, ClaimIn, ClaimOut, ClaimReleaseIn, ClaimState } from "./wire/claim.ts";
export { DecisionIn, DecisionOut, MissingOut, StrengthWord, VoteOut } from "./wire/decision.ts";
export {
  AssignIn,
  CommentIn,
  CommentOut,
  CountOut,
  ExtendIn,
  LookersOut,
  SnoozeIn,
  SnoozeOut,
} from "./wire/desk.ts";
export type { HoldEventType } from "./wire/event.ts";
export { EventListOut, EventOut, HOLD_EVENT_TYPES } from "./wire/event.ts";
export { FileOut } from "./wire/file.ts";
export type {
  CheckIn,
  CheckOut,
  CoverageOut,
  GrantOut,
  ReplayOut,
  RulesOut,
  StandingCallsIn,
} from "./wire/gating.ts";
export { GrantIn, RulesIn } from "./wire/gating.ts";
export { GroupAnswerIn, GroupEntryIn, GroupIn, GroupOut } from "./wire/group.ts";
export { ActionOut, HoldListOut, HoldOut, HoldStatus, RungOut } from "./wire/hold.ts";
export type { ShapeReading, ShapeRefusal } from "./wire/issues.ts";
export { readShape } from "./wire/issues.ts";
export { KeyIn, KeyListOut, KeyOut, RoleWord, SignInIn, SignInOut } from "./wire/key.ts";
export { LinkIn, LinkListOut, LinkOut } from "./wire/link.ts";
export { VerificationOut } from "./wire/log.ts";
export {
  ActorOut,
  CancelledOut,
  ClaimedName,
  DecidedOut,
  DeciderOut,
  DefaultOut,
  ExpiredOut,
  OutcomeOut,
} from "./wire/outcome.ts";
export { ActivityOut, HoldBrief, OverviewOut } from "./wire/overview.ts";
export type {
  PasskeyAttestation,
  PasskeyChallengeOut,
  PasskeyListOut,
  PasskeyOut,
} from "./wire/passkey.ts";
export { PasskeyAssertion, PasskeyProof } from "./wire/passkey.ts";
export {
  AccountCodeOut,
  AccountIn,
  PersonIn,
  PersonListOut,
  PersonOut,
  PersonPatchIn,
  TeamIn,
  TeamListOut,
  TeamOut,
  TeamPatchIn,
} from "./wire/person.ts";
export { LinksTo, OnTimeout, PlaceIn, RungIn } from "./wire/place.ts";
export { FieldProblemOut, ProblemOut } from "./wire/problem.ts";
export type { PushDeviceIn, PushDeviceListOut, PushDeviceOut } from "./wire/push.ts";
export {
  ActivityQuery,
  CountQuery,
  DeliveriesQuery,
  EventsQuery,
  HoldEventsQuery,
  ListQuery,
  OverviewQuery,
  WAIT_SECONDS_MAX,
  WaitQuery,
} from "./wire/query.ts";
export { ReleaseOut } from "./wire/release.ts";
export { RotaIn, RotaListOut, RotaOut, RotationIn } from "./wire/rota.ts";
export { HealthOut, MeOut, ReadyOut } from "./wire/server.ts";
export { ConsoleSessionListOut, ConsoleSessionOut, InvitationIn, InvitationOut } from "./wire/session.ts";
export type { SettingsIn, SettingsOut } from "./wire/settings.ts";
export {
  HoursIn,
  KeptDays,
  RedactPatterns,
  RetentionDays,
} from "./wire/settings.ts";
export { SkipIn, SkipListOut, SkipOut } from "./wire/skip.ts";
export { ThreadIn, ThreadOut } from "./wire/thread.ts";
export {
  DeliveryAttemptOut,
  DeliveryListOut,
  DeliveryOut,
  WebhookIn,
  WebhookListOut,
  WebhookOut,
} from "./wire/webhook.ts";
