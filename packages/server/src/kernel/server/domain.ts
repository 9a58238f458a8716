/** The table of kinds, commands and facts for the whole server. */

import { managed } from "../access/manage.ts";
import { type CommandTable, type Domain, type FactTable, kind } from "../domain.ts";
import type { World } from "../world.ts";
import { changeServer, putChannel, removeChannel, type ServerCommand, type ServerFact } from "./decide.ts";
import { type ChatChannel, SERVER_SETTINGS, type ServerSettings } from "./server.ts";

export const SERVER_KINDS = {
  chat_channel: kind<ChatChannel>(),
  server_settings: kind<ServerSettings>({
    vouched: ({ agentLinks = null, maxOpenChecks = null, grantMaxMs = null, standingMs = null }) => ({
      ...{ agentLinks, maxOpenChecks, grantMaxMs, standingMs },
    }),
  }),
};

const commands = {
  put_chat_channel: managed(
    "chat_channel",
    ({ channel }) => [{ kind: "chat_channel", id: channel.name }],
    putChannel,
  ),
  remove_chat_channel: managed(
    "chat_channel",
    ({ name }) => [{ kind: "chat_channel", id: name }],
    removeChannel,
  ),
  change_server: managed(
    "server_settings",
    () => [{ kind: "server_settings", id: SERVER_SETTINGS }],
    changeServer,
  ),
} satisfies CommandTable<ServerCommand>;

interface HasChannel {
  readonly channel: ChatChannel;
}

/** No token and no address of a chat is in the log (G9). */
const put = {
  evolve: (_world: World, id: string, { channel }: HasChannel) => [
    { kind: "chat_channel", id, body: channel } as const,
  ],
  log: ({ channel: { name, platform } }: HasChannel) => ({ name, platform }),
};

/** As the configuration names them. */
export const SETTING_NAMES: Readonly<Record<keyof ServerSettings, string>> = {
  defaultChannel: "default_channel",
  notifyAllow: "notify_allow",
  agentLinks: "agent_links",
  maxOpenChecks: "max_open_checks",
  grantMaxMs: "grant_max_ms",
  standingMs: "standing_allow_ms",
  fileBytesMax: "file_quota_bytes",
};

/** Of addresses only their number; `null`: back to the configuration. */
function loggedValue(value: ServerSettings[keyof ServerSettings]): string | number | null {
  if (value === undefined) return null;
  return typeof value === "object" ? value.length : value;
}

const facts: FactTable<ServerFact> = {
  "channel.connected": put,
  "channel.changed": put,
  "channel.removed": {
    evolve: (_world, id) => [{ kind: "chat_channel", id, body: null }],
    log: put.log,
  },
  "server.changed": {
    evolve: (_world, id, { settings }) => [{ kind: "server_settings", id, body: settings }],
    log: ({ changed, settings }) => ({
      changed: Object.fromEntries(changed.map((key) => [SETTING_NAMES[key], loggedValue(settings[key])])),
    }),
  },
};

export const SERVER = { kinds: SERVER_KINDS, commands, facts } satisfies Domain;
