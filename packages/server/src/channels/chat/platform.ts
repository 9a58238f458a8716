/**
 * The port for chat platforms: Telegram, Slack, Discord. A platform renders cards into its own payloads, calls its own API and
 * turns what comes in into presses and replies. It knows nothing about holds and decides nothing.
 *
 * P1  No method throws when the platform refuses or cannot be reached: failures are data (`ChatFailure`). The text of an error
 *     is a fixed code or has no token, URL or message content in it (G9).
 * P2  `listen` acknowledges a press or reply only after its handler has resolved: by then it is committed. A handler that
 *     rejects must not be acknowledged as done, so that the platform delivers the press again where it can. If the handler takes
 *     longer than the platform allows, the platform may acknowledge first and give the reply afterwards.
 * P3  The same press delivered again has the same `id`. The runtime removes duplicates; a platform keeps no list.
 * P4  What a handler returns for the presser is shown to the presser only: an ephemeral message, a callback answer or a direct
 *     message. It never goes to the group.
 * P5  A platform never cuts what a card says. A card that does not fit is refused with `does_not_fit` and `fits` says so before.
 * P6  No text of a card can become markup, a mention or a link preview.
 */

import type { Card, CardQuestion } from "@holdpoint/protocol/chat";
import type { MessageRef } from "../../kernel/chat/chat.ts";
import type { Clock } from "../../system/clock.ts";

/** Where one message is: chat, message and, where there is one, the tenant (Slack team, Discord guild). */
export type { MessageRef };

/** Where a message goes. */
export type ChatTarget =
  /** A chat as the operator wrote it in `to`: a chat id, `@name`, `#channel`. */
  | { readonly kind: "chat"; readonly chat: string }
  /** A direct message to one linked account. */
  | { readonly kind: "account"; readonly tenant?: string; readonly userId: string };

export interface ChatFailure {
  readonly kind: "failed";
  /** A fixed code such as `rate_limited`, `chat_not_found`, `bot_blocked`, `bad_token`, `does_not_fit`, `timed_out`. */
  readonly error: string;
  /** Whether a retry may help. */
  readonly retry: boolean;
  /** The platform asked to wait this long; such a failure uses up no try. */
  readonly retryAfterMs?: number;
  /** The HTTP status, if there was a response. */
  readonly status?: number;
}

/** P5 */
export const DOES_NOT_FIT: ChatFailure = { kind: "failed", error: "does_not_fit", retry: false };

export type ChatResult<T> = { readonly kind: "ok"; readonly value: T } | ChatFailure;

export interface ChatLimits {
  /** How many buttons one message may have. */
  readonly buttons: number;
  readonly buttonLabel: number;
  /** How many fields a dialog may have; 0: there are no dialogs, a person replies with one text. */
  readonly dialogFields: number;
  /** The longest text that a person can give in a dialog or a reply. */
  readonly replyLength: number;
}

/** Who the bot is, as the platform says. */
export interface BotIdentity {
  readonly id: string;
  /** Without `@`. */
  readonly name: string;
  readonly tenant?: string;
  /** For people: where a direct message to the bot begins. `{code}` in it stands for the code that links an account. */
  readonly address?: string;
}

export interface SendOptions {
  /** The same for all tries of one delivery, for platforms that remove duplicates themselves. */
  readonly key: string;
  /** The first message about this hold in the same chat: a reminder is sent as a reply to it, in its thread. */
  readonly replyTo?: MessageRef;
  readonly signal?: AbortSignal;
}

