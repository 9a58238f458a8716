/** The table of kinds, commands and facts for the whole server. */

import { managed } from "../access/manage.ts";
import { type CommandTable, type Domain, type FactTable, kind } from "../domain.ts";
import type { World } from "../world.ts";
import {
  changeServer,
  type OwnChannel,
  putChannel,
  removeChannel,
  type ServerCommand,
  type ServerFact,
} from "./decide.ts";
import { loggedRota, putRota, type RotaFact, removeRota } from "./decide-rota.ts";
import { loggedOf } from "./logged.ts";
import { type MailChannel, putMailChannel, removeMailChannel } from "./mail-channel.ts";
import { channelNeeds } from "./names.ts";
import type { OwnRota } from "./rota.ts";
import { type ChatChannel, SERVER_SETTINGS, type ServerSettings } from "./server.ts";
import { putWebhookChannel, removeWebhookChannel, type WebhookChannel } from "./webhook-channel.ts";

const COVERED = ["retainMs", "checkRetainMs", "inlineAnswers", "hours", "redact"] as const;

export const SERVER_KINDS = {
  chat_channel: kind<ChatChannel>(),
  email_channel: kind<MailChannel>(),
  webhook_channel: kind<WebhookChannel>(),
  rota: kind<OwnRota>(),
  server_settings: kind<ServerSettings>({
    vouched: ({
      agentLinks = null,
      maxOpenChecks = null,
      grantMaxMs = null,
      standingMs = null,
      ...later
    }) => ({
      ...{ agentLinks, maxOpenChecks, grantMaxMs, standingMs },
      // Earlier versions did not know these, so that they are covered only where they are set.
      ...Object.fromEntries(COVERED.flatMap((key) => (later[key] === undefined ? [] : [[key, later[key]]]))),
    }),
  }),
};

const commands = {
  put_chat_channel: managed("chat_channel", ({ channel }) => channelNeeds(channel.name), putChannel),
  remove_chat_channel: managed(
    "chat_channel",
    ({ name }) => [{ kind: "chat_channel", id: name }],
    removeChannel,
  ),
  put_email_channel: managed("email_channel", ({ channel }) => channelNeeds(channel.name), putMailChannel),
  remove_email_channel: managed(
    "email_channel",
    ({ name }) => [{ kind: "email_channel", id: name }],
    removeMailChannel,
  ),
  put_webhook_channel: managed(
    "webhook_channel",
    ({ channel }) => channelNeeds(channel.name),
    putWebhookChannel,
  ),
  remove_webhook_channel: managed(
    "webhook_channel",
    ({ name }) => [{ kind: "webhook_channel", id: name }],
    removeWebhookChannel,
  ),
  change_server: managed(
    "server_settings",
    () => [{ kind: "server_settings", id: SERVER_SETTINGS }],
    changeServer,
  ),
  put_rota: managed("rota", ({ name }) => [{ kind: "rota", id: name }], putRota),
  remove_rota: managed("rota", ({ name }) => [{ kind: "rota", id: name }], removeRota),
} satisfies CommandTable<ServerCommand>;

interface HasChannel {
  readonly channel: OwnChannel;
}

/** No token, no password and no address is in the log (G9). */
const put = {
  evolve: (_world: World, id: string, { channel }: HasChannel) => [
    "origin" in channel
      ? ({ kind: "webhook_channel", id, body: channel } as const)
      : "host" in channel
        ? ({ kind: "email_channel", id, body: channel } as const)
        : ({ kind: "chat_channel", id, body: channel } as const),
  ],
  log: ({ channel }: HasChannel) => {
    const { name, platform } = channel;
    const preset = "preset" in channel ? { preset: channel.preset } : {};
    return { name, platform, ...preset };
  },
};

const rota = {
  evolve: (_world: World, id: string, { rota: body }: RotaFact) => [{ kind: "rota", id, body } as const],
  log: ({ name, rota: after, before }: RotaFact) => ({
    ...{ name, rota: loggedRota(after), before: loggedRota(before) },
  }),
};

const facts: FactTable<ServerFact> = {
  "rota.added": rota,
  "rota.changed": rota,
  "rota.removed": rota,
  "channel.connected": put,
  "channel.changed": put,
  "channel.removed": {
    evolve: (world, id, { channel }) =>
      put.evolve(world, id, { channel }).map(({ kind: row }) => ({ kind: row, id, body: null })),
    log: put.log,
  },
  "server.changed": {
    evolve: (_world, id, { settings }) => [{ kind: "server_settings", id, body: settings }],
    log: ({ changed, settings, before }) => ({
      changed: loggedOf(changed, settings),
      before: loggedOf(changed, before),
    }),
  },
};

export const SERVER = { kinds: SERVER_KINDS, commands, facts } satisfies Domain;
