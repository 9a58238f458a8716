/**
 * Slack as an app in Socket Mode sees it: the Web API with Block Kit's limits, and the sockets. A test acts as the people:
 * it presses buttons, submits modals and writes to the bot. `slack-fake.test.ts` runs Slack's own clients against it.
 */

import { randomUUID } from "node:crypto";
import { FakeHttp, type HttpRequest, type Reply } from "./fake-http.ts";
import { blockProblems, viewProblems } from "./slack-blocks.ts";
import {
  type Answer,
  APP,
  BOT_USER,
  decoded,
  describe,
  elementsOf,
  isAt,
  ok,
  profileOf,
  refused,
  type SlackChannel,
  type SlackMessage,
  type SlackUser,
  type SlackView,
  stateOf,
  TEAM,
  withIds,
} from "./slack-shapes.ts";
import { type Delivery, SlackSockets } from "./slack-sockets.ts";

type Json = Readonly<Record<string, unknown>>;

const TRIGGER_MS = 3000;

export interface SlackFakeOptions {
  readonly now?: () => number;
}

export class SlackFake extends FakeHttp {
  readonly appToken = "xapp-1-A0HOLDPOINT-1-fake";
  botToken = "xoxb-1-1-fake";
  readonly team = TEAM;
  readonly botUser = BOT_USER;
  readonly sockets: SlackSockets;
  readonly users = new Map<string, SlackUser>();
  readonly channels = new Map<string, SlackChannel>();
  readonly messages: SlackMessage[] = [];
  readonly views: SlackView[] = [];
  readonly #now: () => number;
  readonly #triggers = new Map<string, { readonly madeAt: number; isUsed: boolean; readonly user: string }>();
  readonly #actionTimes = new Set<string>();
  #clock = 0;

  private constructor(options: SlackFakeOptions) {
    super();
    this.#now = options.now ?? Date.now;
    this.sockets = new SlackSockets(this.server, {
      appId: APP,
      now: this.#now,
      changed: () => this.changed(),
    });
    this.addUser({ id: BOT_USER, name: "holdpoint", team_id: TEAM, is_bot: true });
  }

  static async start(options: SlackFakeOptions = {}): Promise<SlackFake> {
    const fake = new SlackFake(options);
    await fake.listen();
    return fake;
  }

  /** What `slackApiUrl` is set to. */
  get apiUrl(): string {
    return `${this.origin}/api/`;
  }

  // What people do.

  addUser(user: Omit<SlackUser, "team_id"> & { readonly team_id?: string }): SlackUser {
    const whole = { team_id: TEAM, ...user };
    this.users.set(user.id, whole);
    return whole;
  }

  addChannel(id: string, name: string, members: readonly SlackUser[]): SlackChannel {
    const channel = { id, name, members: new Set([BOT_USER, ...members.map((member) => member.id)]) };
    this.channels.set(id, channel);
    return channel;
  }

  /** The direct messages of a person with the bot. */
  directMessages(user: SlackUser): SlackChannel {
    const id = `D${user.id.slice(1)}`;
    const known = this.channels.get(id);
    if (known !== undefined) return known;
    const channel = { id, name: "directmessage", is_im: true, members: new Set([BOT_USER, user.id]) };
    this.channels.set(id, channel);
    return channel;
  }

  /** Presses the button with this label, as it looks now. */
  press(user: SlackUser, message: SlackMessage, label: string): Delivery {
    const button = elementsOf(message.blocks).find(
      ({ element }) => element["type"] === "button" && (element["text"] as Json)["text"] === label,
    );
    if (button === undefined) throw new Error(`The message has no button "${label}".`);
    return this.act(user, message, button.block, button.element);
  }

  /** Chooses an option of a select by its label. */
  choose(user: SlackUser, message: SlackMessage, label: string): Delivery {
    for (const { block, element } of elementsOf(message.blocks)) {
      const options = (element["options"] ?? []) as readonly Json[];
      const option = options.find((each) => (each["text"] as Json)["text"] === label);
      if (option !== undefined)
        return this.act(user, message, block, { ...element, selected_option: option });
    }
    throw new Error(`The message has no option "${label}".`);
  }

