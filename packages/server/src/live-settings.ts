/**
 * What was changed of the server in the console, laid over its configuration while it runs.
 *
 * L1  A change counts at this server as soon as it is committed, at the others that share the database within a few seconds.
 * L2  A bot whose settings did not change stays connected; one whose token changed is connected again, and no message is lost.
 * L3  A server that cannot read the changes does not start: the configuration alone may allow what an admin has forbidden since.
 * L4  Tokens are opened in memory only. A server that cannot open one says so on the Channels page and sends nothing by it.
 */

import type { ChatBot } from "./channels/chat/bot.ts";
import { brokenPlatform } from "./channels/chat/broken.ts";
import type { ChatPlatform, PlatformFactory } from "./channels/chat/platform.ts";
import type { ChatRuntime } from "./channels/chat/runtime.ts";
import { readSender } from "./channels/email/address.ts";
import { turnsOf } from "./channels/oncall.ts";
import type { Engine } from "./engine/engine.ts";
import type { Feed } from "./engine/feed.ts";
import type { SendLetter } from "./identity/email-sign-in.ts";
import type { Platform } from "./kernel/platform.ts";
import type { OwnRota, Rota, Turns } from "./kernel/server/rota.ts";
import {
  CHANNELS_MAX,
  type ChatChannel,
  NO_SERVER_SETTINGS,
  platformWith,
  SERVER_SETTINGS,
  SERVER_WORKSPACE,
  type ServerSettings,
} from "./kernel/server/server.ts";
import type { WebhookChannel } from "./kernel/server/webhook-channel.ts";
import { LiveMail, type LiveMailOptions, type MailServer, type MailState, whyNotMail } from "./live-mail.ts";
import {
  type GivenReceiver,
  type LiveWebhookOptions,
  LiveWebhooks,
  type WebhookState,
  type WhyNotWebhook,
} from "./live-webhooks.ts";
import { whyNotPatterns } from "./system/redact.ts";

export interface LiveSettingsOptions extends LiveMailOptions, Pick<LiveWebhookOptions, "outgoing"> {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly chats: ChatRuntime;
  readonly configured: Platform;
  /** What makes the bots, by platform. */
  readonly platforms: Readonly<Record<string, PlatformFactory>>;
  readonly onFault: (error: unknown) => void;
}

/** Some more than there may be: servers that connect bots at the same moment do not know of each other's. */
const ROWS_MAX = 2 * CHANNELS_MAX;
/** How often the rows are read at most while other servers commit. */
const LOOK_MS = 5_000;
const KINDS: ReadonlySet<string> = new Set([
  "chat_channel",
  "email_channel",
  "webhook_channel",
  "server_settings",
  "rota",
]);

export interface Tokens {
  readonly token: string;
  readonly appToken?: string;
}

export class LiveSettings {
  readonly #options: LiveSettingsOptions;
  /** What each bot was made from. */
  readonly #made = new Map<string, string>();
  #settings: ServerSettings = NO_SERVER_SETTINGS;
  #version = 0;
  #rotas: Readonly<Record<string, OwnRota>> = {};
  #running: Promise<void> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  readonly #watches: (() => void)[] = [];
  #cancelLook: (() => void) | undefined;
  #isStopped = false;

  readonly #mail: LiveMail;
  readonly #webhooks: LiveWebhooks;

  constructor(options: LiveSettingsOptions) {
    this.#options = options;
    this.#mail = new LiveMail(options);
    this.#webhooks = new LiveWebhooks({ ...options, clock: options.engine.clock });
  }

  get configured(): Platform {
    return this.#options.configured;
  }

  get settings(): ServerSettings {
    return this.#settings;
  }

  /** The version of these settings; 0: nobody has changed any. */
  get version(): number {
    return this.#version;
  }

  /** Those that were added or changed in the console. */
  get rotas(): Readonly<Record<string, OwnRota>> {
    return this.#rotas;
  }

