/** A configured chat channel: a platform's bot, and what the operator lets it show. */

import type { ChatPlatform } from "./platform.ts";

export interface ChatBot {
  /** The name of the channel. */
  readonly name: string;
  readonly platform: ChatPlatform;
  /** The ask's context is shown in the chat. */
  readonly isFull: boolean;
  /** People may decide in the chat although some of the context is not shown there. */
  readonly isAlways: boolean;
  /** An address that the platform has verified stands for the person who has it. */
  readonly isByEmail: boolean;
}

export type ChatBots = Readonly<Record<string, ChatBot>>;

export function botNamed(bots: ChatBots, name: string): ChatBot | undefined {
  return Object.hasOwn(bots, name) ? bots[name] : undefined;
}
