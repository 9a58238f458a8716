/** Chats, e-mail and webhook channels: operators need to know whether people can be asked there, and admins connect them. */

import type { ChannelOut, ChatChannelIn } from "@holdpoint/protocol";
import type { Command } from "../../../domains.ts";
import { whyStale } from "../../../kernel/access/fresh.ts";
import { whyNotManage } from "../../../kernel/access/manage.ts";
import { personIdOf } from "../../../kernel/people/person.ts";
import { usualRecipients } from "../../../kernel/platform.ts";
import { type Principal, seesDeliveries } from "../../../kernel/principal.ts";
import { whyElsewhere } from "../../../kernel/server/elsewhere.ts";
import { fail, HttpFailure } from "../../http/failure.ts";
import { placeHold } from "../calls/holds.ts";
import { mailChannels, triedMail } from "../calls/mail-channel.ts";
import { triedWebhook, webhookChannels } from "../calls/webhook-channel.ts";
import type { ChatState, RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

export const channels = {
  async listChannels({ by }, deps) {
    if (!seesDeliveries(by)) throw fail("not_allowed");
    const chats = await Promise.all(deps.chats.states().map((state) => present(state, deps)));
    return { status: 200, body: { channels: [...chats, ...sendingChannels(deps)] } };
  },

  async putChannel({ workspace, by, params, body }, deps) {
    // Before the platform, the mail server or the receiver is asked.
    refuseOthers(by, deps);
    const elsewhere = whyElsewhere(workspace);
    if (elsewhere !== null) throw new HttpFailure(elsewhere);
    const { id: name } = params;
    if (!NAME.test(name))
      throw fail(
        "invalid_body",
        "a channel's name has lower-case letters, digits, - and _, and begins with a letter",
      );
    if (deps.live.isConfigured(name))
      throw fail(
        "already_exists",
        `the configuration has a channel named ${name}; change it there, or choose another name`,
      );
    if (body.platform === "email") {
      const channel = await triedMail(name, body, deps);
      const command = { kind: "put_email_channel", workspace, by, channel } as const;
      return { status: 200, body: await changed(command, deps, () => shownOf(name, deps)) };
    }
    if (body.platform === "webhook") {
      const channel = await triedWebhook(name, body, deps);
      const command = { kind: "put_webhook_channel", workspace, by, channel } as const;
      return { status: 200, body: await changed(command, deps, () => shownOf(name, deps)) };
    }
    await tryToken(name, body, deps);
    const { platform, to = [], show, token, app_token: appToken } = body;
    const sealed = deps.live.seal(
      { ...(token === undefined ? {} : { token }), ...(appToken === undefined ? {} : { appToken }) },
      name,
    );
    const channel = { name, platform, to, isFull: show === "full", ...sealed };
    const command = { kind: "put_chat_channel", workspace, by, channel } as const;
    return {
      status: 200,
      body: await changed(command, deps, () => present(stateOf(name, deps), deps)),
    };
  },

  async removeChannel({ workspace, by, params: { id: name } }, deps) {
    return deps.live.inTurn(async () => {
      const shown = await connected(workspace, name, deps);
      const kind = REMOVE[shown?.platform ?? ""] ?? "remove_chat_channel";
      accepted(await deps.engine.run({ kind, workspace, by, name }), by);
      await deps.live.refresh();
      if (shown === undefined) throw fail("not_found");
      return { status: 200, body: shown };
    });
  },

  async testChannel({ workspace, by, params: { id: name } }, deps) {
    refuseOthers(by, deps);
    const sending = sendingChannels(deps);
    const known = [...deps.chats.states(), ...sending].find((one) => one.name === name);
    if (known === undefined) throw fail("not_found");
    const to = (await linkedPerson(workspace, by, known.platform, deps)) ?? usualOf(name, deps)[0];
    const isWebhook = known.platform === "webhook";
    if (to === undefined && !isWebhook) throw fail("nobody_to_ask");
    const { hold } = await placeHold(
      { workspace, by: TESTER },
      {
        ...({ type: "confirmation", timeout: "10m", prompt: testPrompt(known.platform) } as const),
        ladder: [{ after: "0s", channel: name, ...(to === undefined ? {} : { to }) }],
      },
      undefined,
      deps,
    );
    const address = sending.find((one) => one.name === name)?.webhook?.origin;
    return { status: 201, body: { hold_id: hold.id, to: to ?? address ?? name } };
  },
} satisfies Routes;

const REMOVE: Readonly<Record<string, "remove_email_channel" | "remove_webhook_channel">> = {
  email: "remove_email_channel",
  webhook: "remove_webhook_channel",
};

type Put = Extract<
  Command,
  { readonly kind: "put_chat_channel" | "put_email_channel" | "put_webhook_channel" }
>;

/** In turn, so that the number of channels holds however many are connected at once, and nobody removes it before it is shown. */
function changed<Shown>(command: Put, { live, engine }: RestDeps, show: () => Shown | Promise<Shown>) {
  return live.inTurn(async () => {
    accepted(await engine.run(command), command.by);
    await live.refresh();
    return show();
  });
}

/** Channels that only send. */
function sendingChannels(deps: RestDeps): readonly ChannelOut[] {
  return [...mailChannels(deps), ...webhookChannels(deps)];
}

/** As in the configuration. */
const NAME = /^[a-z][\w-]{0,63}$/;

/** Only chats have buttons; every other message has a link, or is read by a program. */
function testPrompt(platform: ChannelOut["platform"]): string {
  const asked = BUTTONLESS.has(platform) ? "Did this message arrive?" : "Does this button work?";
  return `${asked} This is a test of Holdpoint.`;
}

const BUTTONLESS: ReadonlySet<string> = new Set(["email", "webhook"]);

/** The server itself asks, so that the admin who pressed the button may answer (G7). */
const TESTER: Principal = { role: "app", via: "system", id: "channel-test", name: "Holdpoint" };

function refuseOthers(by: Principal, { engine }: RestDeps): void {
  const denied = whyNotManage(by) ?? whyStale(by, engine.clock.now());
  if (denied !== null) throw new HttpFailure(denied);
}

/** A token that does not work is not kept. The platform's reason is a fixed word, so no token can be in it. */
async function tryToken(
  name: string,
  { platform: kind, token, app_token }: ChatChannelIn,
  { live }: RestDeps,
) {
  if (token === undefined && app_token !== undefined)
    throw fail("token_refused", "give the bot's token beside the app-level token, so that both can be tried");
  if (token === undefined) return;
  if (kind === "slack" && app_token === undefined)
    throw fail("token_refused", "Slack needs the app-level token (xapp-…) beside the bot's token");
  const platform = live.platformOf(name, kind, {
    token,
    ...(app_token === undefined ? {} : { appToken: app_token }),
  });
  if (platform === undefined) throw fail("token_refused", `this server has no client for ${kind}`);
  try {
    const bot = await platform.identify();
    if (bot.kind === "failed")
      throw fail("token_refused", `${kind} refused the token or cannot be reached: ${bot.error}`);
  } finally {
    await platform.close?.();
  }
}

async function linkedPerson(
  workspace: string,
  by: Principal,
  platform: string,
  { engine }: RestDeps,
): Promise<string | undefined> {
  const id = personIdOf(by);
  if (id === undefined) return undefined;
  const [person] = await engine.store.load([{ workspace, kind: "person", id, read: true }]);
  const isLinked =
    platform === "email"
      ? person?.body.email !== undefined
      : person?.body.accounts.some((account) => account.platform === platform) === true;
  return isLinked ? `person:${id}` : undefined;
}

function usualOf(name: string, { engine }: RestDeps): readonly string[] {
  return usualRecipients(engine.platform.notify, name);
}

/** A channel that was connected in the console; `standby` if this server does not use it, because the configuration has its name. */
async function connected(workspace: string, name: string, deps: RestDeps): Promise<ChannelOut | undefined> {
  const own = [...deps.live.mails(), ...deps.live.webhooks()];
  if (own.some((one) => one.name === name)) return shownOf(name, deps);
  if (deps.live.isConnectedHere(name)) return present(stateOf(name, deps), deps);
  const { store } = deps.engine;
  const [chat] = await store.load([{ workspace, kind: "chat_channel", id: name, read: true }]);
  const [mail] = await store.load([{ workspace, kind: "email_channel", id: name, read: true }]);
  const [webhook] = await store.load([{ workspace, kind: "webhook_channel", id: name, read: true }]);
  const row = chat ?? mail ?? webhook;
  if (row === undefined) return undefined;
  const { platform, to } = row.body;
  return { name, platform, to: [...to], state: "standby", source: "console" };
}

function shownOf(name: string, deps: RestDeps): ChannelOut {
  const found = sendingChannels(deps).find((one) => one.name === name);
  if (found === undefined) throw new Error(`Invariant: channel ${name} was connected and is not there`);
  return found;
}

function stateOf(name: string, { chats }: RestDeps): ChatState {
  const found = chats.states().find((one) => one.name === name);
  if (found === undefined) throw new Error(`Invariant: channel ${name} was connected and is not there`);
  return found;
}

async function present({ name, platform, listener, isFull }: ChatState, deps: RestDeps) {
  const bot = (await deps.chats.identity(name))?.name;
  const isHere = deps.live.isConnectedHere(name);
  return {
    ...{
      name,
      platform,
      to: usualOf(name, deps),
      source: isHere ? ("console" as const) : ("config" as const),
    },
    ...(typeof listener === "string"
      ? { state: listener }
      : { state: "failed" as const, reason: listener.error }),
    ...(bot === undefined ? {} : { bot }),
    ...(isHere ? { show: isFull ? ("full" as const) : ("prompt" as const) } : {}),
  };
}
