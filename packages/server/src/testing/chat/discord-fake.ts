/**
 * Discord as a bot sees it: the REST API with its limits and error shapes, interactions with their three seconds, and the
 * Gateway. A test acts as the people. `discord-fake.test.ts` runs discord.js' own clients against it.
 */

import { randomUUID } from "node:crypto";
import { checkMessage, checkModal, DiscordRefusal, type Json } from "./discord-checks.ts";
import { DiscordGateway } from "./discord-gateway.ts";
import {
  APPLICATION,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordUser,
  type Interaction,
  local,
  parts,
  person,
} from "./discord-shapes.ts";
import { FakeHttp, type HttpRequest, type Reply } from "./fake-http.ts";

type Handler = (context: Context) => unknown;

interface Context {
  readonly ids: readonly string[];
  readonly body: Json;
  readonly request: HttpRequest;
}

const ANSWER_MS = 3000;
const TOKEN_MS = 15 * 60_000;

export interface DiscordFakeOptions {
  readonly now?: () => number;
}

export class DiscordFake extends FakeHttp {
  token = "OTAwMDAwMDAwMDAwMDAwMDAx.fake.fakefakefakefakefakefakefake";
  readonly bot: DiscordUser = person(APPLICATION, "holdpoint", "Holdpoint", true);
  readonly gateway: DiscordGateway;
  readonly channels = new Map<string, DiscordChannel>();
  readonly messages: DiscordMessage[] = [];
  readonly interactions: Interaction[] = [];
  /** People who take no direct messages from bots. */
  readonly closedDoors = new Set<string>();
  /** What the bot may not write to. */
  readonly forbidden = new Set<string>();
  /** Set in the developer portal, it keeps interactions away from the Gateway. */
  interactionsEndpoint: string | null = null;
  readonly #now: () => number;
  #next = 1_300_000_000_000_000_000n;

  private constructor(options: DiscordFakeOptions) {
    super();
    this.#now = options.now ?? Date.now;
    this.gateway = new DiscordGateway(this.server, {
      token: () => this.token,
      user: { ...this.bot },
      url: () => this.gatewayUrl,
      changed: () => this.changed(),
    });
  }

  static async start(options: DiscordFakeOptions = {}): Promise<DiscordFake> {
    const fake = new DiscordFake(options);
    await fake.listen();
    return fake;
  }

  /** What the option `api` of `@discordjs/rest` is set to. */
  get apiUrl(): string {
    return `${this.origin}/api`;
  }

  get gatewayUrl(): string {
    return `${this.origin.replace("http", "ws")}/gateway`;
  }

  // What people do.

