/** Decides commands about the whole server. Tokens arrive encrypted. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import type { Platform } from "../platform.ts";
import { actorText, type Principal } from "../principal.ts";
import type { PutRota, RemoveRota, RotaFact } from "./decide-rota.ts";
import { whyElsewhere } from "./elsewhere.ts";
import type { MailChannel, PutMailChannel, RemoveMailChannel } from "./mail-channel.ts";
import { whyNotNew } from "./names.ts";
import {
  type ChatChannel,
  isChannel,
  NO_SERVER_SETTINGS,
  SERVER_SETTINGS,
  type ServerPatch,
  type ServerSettings,
} from "./server.ts";
import type { PutWebhookChannel, RemoveWebhookChannel, WebhookChannel } from "./webhook-channel.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

/** Without a token the channel keeps the one it has. */
export interface PutChatChannel extends By {
  readonly kind: "put_chat_channel";
  readonly channel: Omit<ChatChannel, "madeAt" | "token"> & Partial<Pick<ChatChannel, "token">>;
}

export interface RemoveChatChannel extends By {
  readonly kind: "remove_chat_channel";
  readonly name: string;
}

export interface ChangeServer extends By {
  readonly kind: "change_server";
  readonly patch: ServerPatch;
  /** Refuse unless the settings still have this version; 0: unless nobody has changed any. */
  readonly ifVersion?: number;
}

export type ServerCommand =
  | PutChatChannel
  | RemoveChatChannel
  | ChangeServer
  | PutRota
  | RemoveRota
  | PutMailChannel
  | RemoveMailChannel
  | PutWebhookChannel
  | RemoveWebhookChannel;

export type OwnChannel = ChatChannel | MailChannel | WebhookChannel;

export type ServerFact =
  | RotaFact
  | {
      readonly type: "channel.connected" | "channel.changed" | "channel.removed";
      readonly channel: OwnChannel;
    }
  | {
      readonly type: "server.changed";
      readonly settings: ServerSettings;
      readonly changed: readonly (keyof ServerSettings)[];
      /** What counted before, of those that changed. */
      readonly before: ServerSettings;
    };

export function putChannel(
  { workspace, channel, by }: PutChatChannel,
  draft: Draft,
  context: Context,
): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const { name } = channel;
  const before = draft.get("chat_channel", name);
  const taken = before === undefined ? whyNotNew(name, draft, context.platform) : null;
  if (taken !== null) return refuse(taken);
  const token = channel.token ?? before?.token;
  if (token === undefined || (before !== undefined && before.platform !== channel.platform))
    return refuse(
      failure("token_refused", `a new channel on ${channel.platform} needs the token of its bot`),
    );
  const appToken = channel.appToken ?? before?.appToken;
  const type = before === undefined ? "channel.connected" : "channel.changed";
  const body = {
    ...{ ...channel, token, madeAt: before?.madeAt ?? context.now },
    ...(appToken === undefined ? {} : { appToken }),
  };
  draft.state({
    ...{ kind: "chat_channel", id: name, fact: { type, channel: body } },
    ...{ at: context.now, actor: actorText(by) },
  });
  return accept(name);
}

export function removeChannel(
  { workspace, name, by }: RemoveChatChannel,
  draft: Draft,
  { now }: Context,
): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const channel = draft.get("chat_channel", name);
  if (channel === undefined)
    return refuse(failure("not_found", "no channel with this name was connected in the console"));
  const fact = { type: "channel.removed", channel } as const;
  draft.state({ kind: "chat_channel", id: name, fact, at: now, actor: actorText(by) });
  return accept(name);
}

/** What counts without a row; addresses of the configuration are not among those that can be changed. */
function countingIn({ notify, ...platform }: Platform): ServerSettings {
  const { defaultChannel } = notify;
  return { ...platform, ...(defaultChannel === undefined ? {} : { defaultChannel }) };
}

export function changeServer(command: ChangeServer, draft: Draft, context: Context): Reply {
  const { workspace, patch, by, ifVersion } = command;
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const version = draft.version("server_settings", SERVER_SETTINGS);
  if (ifVersion !== undefined && ifVersion !== version)
    return refuse(
      failure(
        "precondition_failed",
        `the settings are at version ${version} now; read them again and repeat`,
      ),
    );
  const { defaultChannel } = patch;
  const before = draft.get("server_settings", SERVER_SETTINGS) ?? NO_SERVER_SETTINGS;
  // One that was set before may have been disconnected since; other settings can be changed all the same.
  const isNew = typeof defaultChannel === "string" && defaultChannel !== before.defaultChannel;
  if (isNew && !isChannel(defaultChannel, context.platform))
    return refuse(failure("unknown_channel", `there is no channel named ${defaultChannel}`));
  const entries = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null);
  const settings: ServerSettings = Object.fromEntries(entries);
  const named = Object.keys(patch) as (keyof ServerSettings)[];
  const changed = named.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(settings[key]));
  if (changed.length === 0) return accept(SERVER_SETTINGS);
  const counted = { ...countingIn(context.platform), ...before };
  const fact = {
    ...({ type: "server.changed", settings, changed } as const),
    before: Object.fromEntries(changed.map((key) => [key, counted[key]])),
  };
  draft.state({
    ...{ kind: "server_settings", id: SERVER_SETTINGS, fact },
    ...{ at: context.now, actor: actorText(by) },
  });
  return accept(SERVER_SETTINGS);
}
