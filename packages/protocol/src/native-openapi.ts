/** The native API as a set of operations, and its own OpenAPI document. */

import type { Code } from "./error-codes.ts";
import { docsUrl, ERROR_CODES } from "./error-codes.ts";
import { openApiDocument } from "./openapi.ts";
import type { OperationSet } from "./operation-set.ts";
import { nativeOperations } from "./operations.ts";
import type { JsonObject } from "./rules/json.ts";
import { AnswerIn, CancelIn } from "./wire/answer.ts";
import { FormItem } from "./wire/ask.ts";
import { BrowserTokenIn, BrowserTokenOut } from "./wire/browser-token.ts";
import { ChannelIn, ChannelListOut, ChannelOut } from "./wire/channel.ts";
import { ClaimDoneIn, ClaimIn, ClaimOut, ClaimReleaseIn } from "./wire/claim.ts";
import { DecisionIn, DecisionOut, MissingOut, VoteOut } from "./wire/decision.ts";
import { EventListOut, EventOut } from "./wire/event.ts";
import { FileOut } from "./wire/file.ts";
import {
  CheckIn,
  CheckListOut,
  CheckOut,
  CoverageOut,
  GrantIn,
  GrantListOut,
  GrantOut,
  ReplayIn,
  ReplayOut,
  RuleItem,
  RulesHistoryOut,
  RulesIn,
  RulesOut,
  StandingCallsIn,
  SuggestionListOut,
  TryRulesIn,
  TryRulesOut,
} from "./wire/gating.ts";
import { GroupAnswerIn, GroupEntryIn, GroupIn, GroupOut } from "./wire/group.ts";
import { HoldListOut, HoldOut, RungOut } from "./wire/hold.ts";
import { KeyIn, KeyListOut, KeyOut, SignInIn, SignInOut } from "./wire/key.ts";
import { LinkIn, LinkListOut, LinkOut } from "./wire/link.ts";
import { VerificationOut } from "./wire/log.ts";
import { ActorOut, OutcomeOut } from "./wire/outcome.ts";
import { PasskeyChallengeOut, PasskeyIn, PasskeyListOut, PasskeyOut, PasskeyProof } from "./wire/passkey.ts";
import {
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
import { PlaceIn, RungIn } from "./wire/place.ts";
import { ProblemOut } from "./wire/problem.ts";
import { PushDeviceIn, PushDeviceListOut, PushDeviceOut } from "./wire/push.ts";
import { ReleaseDecisionIn, ReleaseOut, ReleasePage } from "./wire/release.ts";
import { HealthOut, MeOut, ReadyOut } from "./wire/server.ts";
import { ConsoleSessionListOut, ConsoleSessionOut, InvitationIn, InvitationOut } from "./wire/session.ts";
import { SettingsIn, SettingsOut } from "./wire/settings.ts";
import { SkipIn, SkipListOut, SkipOut } from "./wire/skip.ts";
import { ThreadIn, ThreadOut } from "./wire/thread.ts";
import { DeliveryListOut, DeliveryOut, WebhookIn, WebhookListOut, WebhookOut } from "./wire/webhook.ts";

/** Everything that has a name in the reference. */
export const wireSchemas = {
  PlaceIn,
  RungIn,
  FormItem,
  HoldOut,
  HoldListOut,
  RungOut,
  DecisionIn,
  DecisionOut,
  VoteOut,
  MissingOut,
  OutcomeOut,
  ActorOut,
  AnswerIn,
  CancelIn,
  LinkIn,
  LinkOut,
  LinkListOut,
  ClaimIn,
  ClaimOut,
  ClaimDoneIn,
  ClaimReleaseIn,
  EventOut,
  EventListOut,
  VerificationOut,
  GroupIn,
  GroupOut,
  GroupAnswerIn,
  GroupEntryIn,
  FileOut,
  ReleaseDecisionIn,
  ReleaseOut,
  ReleasePage,
  SkipIn,
  SkipOut,
  BrowserTokenIn,
  BrowserTokenOut,
  SkipListOut,
  RuleItem,
  RulesIn,
  RulesOut,
  RulesHistoryOut,
  CheckIn,
  StandingCallsIn,
  CheckOut,
  CheckListOut,
  TryRulesIn,
  TryRulesOut,
  ReplayIn,
  ReplayOut,
  CoverageOut,
  GrantIn,
  GrantOut,
  GrantListOut,
  SuggestionListOut,
  ThreadIn,
  ThreadOut,
  KeyIn,
  KeyOut,
  KeyListOut,
  SignInIn,
  SignInOut,
  PersonIn,
  PersonPatchIn,
  PersonOut,
  PersonListOut,
  AccountIn,
  TeamIn,
  TeamPatchIn,
  TeamOut,
  TeamListOut,
  InvitationIn,
  InvitationOut,
  ConsoleSessionOut,
  ConsoleSessionListOut,
  PasskeyIn,
  PasskeyOut,
  PasskeyListOut,
  PushDeviceIn,
  PushDeviceOut,
  PushDeviceListOut,
  PasskeyChallengeOut,
  PasskeyProof,
  WebhookIn,
  WebhookOut,
  WebhookListOut,
  ChannelIn,
  ChannelOut,
  ChannelListOut,
  SettingsIn,
  SettingsOut,
  DeliveryOut,
  DeliveryListOut,
  MeOut,
  HealthOut,
  ReadyOut,
  ProblemOut,
} as const;

export const nativeSet: OperationSet = {
  name: "native",
  title: "Native API",
  operations: nativeOperations,
  components: wireSchemas,
  errors: {
    table: ERROR_CODES,
    body: ProblemOut,
    media: "application/problem+json",
    always: ["rate_limited", "internal", "unavailable"] satisfies Code[],
    example: (code) => exampleProblem(code as Code),
    codeOf: ({ code }) => (typeof code === "string" ? code : undefined),
  },
};

export interface NativeOpenApiOptions {
  readonly version: string;
  readonly servers?: readonly string[];
}

/** Of the native API alone; a server describes all its faces with `openApiDocument`. */
export function nativeOpenApi(options: NativeOpenApiOptions): JsonObject {
  return openApiDocument([nativeSet], { ...DOCUMENT, ...options });
}

export const DOCUMENT = {
  title: "Holdpoint",
  description: "Holds: where an agent stops for a person and goes on exactly once.",
} as const;

function exampleProblem(code: Code): JsonObject {
  const { status, title } = ERROR_CODES[code];
  return { type: docsUrl(code), title, status, code };
}
