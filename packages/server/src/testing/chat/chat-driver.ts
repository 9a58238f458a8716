/**
 * What a test can do at any chat platform, whatever the platform's fake is made of: see what the bot shows, press, reply, forge,
 * deliver again, limit, replace the connection. One suite runs over all drivers.
 */

import type { ChatPlatform } from "../../channels/chat/platform.ts";
import type { Clock } from "../../system/clock.ts";

/** `ada` and `grace` are linked people; nobody else is. */
export type Who = "ada" | "grace" | "stranger" | "robot" | "guest" | "outsider";
export type Linked = "ada" | "grace";
/** Two groups, and the direct messages of the two people. */
export type Where = "group" | "other" | Linked;

/** The button under the terms of similar calls. */
export const AGREE = "Approve and allow";

/** A message of the bot as it looks now. */
export interface Shown {
  readonly id: string;
  readonly where: Where;
  /** Everything that can be read. */
  readonly text: string;
  readonly buttons: readonly string[];
  /** The message that it replies to, or whose thread it is in. */
  readonly threadOf?: string;
}

/** One press or submission on its way. */
export interface Acted {
  /** What the person is told privately, once the platform has its acknowledgement; empty if nothing. */
  readonly told: Promise<string>;
  /** The same thing is delivered once more, as if the acknowledgement had been lost. */
  again(): Promise<void>;
}

export interface ChatDriver extends AsyncDisposable {
  readonly kind: "telegram" | "slack" | "discord";
  /** Where the platform can fill in a form. */
  readonly hasDialogs: boolean;
  /** Whether a press that nobody acknowledged is delivered later. Otherwise the person has to press again. */
  readonly keepsPresses: boolean;
  /** Who has no account here: not every platform has guests and outsiders. */
  readonly knows: readonly Who[];
  readonly accounts: Readonly<Record<Linked, { readonly tenant?: string; readonly userId: string }>>;
  /** The address of a group, as it stands in `to`. */
  address(where: "group" | "other"): string;
  platform(clock: Clock): ChatPlatform;
  /** A server is connected and would get a press. */
  isListening(): boolean;
  shown(where?: Where): readonly Shown[];
  press(who: Who, message: Shown, label: string): Acted;
  /** The button as the person's screen shows it now: pressing it works even after the message has lost it. */
  keepButton(who: Who, message: Shown, label: string): () => Acted;
  /** The button's id in the right hands, but from a message in another chat. */
  forge(who: Who, message: Shown, label: string): Acted;
  /** Fills in the dialog, or replies to the question, that the person was asked last. */
  reply(who: Linked, values: Readonly<Record<string, string>>): Acted;
  /** Agrees to the terms that the person was shown last. */
  agree(who: Linked): Acted & { readonly terms: string };
  /** The operator gets a new token from the platform; the old one is refused from now on. */
  rotateToken(): void;
  /** The person writes to the bot; resolves to what the bot answers. */
  write(who: Who, text: string): Promise<string>;
  /** The next calls of this kind get 429. */
  limit(what: "send" | "edit", seconds: number): void;
  /** The next message is sent, but the bot does not hear of it. */
  loseNextSend(): void;
  /** The platform replaces the connection, in its usual way. */
  replaceConnection(): void;
  /** Resolves once the condition holds; asked after every change at the platform. */
  until(test: () => boolean): Promise<void>;
  /** The message as HTML, drawn from its payload. */
  draw(message: Shown): string;
  /** Everything that has left the server for this platform. */
  left(): string;
}