  /** An interaction with any element: also one that the message does not have. */
  act(user: SlackUser, message: SlackMessage, blockId: string, element: Json): Delivery {
    const { options: _options, placeholder: _placeholder, confirm: _confirm, ...rest } = element;
    const channel = this.channels.get(message.channel);
    const container = {
      type: "message",
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: message.ephemeralFor !== undefined,
      ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
    };
    return this.#interact(user, {
      type: "block_actions",
      container,
      channel: { id: message.channel, name: channel?.name ?? "unknown" },
      message: this.#shown(message),
      state: { values: {} },
      response_url: `${this.origin}/actions/${randomUUID()}`,
      actions: [{ ...rest, block_id: blockId, action_ts: this.#ts(this.#actionTimes) }],
    });
  }

  /** Submits a modal with these values, by `block_id`. */
  submit(
    user: SlackUser,
    open: SlackView,
    values: Readonly<Record<string, string | readonly string[]>>,
  ): Delivery {
    return this.#interact(user, {
      type: "view_submission",
      view: this.#viewOf(open, values),
      response_urls: [],
    });
  }

  /** The person writes to the bot. */
  write(user: SlackUser, text: string): Delivery {
    const channel = this.directMessages(user);
    const ts = this.#ts();
    return this.sockets.send({
      type: "events_api",
      accepts_response_payload: false,
      retry_attempt: 0,
      retry_reason: "",
      payload: {
        token: "fake",
        team_id: TEAM,
        context_team_id: TEAM,
        api_app_id: APP,
        type: "event_callback",
        event_id: `Ev${randomUUID().slice(0, 8).toUpperCase()}`,
        event_time: Math.floor(this.#now() / 1000),
        event: {
          type: "message",
          channel: channel.id,
          channel_type: "im",
          user: user.id,
          team: user.team_id,
          text,
          ts,
          event_ts: ts,
          client_msg_id: randomUUID(),
        },
      },
    });
  }

  /** Sends the same thing once more in a new envelope, as Slack does with events that were not acknowledged. */
  again(delivery: Delivery, reason = "timeout"): Delivery {
    const { envelope_id: _old, ...envelope } = delivery.envelope;
    const isEvent = envelope.type === "events_api";
    return this.sockets.send({ ...envelope, ...(isEvent ? { retry_attempt: 1, retry_reason: reason } : {}) });
  }

  async acknowledged(delivery: Delivery): Promise<Delivery> {
    await this.until(() => delivery.ack !== undefined);
    return delivery;
  }

  in(channel: SlackChannel): readonly SlackMessage[] {
    return this.messages.filter((message) => message.channel === channel.id);
  }

  #interact(user: SlackUser, payload: Json): Delivery {
    const trigger = `${Math.floor(this.#now())}.${randomUUID()}`;
    this.#triggers.set(trigger, { madeAt: this.#now(), isUsed: false, user: user.id });
    return this.sockets.send({
      type: "interactive",
      accepts_response_payload: true,
      payload: {
        user: { id: user.id, username: user.name, name: user.name, team_id: user.team_id },
        api_app_id: APP,
        token: "fake",
        trigger_id: trigger,
        team: { id: TEAM, domain: "home" },
        enterprise: null,
        is_enterprise_install: false,
        ...payload,
      },
    });
  }

  // What the app does.

  readonly #methods: Readonly<Record<string, (params: Json) => Answer>> = {
    "api.test": () => ok({}),
    "auth.test": () =>
      ok({
        url: "https://home.slack.com/",
        team: "Home",
        user: "holdpoint",
        team_id: TEAM,
        user_id: BOT_USER,
        bot_id: "B0BOT",
        is_enterprise_install: false,
      }),
    "apps.connections.open": () =>
      this.sockets.isFull
        ? refused("too_many_websockets")
        : ok({
            url: `${this.origin.replace("http", "ws")}/link/?ticket=${this.sockets.ticket()}&app_id=${APP}`,
          }),
    "chat.postMessage": (params) => this.#post(params),
    "chat.postEphemeral": (params) => this.#postEphemeral(params),
    "chat.update": (params) => this.#update(params),
    "chat.delete": (params) => {
      const index = this.messages.findIndex((message) => isAt(message, params));
      if (index < 0) return refused("message_not_found");
      this.messages.splice(index, 1);
      return ok({ channel: params["channel"], ts: params["ts"] });
    },
    "chat.getPermalink": ({ channel, message_ts: ts }) =>
      ok({
        channel,
        permalink: `https://home.slack.com/archives/${channel}/p${String(ts).replace(".", "")}`,
      }),
    "views.open": (params) => this.#openView(params),
    "views.update": (params) => this.#updateView(params),
    "conversations.open": ({ users }) => {
      const user = this.users.get(String(users));
      return user === undefined
        ? refused("user_not_found")
        : ok({ channel: { id: this.directMessages(user).id }, no_op: true, already_open: true });
    },
    "conversations.info": ({ channel }) => {
      const found = this.channels.get(String(channel));
      return found === undefined ? refused("channel_not_found") : ok({ channel: describe(found) });
    },
    "conversations.list": () =>
      ok({
        channels: [...this.channels.values()].filter(({ is_im }) => is_im !== true).map(describe),
        response_metadata: { next_cursor: "" },
      }),
    "users.info": ({ user }) => {
      const found = this.users.get(String(user));
      return found === undefined ? refused("user_not_found") : ok({ user: profileOf(found) });
    },
    "users.lookupByEmail": ({ email }) => {
      const found = [...this.users.values()].find((each) => each.email === email);
      return found === undefined ? refused("users_not_found") : ok({ user: profileOf(found) });
    },
  };

  protected methodOf({ path }: HttpRequest): string {
    return path.replace(/^\/api\//, "");
  }

  protected handle({ path, params, headers }: HttpRequest): Reply {
    const name = path.replace(/^\/api\//, "");
    const token = /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? String(params["token"] ?? "");
    const answer =
      this.#allowed(name, token) ?? this.#methods[name]?.(decoded(params)) ?? refused("unknown_method");
    this.changed();
    return {
      status: 200,
      headers: { "x-oauth-scopes": "chat:write,channels:read,groups:read,im:write,im:history,users:read" },
      body: answer,
    };
  }

  #allowed(name: string, token: string): Answer | undefined {
    if (token === "") return refused("not_authed");
    const isAppToken = token === this.appToken;
    if (!isAppToken && token !== this.botToken) return refused("invalid_auth");
    if (isAppToken !== (name === "apps.connections.open")) return refused("not_allowed_token_type");
    return undefined;
  }

  #post(params: Json): Answer {
    const channel = this.#channelOf(params["channel"]);
    const problem = this.#problem(params, channel);
    if (problem !== undefined) return problem;
    const thread = params["thread_ts"];
    if (thread !== undefined && !this.messages.some((each) => each.ts === thread)) {
      return refused("thread_not_found");
    }
    const message: SlackMessage = {
      channel: channel?.id ?? "",
      ts: this.#ts(),
      user: BOT_USER,
      text: String(params["text"] ?? ""),
      blocks: withIds((params["blocks"] ?? []) as readonly Json[]),
      ...(thread === undefined ? {} : { thread_ts: String(thread) }),
    };
    this.messages.push(message);
    return ok({ channel: message.channel, ts: message.ts, message: this.#shown(message) });
  }

  #postEphemeral(params: Json): Answer {
    const channel = this.#channelOf(params["channel"]);
    const problem = this.#problem(params, channel);
    if (problem !== undefined) return problem;
    const user = String(params["user"]);
    if (channel?.members.has(user) !== true) return refused("user_not_in_channel");
    const ts = this.#ts();
    this.messages.push({
      channel: channel.id,
      ts,
      user: BOT_USER,
      ephemeralFor: user,
      text: String(params["text"] ?? ""),
      blocks: withIds((params["blocks"] ?? []) as readonly Json[]),
    });
    return ok({ message_ts: ts });
  }

  #update(params: Json): Answer {
    const channel = this.channels.get(String(params["channel"]));
    const message = this.messages.find((each) => isAt(each, params) && each.ephemeralFor === undefined);
    if (channel === undefined) return refused("channel_not_found");
    if (message === undefined) return refused("message_not_found");
    if (message.user !== BOT_USER) return refused("cant_update_message");
    const blocks = params["blocks"] as readonly Json[] | undefined;
    const problem = this.#problem({ ...params, blocks: blocks ?? message.blocks }, channel);
    if (problem !== undefined) return problem;
    if (params["text"] !== undefined) message.text = String(params["text"]);
    if (blocks !== undefined) message.blocks = withIds(blocks);
    message.edited = true;
    return ok({ channel: channel.id, ts: message.ts, text: message.text, message: this.#shown(message) });
  }

  #problem(params: Json, channel: SlackChannel | undefined): Answer | undefined {
    if (channel === undefined) return refused("channel_not_found");
    if (channel.is_archived === true) return refused("is_archived");
    if (!channel.members.has(BOT_USER)) return refused("not_in_channel");
    const text = String(params["text"] ?? "");
    const blocks = params["blocks"];
    if (blocks !== undefined && !Array.isArray(blocks)) return refused("invalid_blocks_format");
    if (text === "" && (blocks === undefined || blocks.length === 0)) return refused("no_text");
    if (text.length > 40_000) return refused("msg_too_long");
    // Slack does not say where this begins; reports put it a little above 13,000 characters.
    if (JSON.stringify(blocks ?? []).length > 20_000) return refused("msg_blocks_too_long");
    const problems = blockProblems(blocks ?? [], "message");
    return problems.length === 0
      ? undefined
      : { ...refused("invalid_blocks"), errors: problems, response_metadata: { messages: problems } };
  }

  #openView(params: Json): Answer {
    const trigger = this.#triggers.get(String(params["trigger_id"]));
    if (trigger === undefined) return refused("invalid_trigger_id");
    if (trigger.isUsed) return refused("exchanged_trigger_id");
    if (this.#now() - trigger.madeAt > TRIGGER_MS) return refused("expired_trigger_id");
    const view = (params["view"] ?? {}) as Json;
    const problems = viewProblems(view);
    if (problems.length > 0)
      return { ...refused("invalid_arguments"), response_metadata: { messages: problems } };
    trigger.isUsed = true;
    const open: SlackView = {
      id: `V${randomUUID().slice(0, 8).toUpperCase()}`,
      user: trigger.user,
      view: { ...view, blocks: withIds(view["blocks"] as readonly Json[]) },
      hash: randomUUID(),
    };
    this.views.push(open);
    return ok({ view: this.#viewOf(open, {}) });
  }

  #updateView(params: Json): Answer {
    const index = this.views.findIndex(({ id }) => id === params["view_id"]);
    const open = this.views[index];
    if (open === undefined) return refused("not_found");
    if (params["hash"] !== undefined && params["hash"] !== open.hash) return refused("hash_conflict");
    const problems = viewProblems(params["view"] as Json);
    if (problems.length > 0)
      return { ...refused("invalid_arguments"), response_metadata: { messages: problems } };
    const next = { ...open, view: params["view"] as Json, hash: randomUUID() };
    this.views[index] = next;
    return ok({ view: this.#viewOf(next, {}) });
  }

  #viewOf(open: SlackView, values: Readonly<Record<string, string | readonly string[]>>): Json {
    const state: Record<string, Record<string, Json>> = {};
    for (const block of (open.view["blocks"] ?? []) as readonly Json[]) {
      const element = block["element"] as Json | undefined;
      if (block["type"] !== "input" || element === undefined) continue;
      const id = String(block["block_id"]);
      state[id] = { [String(element["action_id"])]: stateOf(element, values[id]) };
    }
    return {
      id: open.id,
      team_id: TEAM,
      app_id: APP,
      app_installed_team_id: TEAM,
      bot_id: "B0BOT",
      root_view_id: open.id,
      previous_view_id: null,
      external_id: "",
      private_metadata: "",
      callback_id: "",
      clear_on_close: false,
      notify_on_close: false,
      hash: open.hash,
      ...open.view,
      state: { values: state },
    };
  }

  /** By id, by `#name` as posting allows, or by a person's id: then it goes to their direct messages. */
  #channelOf(channel: unknown): SlackChannel | undefined {
    const name = String(channel);
    const user = this.users.get(name);
    if (user !== undefined) return this.directMessages(user);
    return (
      this.channels.get(name) ??
      [...this.channels.values()].find((each) => each.name === name.replace(/^#/, ""))
    );
  }

  #shown(message: SlackMessage): Json {
    return {
      type: "message",
      user: message.user,
      bot_id: "B0BOT",
      app_id: APP,
      team: TEAM,
      ts: message.ts,
      text: message.text,
      blocks: message.blocks,
      ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
      ...(message.edited ? { edited: { user: message.user, ts: message.ts } } : {}),
    };
  }

  /** Unique even within one millisecond, as Slack's are. */
  #ts(seen?: Set<string>): string {
    this.#clock += 1;
    const ts = `${Math.floor(this.#now() / 1000)}.${String(this.#clock).padStart(6, "0")}`;
    seen?.add(ts);
    return ts;
  }
}