  user(username: string, more: { readonly bot?: boolean } = {}): DiscordUser {
    return person(this.#id(), username, username, more.bot === true);
  }

  addChannel(name: string, guild = "800000000000000001"): DiscordChannel {
    const channel: DiscordChannel = { id: this.#id(), type: 0, name, guild_id: guild };
    this.channels.set(channel.id, channel);
    return channel;
  }

  directMessages(user: DiscordUser): DiscordChannel {
    const known = [...this.channels.values()].find(({ recipients }) => recipients?.[0]?.id === user.id);
    if (known !== undefined) return known;
    const channel: DiscordChannel = { id: this.#id(), type: 1, recipients: [user] };
    this.channels.set(channel.id, channel);
    this.#people.set(user.id, user);
    return channel;
  }

  /** Makes a person known, so that the bot can open a direct message to them by id. */
  know(user: DiscordUser): DiscordUser {
    this.#people.set(user.id, user);
    return user;
  }

  readonly #people = new Map<string, DiscordUser>();

  press(user: DiscordUser, message: DiscordMessage, label: string): Interaction {
    const button = parts(message).find((part) => part["type"] === 2 && part["label"] === label);
    if (button === undefined) throw new Error(`The message has no button "${label}".`);
    if (button["style"] === 5) throw new Error(`"${label}" opens a page.`);
    return this.pressId(user, message, String(button["custom_id"]));
  }

  /** A press of any id: also one that the message does not have. */
  pressId(user: DiscordUser, message: DiscordMessage, customId: string): Interaction {
    return this.#interact(user, 3, message, { custom_id: customId, component_type: 2 });
  }

  /** Chooses options of a select by their labels. */
  choose(user: DiscordUser, message: DiscordMessage, ...labels: readonly string[]): Interaction {
    const select = parts(message).find((part) => part["type"] === 3);
    if (select === undefined) throw new Error("The message has no select.");
    const options = select["options"] as readonly Json[];
    const values = labels.map((label) => options.find((option) => option["label"] === label)?.["value"]);
    return this.#interact(user, 3, message, { custom_id: select["custom_id"], component_type: 3, values });
  }

  /** Submits the modal that an interaction was answered with. */
  submit(user: DiscordUser, asked: Interaction, values: Readonly<Record<string, string>>): Interaction {
    const modal = asked.callback?.type === 9 ? asked.callback.data : undefined;
    if (modal === undefined) throw new Error("The interaction was not answered with a modal.");
    const components = (modal["components"] as readonly Json[]).map((row) => {
      const fill = (field: Json): Json => {
        const id = String(field["custom_id"]);
        return field["type"] === 3
          ? { type: 3, custom_id: id, values: values[id] === undefined ? [] : [values[id]] }
          : { type: 4, custom_id: id, value: values[id] ?? "" };
      };
      return row["type"] === 18
        ? { type: 18, component: fill(row["component"] as Json) }
        : { type: 1, components: (row["components"] as readonly Json[]).map(fill) };
    });
    return this.#interact(user, 5, asked.message, { custom_id: modal["custom_id"], components });
  }

  /** The person writes to the bot. */
  write(user: DiscordUser, content: string): DiscordMessage {
    const channel = this.directMessages(user);
    const message = this.#keep({ channel_id: channel.id, author: user, content });
    this.gateway.dispatch("MESSAGE_CREATE", this.#shown(message));
    return message;
  }

  /** The same event once more, as a client sees it when it resumes from an older sequence. */
  again(interaction: Interaction): void {
    this.gateway.dispatch("INTERACTION_CREATE", interaction.event);
  }

  async answered(interaction: Interaction): Promise<NonNullable<Interaction["callback"]>> {
    await this.until(() => interaction.callback !== undefined);
    return interaction.callback ?? { type: 0, data: {} };
  }

  in(channel: DiscordChannel): readonly DiscordMessage[] {
    return this.messages.filter((message) => message.channel_id === channel.id);
  }

  #interact(user: DiscordUser, type: 3 | 5, message: DiscordMessage | undefined, data: Json): Interaction {
    const id = this.#id();
    const token = randomUUID();
    const channel = this.channels.get(message?.channel_id ?? "");
    const guild = channel?.guild_id;
    const event: Json = {
      id,
      application_id: APPLICATION,
      type,
      token,
      version: 1,
      data,
      channel_id: channel?.id,
      channel: channel && { id: channel.id, type: channel.type },
      ...(guild === undefined
        ? { user, context: 1 }
        : {
            guild_id: guild,
            context: 0,
            member: { user, roles: [], permissions: "0", joined_at: "2026-01-01" },
          }),
      ...(message === undefined ? {} : { message: this.#shown(message) }),
      app_permissions: "2147483647",
      locale: "en-US",
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10_485_760,
    };
    const interaction: Interaction = {
      id,
      token,
      user,
      ...(message === undefined ? {} : { message }),
      madeAt: this.#now(),
      event,
      followups: [],
    };
    this.interactions.push(interaction);
    if (this.interactionsEndpoint === null) this.gateway.dispatch("INTERACTION_CREATE", event);
    return interaction;
  }

  // What the bot does.

  readonly #routes: readonly (readonly [verb: string, path: RegExp, name: string, handler: Handler])[] = [
    ["GET", /^\/gateway\/bot$/, "/gateway/bot", () => this.#gatewayBot()],
    ["GET", /^\/users\/@me$/, "/users/@me", () => this.bot],
    ["GET", /^\/applications\/@me$/, "/applications/@me", () => this.#application()],
    ["POST", /^\/users\/@me\/channels$/, "/users/@me/channels", ({ body }) => this.#openDirect(body)],
    ["GET", /^\/channels\/(\d+)$/, "/channels/:id", ({ ids }) => this.#channel(ids[0])],
    ["POST", /^\/channels\/(\d+)\/messages$/, "/channels/:id/messages", (context) => this.#create(context)],
    [
      "PATCH",
      /^\/channels\/(\d+)\/messages\/(\d+)$/,
      "/channels/:id/messages/:id",
      (context) => this.#edit(context),
    ],
    [
      "GET",
      /^\/channels\/(\d+)\/messages\/(\d+)$/,
      "/channels/:id/messages/:id",
      ({ ids }) => this.#shown(this.#message(ids)),
    ],
    [
      "DELETE",
      /^\/channels\/(\d+)\/messages\/(\d+)$/,
      "/channels/:id/messages/:id",
      ({ ids }) => {
        this.messages.splice(this.messages.indexOf(this.#message(ids)), 1);
      },
    ],
    [
      "POST",
      /^\/interactions\/(\d+)\/([^/]+)\/callback$/,
      "/interactions/:id/:token/callback",
      (context) => this.#callback(context),
    ],
    ["POST", /^\/webhooks\/(\d+)\/([^/]+)$/, "/webhooks/:id/:token", (context) => this.#followup(context)],
    [
      "PATCH",
      /^\/webhooks\/(\d+)\/([^/]+)\/messages\/@original$/,
      "/webhooks/:id/:token/messages/@original",
      (context) => this.#followup(context),
    ],
  ];

  protected methodOf({ verb, path }: HttpRequest): string {
    const route = this.#route(verb, path);
    return route === undefined ? `${verb} ${path}` : `${verb} ${route[2]}`;
  }

  protected handle(request: HttpRequest): Reply {
    const route = this.#route(request.verb, request.path);
    const limits = {
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "4",
      "x-ratelimit-reset-after": "0.001",
      "x-ratelimit-bucket": route?.[2] ?? "none",
    };
    try {
      if (route === undefined) throw new DiscordRefusal(404, 0, "404: Not Found");
      this.#authorize(route[2], request);
      const ids = [...(route[1].exec(local(request.path)) ?? [])].slice(1);
      const body = route[3]({ ids, body: request.params, request });
      return body === undefined ? { status: 204, headers: limits } : { status: 200, body, headers: limits };
    } catch (error) {
      if (!(error instanceof DiscordRefusal)) throw error;
      const { status, code, message, errors } = error;
      return {
        status,
        headers: limits,
        body: { message, code, ...(errors === undefined ? {} : { errors }) },
      };
    } finally {
      this.changed();
    }
  }

  #route(verb: string, path: string) {
    return this.#routes.find(([each, pattern]) => each === verb && pattern.test(local(path)));
  }

  /** Interactions and their webhooks carry their own token. */
  #authorize(route: string, { headers }: HttpRequest): void {
    if (route.startsWith("/interactions") || route.startsWith("/webhooks")) return;
    if (headers["authorization"] !== `Bot ${this.token}`)
      throw new DiscordRefusal(401, 0, "401: Unauthorized");
  }

  #gatewayBot(): Json {
    const { sessionsLeft } = this.gateway;
    return {
      url: this.gatewayUrl,
      shards: 1,
      session_start_limit: {
        total: 1000,
        remaining: sessionsLeft,
        reset_after: 86_400_000,
        max_concurrency: 1,
      },
    };
  }

  #application(): Json {
    return {
      id: APPLICATION,
      name: "Holdpoint",
      bot: this.bot,
      bot_public: false,
      flags: 0,
      interactions_endpoint_url: this.interactionsEndpoint,
    };
  }

  #openDirect(body: Json): DiscordChannel {
    const user = this.#people.get(String(body["recipient_id"]));
    if (user === undefined) throw new DiscordRefusal(400, 50_033, "Invalid Recipient(s)");
    return this.directMessages(user);
  }

  #channel(id: string | undefined): DiscordChannel {
    const channel = this.channels.get(id ?? "");
    if (channel === undefined) throw new DiscordRefusal(404, 10_003, "Unknown Channel");
    if (this.forbidden.has(channel.id)) throw new DiscordRefusal(403, 50_001, "Missing Access");
    return channel;
  }

  #create({ ids, body }: Context): Json {
    const channel = this.#channel(ids[0]);
    if (this.closedDoors.has(channel.recipients?.[0]?.id ?? "")) {
      throw new DiscordRefusal(403, 50_007, "Cannot send messages to this user");
    }
    checkMessage(body);
    const nonce = body["nonce"];
    const earlier = this.messages.find((each) => nonce !== undefined && each.nonce === String(nonce));
    if (body["enforce_nonce"] === true && earlier !== undefined) return this.#shown(earlier);
    const reference = body["message_reference"] as Json | undefined;
    const target = this.messages.find(({ id }) => id === reference?.["message_id"]);
    if (reference !== undefined && target === undefined && reference["fail_if_not_exists"] !== false) {
      throw new DiscordRefusal(400, 50_035, "Invalid Form Body", {
        message_reference: { _errors: [{ code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" }] },
      });
    }
    const message = this.#keep({
      channel_id: channel.id,
      author: this.bot,
      content: String(body["content"] ?? ""),
      embeds: body["embeds"],
      components: body["components"],
      flags: body["flags"],
      ...(nonce === undefined ? {} : { nonce: String(nonce) }),
      ...(target === undefined ? {} : { reference: target.id }),
    });
    return this.#shown(message);
  }

  #edit({ ids, body }: Context): Json {
    const message = this.#message(ids);
    if (message.author.id !== this.bot.id) {
      throw new DiscordRefusal(403, 50_005, "Cannot edit a message authored by another user");
    }
    checkMessage({ content: message.content, embeds: message.embeds, ...body });
    this.#apply(message, body);
    return this.#shown(message);
  }

  #apply(message: DiscordMessage, body: Json): void {
    if (body["content"] !== undefined) message.content = String(body["content"] ?? "");
    if (body["embeds"] !== undefined) message.embeds = (body["embeds"] ?? []) as readonly Json[];
    if (body["components"] !== undefined) message.components = (body["components"] ?? []) as readonly Json[];
    message.edited = true;
  }

  #message(ids: readonly string[]): DiscordMessage {
    this.#channel(ids[0]);
    const message = this.messages.find(({ id, channel_id }) => id === ids[1] && channel_id === ids[0]);
    if (message === undefined) throw new DiscordRefusal(404, 10_008, "Unknown Message");
    return message;
  }

  #callback({ ids, body, request }: Context): Json | undefined {
    const interaction = this.interactions.find(({ id, token }) => id === ids[0] && token === ids[1]);
    if (interaction === undefined || this.#now() - interaction.madeAt > ANSWER_MS) {
      throw new DiscordRefusal(404, 10_062, "Unknown interaction");
    }
    if (interaction.callback !== undefined) {
      throw new DiscordRefusal(400, 40_060, "Interaction has already been acknowledged.");
    }
    const type = Number(body["type"]);
    const data = (body["data"] ?? {}) as Json;
    if (type === 9) {
      if (interaction.event["type"] === 5) {
        throw new DiscordRefusal(400, 50_035, "Invalid Form Body", {
          type: {
            _errors: [{ code: "APPLICATION_INTERACTION_INVALID", message: "A modal cannot answer a modal." }],
          },
        });
      }
      checkModal(data);
    } else if (type === 4) checkMessage(data);
    else if (type === 7) {
      checkMessage(data, true);
      if (interaction.message !== undefined) this.#apply(interaction.message, data);
    } else if (type !== 5 && type !== 6) {
      throw new DiscordRefusal(400, 50_035, "Invalid Form Body");
    }
    interaction.callback = { type, data };
    return request.query.get("with_response") === "true"
      ? { interaction: { id: interaction.id, type: interaction.event["type"] } }
      : undefined;
  }

  #followup({ ids, body }: Context): Json {
    const interaction = this.interactions.find(({ token }) => token === ids[1]);
    if (interaction === undefined || this.#now() - interaction.madeAt > TOKEN_MS) {
      throw new DiscordRefusal(401, 50_027, "Invalid Webhook Token");
    }
    if (interaction.callback === undefined) throw new DiscordRefusal(404, 10_015, "Unknown Webhook");
    checkMessage(body);
    interaction.followups.push(body);
    return { id: this.#id(), channel_id: interaction.message?.channel_id, author: this.bot, ...body };
  }

  #keep(message: {
    readonly channel_id: string;
    readonly author: DiscordUser;
    readonly content: string;
    readonly embeds?: unknown;
    readonly components?: unknown;
    readonly flags?: unknown;
    readonly nonce?: string;
    readonly reference?: string;
  }): DiscordMessage {
    const kept: DiscordMessage = {
      ...message,
      id: this.#id(),
      embeds: (message.embeds ?? []) as readonly Json[],
      components: (message.components ?? []) as readonly Json[],
      flags: Number(message.flags ?? 0),
      edited: false,
    };
    this.messages.push(kept);
    this.changed();
    return kept;
  }

  #shown({ edited, reference, ...message }: DiscordMessage): Json {
    const time = new Date(this.#now()).toISOString();
    return {
      ...message,
      type: reference === undefined ? 0 : 19,
      timestamp: time,
      edited_timestamp: edited ? time : null,
      tts: false,
      pinned: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: [],
    };
  }

  #id(): string {
    this.#next += 1n;
    return String(this.#next);
  }
}