/** A text to one person, not about a vote: a link of their own, a refusal, a welcome. */
export interface PrivateText {
  readonly text: string;
  /** A link for this person alone. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** A chat that the bot could write to: `chat` is what the operator puts into `to`. */
export interface SeenChat {
  readonly chat: string;
  readonly title: string;
  readonly isPrivate: boolean;
}

export interface ChatPlatform {
  /** `telegram`, `slack`, `discord`: also the platform of accounts. */
  readonly kind: string;
  readonly limits: ChatLimits;
  /** Asks the platform who the bot is. It also tests the token. */
  identify(signal?: AbortSignal): Promise<ChatResult<BotIdentity>>;
  /** Whether the card can be shown whole (P5). */
  fits(card: Card): boolean;
  send(card: Card, target: ChatTarget, options: SendOptions): Promise<ChatResult<MessageRef>>;
  /** Replaces the whole message. Editing to what it already shows, or a message that somebody deleted, is `ok`. */
  edit(ref: MessageRef, card: Card, signal?: AbortSignal): Promise<ChatResult<null>>;
  /** A direct message to one account. */
  tell(
    to: Pick<ChatAccount, "tenant" | "userId">,
    text: PrivateText,
    signal?: AbortSignal,
  ): Promise<ChatResult<MessageRef>>;
  /**
   * Holds the one inbound connection until the signal aborts, and then resolves. It reconnects and backs off by itself; it
   * rejects only if going on is useless, such as after a refused token.
   */
  listen(handlers: ChatHandlers, signal: AbortSignal): Promise<void>;
  /**
   * The chats that the bot sees, for setting it up. Only while nobody listens for this bot. Absent: the platform cannot say.
   */
  look?(signal?: AbortSignal): Promise<ChatResult<readonly SeenChat[]>>;
  /** Ends idle connections, once nothing is sent any more. */
  close?(): Promise<void>;
}

/** Who pressed or wrote, as the platform says. */
export interface ChatAccount {
  readonly tenant?: string;
  readonly userId: string;
  /** The name that the platform shows. Anybody can choose it, so it proves nothing. */
  readonly name: string;
  readonly isBot?: true;
  /** A guest of the tenant. */
  readonly isGuest?: true;
  /** A member of another tenant, such as an outsider in a shared channel. */
  readonly isForeign?: true;
  /** The e-mail address that the platform has verified; only where it has one and the bot may read it. */
  readonly email?: string;
}

export interface Press {
  /** The platform's own id of this press (P3). */
  readonly id: string;
  /** The id of the card's or the question's button. */
  readonly button: string;
  /** The message that was pressed, as the platform says; never taken from the button. */
  readonly message: MessageRef;
  readonly by: ChatAccount;
}

/** Somebody filled in a dialog, or replied to a question. */
export interface ChatReply {
  /** The platform's own id of this reply (P3). */
  readonly id: string;
  /** The dialog's id, or the message that the text replies to. */
  readonly to: { readonly question: string } | { readonly message: MessageRef };
  /** Values by the field's key. A reply by text has the one key `text`. */
  readonly values: Readonly<Record<string, string>>;
  readonly by: ChatAccount;
}

/** A direct message to the bot that replies to nothing: a linking code, or a request for help. */
export interface DirectText {
  readonly id: string;
  readonly text: string;
  readonly by: ChatAccount;
}

/** What the presser gets, privately (P4). */
export type ChatAnswer =
  /** Nothing but the acknowledgement: the message itself is edited. */
  | { readonly kind: "done"; readonly text?: string }
  /** Refused, with the reason in plain words. */
  | { readonly kind: "refused"; readonly text: string }
  /** Something for the presser alone. */
  | { readonly kind: "private"; readonly text: PrivateText }
  /** Open a dialog, or ask for a reply. */
  | { readonly kind: "ask"; readonly question: CardQuestion };

export interface ChatHandlers {
  onPress(press: Press): Promise<ChatAnswer>;
  onReply(reply: ChatReply): Promise<ChatAnswer>;
  onDirect(text: DirectText): Promise<ChatAnswer>;
  /** A question was sent as a message of its own: replies to this message belong to it. */
  onAsked(question: string, message: MessageRef): Promise<void>;
  /** For the operator: `connected`, or why not (a fixed code, P1). */
  onState(state: "connected" | ChatFailure): void;
}

/** What a platform's factory gets. Secrets come from the environment, never from the database. */
export interface PlatformParts {
  /** The name of the channel. */
  readonly name: string;
  readonly token: string;
  /** Slack's app-level token. */
  readonly appToken?: string;
  /** The root of the platform's API, without a trailing slash; absent: the platform's own. */
  readonly apiUrl?: string;
  readonly clock: Clock;
}

export type PlatformFactory = (parts: PlatformParts) => ChatPlatform;
