/**
 * The list of all domains. Everything that depends on a kind, command or fact is derived from it: the table that the engine,
 * the stores and the timers use, and the types of what they load and run.
 */

import { AGUI } from "./agui/rules/domain.ts";
import type { ReleaseCommand } from "./agui/rules/release/commands.ts";
import type { ReleaseFact } from "./agui/rules/release/release.ts";
import type { AguiBodies } from "./agui/rules/world.ts";
import type { Seal } from "./engine/seal.ts";
import type { AccessCommand } from "./kernel/access/commands.ts";
import { ACCESS } from "./kernel/access/domain.ts";
import type { BrowserTokenCommand } from "./kernel/browser-token/decide.ts";
import { BROWSER_TOKENS } from "./kernel/browser-token/domain.ts";
import type { ChatCommand } from "./kernel/chat/commands.ts";
import { CHAT } from "./kernel/chat/domain.ts";
import type { Entity as AnyEntity, Body } from "./kernel/entity.ts";
import type { GatingCommand } from "./kernel/gating/commands.ts";
import { GATING } from "./kernel/gating/domain.ts";
import type { HoldCommand } from "./kernel/hold/commands.ts";
import { HOLDS } from "./kernel/hold/domain.ts";
import type { KernelFact } from "./kernel/kernel.ts";
import type { PasskeyCommand } from "./kernel/passkey/commands.ts";
import { PASSKEYS } from "./kernel/passkey/domain.ts";
import type { PeopleCommand } from "./kernel/people/commands.ts";
import { PEOPLE } from "./kernel/people/domain.ts";
import type { PushCommand } from "./kernel/push/decide.ts";
import { PUSH } from "./kernel/push/domain.ts";
import type { ServerCommand } from "./kernel/server/decide.ts";
import { SERVER } from "./kernel/server/domain.ts";
import type { SkipCommand } from "./kernel/skip/decide.ts";
import { SKIPS } from "./kernel/skip/domain.ts";
import { Table } from "./kernel/table.ts";
import type { ThreadCommand } from "./kernel/thread/decide.ts";
import { THREADS } from "./kernel/thread/domain.ts";
import { sealIntent } from "./openintent/reads/seal.ts";
import type { CoordinatorCommand } from "./openintent/rules/coordinator/commands.ts";
import { OPENINTENT } from "./openintent/rules/domain.ts";
import type { OpenIntentFact } from "./openintent/rules/facts.ts";
import type { IntentCommand } from "./openintent/rules/intent/commands.ts";
import type { PlanCommand } from "./openintent/rules/plan/commands.ts";
import type { PortfolioCommand } from "./openintent/rules/portfolio/commands.ts";
import { INTENT_REQUESTS } from "./openintent/rules/request/attachment.ts";
import type { OpenIntentBodies } from "./openintent/rules/world.ts";

/** The key is the domain name that holds attach to and that the store indexes. */
export const DOMAINS = {
  hold: HOLDS,
  access: ACCESS,
  people: PEOPLE,
  passkey: PASSKEYS,
  push: PUSH,
  server: SERVER,
  thread: THREADS,
  skip: SKIPS,
  call: GATING,
  browser_token: BROWSER_TOKENS,
  chat: CHAT,
  agui: AGUI,
  intent: OPENINTENT,
  intent_request: INTENT_REQUESTS,
};

export const TABLE = new Table(DOMAINS);

/** Kinds whose log uses its own hash format. */
export const SEALS: Readonly<Record<string, Seal>> = { intent: sealIntent };

/** The body type of each kind. */
export type Bodies = AguiBodies & OpenIntentBodies;
export type Kind = keyof Bodies & string;
/** An entity of one kind, with the body of that kind. */
export type EntityOf<K extends string> = AnyEntity<K extends Kind ? Bodies[K] : Body, K>;

/** An entity of any kind, discriminated by its kind. */
export type AnyEntityOf = { [K in Kind]: EntityOf<K> }[Kind];

export type Command =
  | HoldCommand
  | AccessCommand
  | PeopleCommand
  | PasskeyCommand
  | PushCommand
  | ServerCommand
  | ThreadCommand
  | SkipCommand
  | GatingCommand
  | BrowserTokenCommand
  | ChatCommand
  | ReleaseCommand
  | IntentCommand
  | PlanCommand
  | PortfolioCommand
  | CoordinatorCommand;

type Commands = (typeof HOLDS)["commands"] &
  (typeof ACCESS)["commands"] &
  (typeof PEOPLE)["commands"] &
  (typeof PASSKEYS)["commands"] &
  (typeof PUSH)["commands"] &
  (typeof SERVER)["commands"] &
  (typeof THREADS)["commands"] &
  (typeof SKIPS)["commands"] &
  (typeof GATING)["commands"] &
  (typeof BROWSER_TOKENS)["commands"] &
  (typeof CHAT)["commands"] &
  (typeof AGUI)["commands"] &
  (typeof OPENINTENT)["commands"];

export type Fact = KernelFact | ReleaseFact | OpenIntentFact;

/** The kind of entity that a command changes. */
export type AboutOf<C extends Command> = Commands[C["kind"]]["about"];
