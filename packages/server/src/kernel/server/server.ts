/** What admins change of the whole server while it runs: its chats, and settings that otherwise come from the configuration. */

import { type Platform, PUSH } from "../platform.ts";
import type { OwnRota } from "./rota.ts";

/** The rows belong to this workspace. Admins of other workspaces do not run the server. */
export const SERVER_WORKSPACE = "default";

/** The id of the one row of kind `server_settings`. */
export const SERVER_SETTINGS = "server";

/** The most channels that a server has, those of the configuration included. */
export const CHANNELS_MAX = 100;

/** A chat that was connected in the console. */
export interface ChatChannel {
  readonly name: string;
  /** `telegram`, `slack` or `discord`. */
  readonly platform: string;
  /** Where questions go that name nobody. */
  readonly to: readonly string[];
  /** The ask's context is shown in the chat. */
  readonly isFull: boolean;
  /** Encrypted: only a server with the same secret key can read it. */
  readonly token: string;
  /** Slack's app-level token, encrypted. */
  readonly appToken?: string;
  readonly madeAt: number;
}

type Changeable = Pick<
  Platform,
  | "agentLinks"
  | "maxOpenChecks"
  | "grantMaxMs"
  | "standingMs"
  | "fileBytesMax"
  | "retainMs"
  | "deliveryRetainMs"
  | "checkRetainMs"
  | "inlineAnswers"
  | "hours"
  | "redact"
>;

/** What is absent is as the configuration says. */
export interface ServerSettings extends Partial<Changeable> {
  readonly defaultChannel?: string;
  /** Besides those of the configuration. */
  readonly notifyAllow?: readonly string[];
}

export const NO_SERVER_SETTINGS: ServerSettings = {};

/** `null` goes back to the configuration. */
export type ServerPatch = { readonly [K in keyof ServerSettings]?: ServerSettings[K] | null };

/** The console and push are channels without configuration. */
export function isChannel(name: string, { notify }: Platform): boolean {
  return name === "console" || name === PUSH || Object.hasOwn(notify.channels, name);
}

interface ShownChannel extends Pick<ChatChannel, "name" | "platform" | "to"> {
  /** It closes what it has shown when the hold ends. */
  readonly isClosing?: boolean;
}

/** The configuration with what was changed in the console laid over it. A channel of the configuration keeps its name; a rota counts instead of the configuration's. */
export function platformWith(
  configured: Platform,
  channels: readonly ShownChannel[],
  { notifyAllow = [], defaultChannel, ...changed }: ServerSettings,
  rotas: Readonly<Record<string, OwnRota>> = {},
): Platform {
  const { notify } = configured;
  const added = channels.filter(({ name }) => !Object.hasOwn(notify.channels, name));
  const platform: Platform = {
    ...configured,
    ...changed,
    rotas: { ...configured.rotas, ...rotas },
    notify: {
      ...notify,
      allow: [...notify.allow, ...notifyAllow],
      channels: { ...notify.channels, ...Object.fromEntries(added.map(({ name, to }) => [name, to])) },
      kinds: {
        ...notify.kinds,
        ...Object.fromEntries(added.map(({ name, platform: kind }) => [name, kind])),
      },
      closing: [
        ...(notify.closing ?? []),
        ...added.filter(({ isClosing = false }) => isClosing).map(({ name }) => name),
      ],
    },
  };
  // A channel that was removed since is nobody's usual one.
  if (defaultChannel === undefined || !isChannel(defaultChannel, platform)) return platform;
  return { ...platform, notify: { ...platform.notify, defaultChannel } };
}
