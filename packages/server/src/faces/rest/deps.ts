/** What the native face needs from the server. */

import type { Engine } from "../../engine/engine.ts";
import type { Feed } from "../../engine/feed.ts";
import type { Files } from "../../engine/files.ts";
import type { Holds } from "../../engine/holds.ts";
import type { Verify } from "../../engine/verify.ts";
import type { PasskeyPort } from "../../identity/passkey-port.ts";
import type { Failure } from "../../kernel/failure.ts";
import type { Person } from "../../kernel/people/person.ts";
import type { Platform } from "../../kernel/platform.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { PushKey } from "../../kernel/push/push.ts";
import type { MailChannel } from "../../kernel/server/mail-channel.ts";
import type { OwnRota, Rota, Turns } from "../../kernel/server/rota.ts";
import type { ServerSettings } from "../../kernel/server/server.ts";
import type { WebhookChannel } from "../../kernel/server/webhook-channel.ts";
import type { Ids } from "../../system/ids.ts";
import type { Lookers } from "./lookers.ts";

/** Why a callback or webhook may not be sent to an address; `null` if it may. */
export type WhyNotTarget = (url: string) => string | null;

export interface ChatState {
  readonly name: string;
  readonly platform: string;
  readonly isFull: boolean;
  readonly listener: "connected" | "starting" | "standby" | { readonly error: string };
}

/** What the face shows of chats. */
export interface ChatsPort {
  states(): readonly ChatState[];
  /** Who the bot of a channel is; `undefined`: its platform did not say. */
  identity(channel: string): Promise<{ readonly name: string; readonly address?: string } | undefined>;
}

interface Tokens {
  readonly token: string;
  readonly appToken?: string;
}

interface TriedBot {
  identify(): Promise<{ readonly kind: "ok" } | { readonly kind: "failed"; readonly error: string }>;
  close?(): Promise<void>;
}

type MailServer = Pick<MailChannel, "host" | "port" | "tls" | "user">;

export interface MailState extends Omit<MailChannel, "password" | "madeAt"> {
  readonly error?: string;
}

export interface WebhookState extends Pick<WebhookChannel, "name" | "platform" | "preset" | "to" | "origin"> {
  readonly isSigned: boolean;
  readonly error?: string;
}

/** The address and the secret that are tried; what is absent is as the channel has it. */
interface GivenReceiver {
  readonly name: string;
  readonly preset?: WebhookChannel["preset"];
  readonly url?: string;
  readonly secret?: string;
}

/** What is changed of the server while it runs. */
export interface LivePort {
  readonly configured: Platform;
  readonly settings: ServerSettings;
  /** The version of the settings; 0: nobody has changed any. */
  readonly version: number;
  /** Those that were added or changed in the console. */
  readonly rotas: Readonly<Record<string, OwnRota>>;
  /** Who is on call now and next; `null`: the calendar file of the configuration cannot be read. */
  turnsOf(rota: Rota): Promise<Turns | null>;
  /** Whether the configuration has a channel of this name. */
  isConfigured(channel: string): boolean;
  /** Whether the channel was connected in the console. */
  isConnectedHere(channel: string): boolean;
  /** Resolves when what is committed now is in use. */
  refresh(): Promise<void>;
  /** One change after the other, each decided on what is committed when it begins. */
  inTurn<Result>(change: () => Promise<Result>): Promise<Result>;
  /** A bot of its own, to ask the platform about a token; `undefined`: the server does not know the platform. */
  platformOf(name: string, kind: string, tokens: Tokens): TriedBot | undefined;
  /** E-mail channels that were connected in the console. */
  mails(): readonly MailState[];
  /** Webhook channels that were connected in the console. */
  webhooks(): readonly WebhookState[];
  /** Posts a message that asks nothing. Why the channel cannot be used: a sentence about the settings, or the trial's fixed word. */
  whyNotWebhook(
    given: GivenReceiver,
    kept: WebhookChannel | undefined,
  ): Promise<{ readonly kind: "settings" | "trial"; readonly reason: string } | null>;
  /** Whether the text is `Name <address>` or an e-mail address. */
  isSender(text: string): boolean;
  /** Talks to a mail server and sends nothing. Why mail cannot be sent by it: a fixed word, or `null` if it can. */
  whyNotMail(server: MailServer, password: string | undefined): Promise<string | null>;
  seal(tokens: Partial<Tokens>, name: string): Partial<Tokens>;
  /** Which patterns for redaction cannot be used, and why. */
  whyNotPatterns(patterns: readonly string[]): readonly { readonly index: number; readonly why: string }[];
}

export interface RestDeps {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly holds: Holds;
  readonly files: Files;
  readonly ids: Ids;
  readonly passkeys: PasskeyPort;
  /** The key that this server signs web push messages with. */
  readonly pushKey: () => Promise<PushKey>;
  /** Sends a person their one-time link by e-mail, or says why not. Absent: no e-mail channel sends sign-in links here. */
  readonly invite?: (workspace: string, by: Principal, person: Person) => Promise<Failure | null>;
  readonly chats: ChatsPort;
  readonly live: LivePort;
  readonly publicUrl: string;
  readonly whyNotTarget: WhyNotTarget;
  /** Wakes the sender after a message was put back into the queue by hand. */
  readonly wakeSender: () => void;
  /** Verifies the whole log, with what every domain checks of its own part. */
  readonly verify: Verify;
  /** Who has which hold open at this server. */
  readonly lookers: Lookers;
  readonly version: string;
  /** Servers that share a database count in different shards, so that they do not wait for each other. */
  readonly shard: number;
}