  turnsOf(rota: Rota): Promise<Turns | null> {
    return turnsOf(rota, this.#options.engine.clock.now()).catch(() => null);
  }

  isConnectedHere(channel: string): boolean {
    return this.#made.has(channel) || this.#mail.has(channel) || this.#webhooks.has(channel);
  }

  /** The configuration has a channel of this name, which counts instead of one that was connected in the console. */
  isConfigured(channel: string): boolean {
    return Object.hasOwn(this.configured.notify.channels, channel);
  }

  async start(): Promise<void> {
    const { engine, feed } = this.#options;
    this.#watches.push(
      engine.onCommit(({ entities }) => {
        if (entities.some(({ kind }) => KINDS.has(kind))) void this.refresh();
      }),
      feed.onOthers(() => this.#lookSoon()),
    );
    const first = this.#apply();
    this.#running = first.catch(() => undefined);
    await first;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#watches) stop();
    this.#cancelLook?.();
    await this.#running;
  }

  /** Resolves when what is committed now is in use. */
  refresh(): Promise<void> {
    this.#running = this.#running.then(() => this.#apply()).catch(this.#options.onFault);
    return this.#running;
  }

  /**
   * One change after the other, each decided on what the one before it made. Commands of one batch do not count each other's rows, so
   * that many at once would pass the bounds.
   */
  inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(async () => {
      // Another server may have changed something a moment ago.
      await this.refresh();
      return change();
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** A bot of its own, to ask the platform about a token before it is kept; `undefined`: this server does not know the platform. */
  platformOf(name: string, kind: string, tokens: Tokens): ChatPlatform | undefined {
    const { engine, platforms } = this.#options;
    const factory = Object.hasOwn(platforms, kind) ? platforms[kind] : undefined;
    return factory?.({ name, clock: engine.clock, ...tokens });
  }

  whyNotPatterns(patterns: readonly string[]): ReturnType<typeof whyNotPatterns> {
    return whyNotPatterns(patterns);
  }

  /** E-mail channels that were connected in the console. */
  mails(): readonly MailState[] {
    return this.#mail.states();
  }

  /** Sends sign-in links by an e-mail channel of the console; `undefined`: there is none (of this name). */
  letters(name: string | undefined): SendLetter | undefined {
    return this.#mail.letters(name);
  }

  webhooks(): readonly WebhookState[] {
    return this.#webhooks.states();
  }

  whyNotWebhook(given: GivenReceiver, kept: WebhookChannel | undefined): Promise<WhyNotWebhook | null> {
    return this.#webhooks.whyNot(given, kept);
  }

  isSender(text: string): boolean {
    return readSender(text) !== null;
  }

  whyNotMail(server: MailServer, password: string | undefined): Promise<string | null> {
    return whyNotMail(server, password);
  }

  /** Encrypted for this channel. */
  seal({ token, appToken }: Partial<Tokens>, name: string): Partial<Tokens> {
    const { sealer } = this.#options;
    return {
      ...(token === undefined ? {} : { token: sealer.seal(token, name) }),
      ...(appToken === undefined ? {} : { appToken: sealer.seal(appToken, name) }),
    };
  }

  async #apply(): Promise<void> {
    if (this.#isStopped) return;
    const { engine, configured, chats } = this.#options;
    const { store } = engine;
    const where = { workspace: SERVER_WORKSPACE, kind: "server_settings", id: SERVER_SETTINGS } as const;
    const list = { workspace: SERVER_WORKSPACE, limit: ROWS_MAX } as const;
    const [[row], rows, mailRows, webhookRows, rotaRows] = await Promise.all([
      store.load([{ ...where, read: true }]),
      store.query({ ...list, kind: "chat_channel" }),
      store.query({ ...list, kind: "email_channel" }),
      store.query({ ...list, kind: "webhook_channel" }),
      store.query({ ...list, kind: "rota" }),
    ]);
    this.#rotas = Object.fromEntries(rotaRows.map(({ id, body }) => [id, body]));
    const channels = rows.map(({ body }) => body);
    this.#settings = row?.body ?? NO_SERVER_SETTINGS;
    this.#version = row?.version ?? 0;
    const added = channels.filter(({ name }) => !this.isConfigured(name));
    for (const name of this.#made.keys())
      if (!added.some((one) => one.name === name)) {
        this.#made.delete(name);
        await chats.remove(name);
      }
    for (const channel of added) {
      const text = JSON.stringify(channel);
      if (this.#made.get(channel.name) === text) continue;
      this.#made.set(channel.name, text);
      await chats.put(this.#botOf(channel));
    }
    const mails = mailRows.map(({ body }) => body).filter(({ name }) => !this.isConfigured(name));
    this.#mail.use(mails);
    this.#webhooks.use(webhookRows.map(({ body }) => body).filter(({ name }) => !this.isConfigured(name)));
    const all = [...channels, ...mails, ...this.#webhooks.states()];
    engine.usePlatform(platformWith(configured, all, this.#settings, this.#rotas));
  }

  #botOf({ name, platform: kind, isFull, token: sealed, appToken: sealedApp }: ChatChannel): ChatBot {
    const { sealer } = this.#options;
    const token = sealer.open(sealed, name);
    const appToken = sealedApp === undefined ? undefined : sealer.open(sealedApp, name);
    const isReadable = token !== undefined && (sealedApp === undefined || appToken !== undefined);
    const made = isReadable
      ? this.platformOf(name, kind, { token, ...(appToken === undefined ? {} : { appToken }) })
      : undefined;
    const platform = made ?? brokenPlatform(kind, isReadable ? "unknown_platform" : "secret_key_differs");
    return { name, platform, isFull, isAlways: false, isByEmail: false };
  }

  #lookSoon(): void {
    if (this.#isStopped || this.#cancelLook !== undefined) return;
    const { clock } = this.#options.engine;
    this.#cancelLook = clock.at(clock.now() + LOOK_MS, () => {
      this.#cancelLook = undefined;
      void this.refresh();
    });
  }
}
