/** Refusals of operations about channels, rotas and the server's settings. */

import type { Code } from "@holdpoint/protocol";
import { telegramPlatform } from "../../channels/telegram/platform.ts";
import { ROTAS_MAX } from "../../kernel/server/rota.ts";
import { CHANNELS_MAX } from "../../kernel/server/server.ts";
import { MailServer } from "../../testing/mail-server.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { testServer } from "../../testing/test-server.ts";
import { as, BODIES, call, type Recipe, saying, sending } from "./refusals.fixture.ts";

const MAIL = { platform: "email", host: "127.0.0.1", port: 9, tls: "optional", from: "a@example.com" };

export const CHANNEL_REFUSALS: Readonly<Record<string, Partial<Record<Code, Recipe>>>> = {
  listChannels: { not_allowed: as("agent") },
  putChannel: {
    not_allowed: as("operator"),
    // The name of a channel that is always there.
    already_exists: (test) =>
      test.call("PUT", "/v1/channels/console", { key: test.keys.dev, body: BODIES["putChannel"] }),
    // A name that no row can have.
    not_found: (test) =>
      test.call("PUT", "/v1/channels/a%00b", { key: test.keys.dev, body: BODIES["putChannel"] }),
    token_refused: sending({}),
    // Nothing listens on this port.
    mail_unreachable: saying({ ...MAIL, port: 9 }),
    mail_password_refused: (test) =>
      test.call("PUT", "/v1/channels/mail", { key: test.keys.dev, body: { ...MAIL, user: "me" } }),
    mail_tls_refused: async (test) => {
      await using mail = await MailServer.start();
      const port = Number(new URL(mail.url).port);
      const body = { ...MAIL, port, tls: "starttls" };
      return await test.call("PUT", "/v1/channels/mail", { key: test.keys.dev, body });
    },
    // Nothing listens on this port either.
    webhook_failed: saying({ platform: "webhook", url: "http://127.0.0.1:65009/" }),
    webhook_incomplete: saying({ platform: "webhook" }),
    callback_refused: saying({ platform: "webhook", url: "http://169.254.169.254/" }),
    too_many_channels: async () => {
      const channels = Object.fromEntries(Array.from({ length: CHANNELS_MAX }, (_, n) => [`hook-${n}`, []]));
      await using test = await testServer({ platform: { notify: { allow: [], channels } } });
      const { token: _untried, ...body } = BODIES["putChannel"] as Record<string, unknown>;
      return await test.call("PUT", "/v1/channels/team", { key: test.keys.dev, body });
    },
  },
  removeChannel: { not_allowed: as("operator"), not_found: sending({}) },
  testChannel: {
    not_allowed: as("operator"),
    not_found: sending({}),
    nobody_to_ask: async (_test, operation, ids) => {
      const platform = telegramPlatform({
        name: "team",
        token: "t",
        clock: new ManualClock(),
        apiUrl: "http://127.0.0.1:9",
      });
      const chats = { team: { name: "team", platform, isFull: true, isAlways: false, isByEmail: false } };
      await using test = await testServer({ chats });
      return await call(test, operation, { ...ids, channel: "team" });
    },
  },
  listRotas: { not_allowed: as("agent") },
  putRota: {
    not_allowed: as("operator"),
    // A name that no row can have.
    not_found: (test) =>
      test.call("PUT", "/v1/oncall/a%00b", { key: test.keys.dev, body: BODIES["putRota"] }),
    too_many_rotas: async () => {
      const rota = { kind: "calendar", text: "" } as const;
      const rotas = Object.fromEntries(Array.from({ length: ROTAS_MAX }, (_, n) => [`rota-${n}`, rota]));
      await using test = await testServer({ rotas });
      return await test.call("PUT", "/v1/oncall/ops", { key: test.keys.dev, body: BODIES["putRota"] });
    },
  },
  removeRota: { not_allowed: as("operator"), not_found: sending({}) },
  getSettings: { not_allowed: as("operator") },
  changeSettings: {
    not_allowed: as("operator"),
    unknown_channel: saying({ default_channel: "pigeon" }),
    precondition_failed: sending({ headers: { "if-match": '"17"' } }),
  },
};
