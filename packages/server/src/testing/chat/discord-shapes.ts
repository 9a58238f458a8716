/** The objects that Discord's API and its events are made of. */

import type { Json } from "./discord-checks.ts";

export const APPLICATION = "900000000000000001";

export interface DiscordUser {
  readonly id: string;
  readonly username: string;
  readonly global_name: string;
  readonly discriminator: string;
  readonly avatar: null;
  readonly bot?: true;
}

export interface DiscordChannel {
  readonly id: string;
  readonly type: 0 | 1;
  readonly name?: string;
  readonly guild_id?: string;
  readonly recipients?: readonly DiscordUser[];
}

export interface DiscordMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly author: DiscordUser;
  readonly nonce?: string;
  readonly reference?: string;
  content: string;
  embeds: readonly Json[];
  components: readonly Json[];
  flags: number;
  edited: boolean;
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly user: DiscordUser;
  readonly message?: DiscordMessage;
  readonly madeAt: number;
  /** The event as it was dispatched. */
  readonly event: Json;
  /** The first answer: its type and data. */
  callback?: { readonly type: number; readonly data: Json };
  /** Later messages by the interaction's token. */
  readonly followups: Json[];
}

/** The path after the version. */
export function local(path: string): string {
  return decodeURIComponent(path).replace(/^\/api(\/v\d+)?/, "");
}

export function person(id: string, username: string, name: string, isBot: boolean): DiscordUser {
  return {
    id,
    username,
    global_name: name,
    discriminator: "0",
    avatar: null,
    ...(isBot ? { bot: true as const } : {}),
  };
}

export function parts(message: DiscordMessage): readonly Json[] {
  return message.components.flatMap((row) => (row["components"] ?? []) as readonly Json[]);
}
