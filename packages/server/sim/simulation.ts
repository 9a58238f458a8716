/**
 * Whole servers in one process and on one seed: real engine, timers, sender, identity and faces over a store, a clock, a far
 * end and people that are simulated. Each request comes to one of the servers. They die between any two steps; only what the store
 * holds survives them, and those that live on take over what they left.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChatBot } from "../src/channels/chat/bot.ts";
import { createServer, type LogEntry, type Server } from "../src/server.ts";
import type { Store } from "../src/store/port.ts";
import type { Clock } from "../src/system/clock.ts";
import { idsFrom } from "../src/system/ids.ts";
import { newSigner } from "../src/system/signing.ts";
import { ManualClock } from "../src/testing/manual-clock.ts";
import { type Backing, backingOf, LOOK_MS, type StoreName } from "./backing.ts";
import { CHAT, ChatApp, GROUP } from "./chat-app.ts";
import { FarEnd } from "./far-end.ts";
import type { StoreFaults } from "./faulty-store.ts";
import { Ledger } from "./ledger.ts";
import { Outages } from "./outages.ts";
import { ProxiedAgent } from "./proxied.ts";
import { type Random, randomOf } from "./random.ts";
import { type Sabotage, sentBy, understood } from "./sabotage.ts";
import { layered } from "./store-layers.ts";

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a client reads whatever the wire carries.
  readonly body: any;
}

const KEYS = [
  { secret: "test-key-of-agent", role: "agent", name: "refunder", workspace: "default" },
  { secret: "test-key-of-operator", role: "operator", name: "ada", workspace: "default" },
  { secret: "test-key-of-admin", role: "admin", name: "root", workspace: "default" },
  { secret: "test-key-of-vera", role: "operator", name: "vera", workspace: "default" },
  { secret: "test-key-of-vito", role: "operator", name: "vito", workspace: "default" },
  { secret: "test-key-of-vic", role: "operator", name: "vic", workspace: "default" },
  { secret: "test-key-of-app", role: "app", name: "shop", workspace: "default" },
] as const;
export const AGENT = KEYS[0].secret;
export const OPERATOR = KEYS[1].secret;
export const ADMIN = KEYS[2].secret;
export const APP = KEYS[6].secret;
/** Who answers what needs no vote. */
export const PERSON = KEYS[1].name;
/** The keys of the people who vote, by person. */
export const VOTERS: Readonly<Record<string, string>> = {
  vera: KEYS[3].secret,
  vito: KEYS[4].secret,
  vic: KEYS[5].secret,
};

const MINUTE = 60_000;
const NOTIFY = { allow: [], channels: { [CHAT]: [GROUP] }, kinds: { [CHAT]: CHAT } };

const HEALED: StoreFaults = { begin: 0, load: 0, commitBefore: 0, commitAfter: 0, other: 0, slow: 0 };
/** A full disk, or no way to the database. */
const CUT_OFF: StoreFaults = { ...HEALED, begin: 1, load: 1, commitBefore: 1, other: 1 };
/** After the cut a server tries again within this time. */
const TRIED_AGAIN_MS = 10_000;

interface Process {
  readonly server: Server;
  readonly stored: Store;
  dead: boolean;
  /** Nothing reaches the store until then, counted in time that really passes. */
  cutUntil: number;
}

export interface World {
  readonly sabotage?: Sabotage | undefined;
  readonly store?: StoreName | undefined;
  /** How many servers share the store; absent: the seed says. A SQLite file has one. */
  readonly servers?: number | undefined;
}

export class Simulation {
  readonly random: Random;
  readonly clock = new ManualClock();
  readonly backing: Backing;
  readonly ledger = new Ledger();
  readonly farEnd: FarEnd;
  readonly proxied: ProxiedAgent;
  readonly chat: ChatApp;
  readonly log: LogEntry[] = [];
  readonly servers: number;
  readonly isInMemory: boolean;
  readonly #signer = newSigner();
  readonly #faults: StoreFaults;
  readonly #sabotage: Sabotage | undefined;
  /** Each renewal is a commit, and days pass in a simulation: on a real disk there must be fewer of them. */
  readonly chatLeaseMs: number;
  /** In a good world a commit takes turns but no time; in a bad one the clock goes on meanwhile, and what was due is late. */
  #slow: Promise<void> = Promise.resolve();
  /** One place for each server. */
  readonly #processes: (Process | undefined)[];
  #healed = false;
  crashes = 0;
  /** Nothing fails in this world but processes; what is late here is late for no reason. */
  readonly isCalm: boolean;
  /** The clock was set: moments that it shows are no longer those of the log. */
  hasJumped = false;
  readonly outages = new Outages();

  constructor(seed: number, { sabotage, store = "memory", servers }: World = {}) {
    this.random = randomOf(seed);
    const drawn = this.random.pick([1, 1, 2, 3]);
    this.servers = store === "sqlite" ? 1 : (servers ?? drawn);
    this.isInMemory = store === "memory";
    this.#processes = Array.from({ length: this.servers }, () => undefined);
    this.backing = backingOf(store, this.servers);
    this.chatLeaseMs = store === "memory" ? 60 * MINUTE : 240 * MINUTE;
    this.clock.waitFor(() => this.backing.idle());
    this.clock.waitFor(() => this.#allCommitted());
    this.#sabotage = sabotage;
    const { random } = this;
    // Some seeds live in a bad world, some in a nearly good one: bugs hide in both.
    const badness = random.pick([0, 0.01, 0.05, 0.15]);
    this.isCalm = badness === 0;
    this.#faults = {
      begin: badness * random.next(),
      load: badness * random.next(),
      commitBefore: badness * random.next(),
      commitAfter: badness * random.next(),
      other: badness * random.next(),
      // A slow disk is no fault: commits of a good world take their time too, and other requests come in between.
      slow: random.pick([0, 0.1, 0.5]),
    };
    this.farEnd = new FarEnd(
      random,
      () => (this.#healed ? 0 : badness * 4),
      () => this.#healed,
    );
    this.chat = new ChatApp(random, this.clock, () => (this.#healed ? 0 : badness * 2));
    // Other people's agents fail in a good world too.
    const unreliable = random.pick([0, 0.1, 0.4]);
    this.proxied = new ProxiedAgent(random, () => (this.#healed ? 0 : unreliable));
  }

  /** The rows as they are, without the faults of the store and without the server. */
  get stored(): Store {
    const [one] = this.#up;
    if (one === undefined) throw new Error("Invariant: no server of this simulation is running");
    return one.stored;
  }

  /** A slow commit may be followed by the next one in the queue. */
  async #allCommitted(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (this.isCalm && seen !== this.#slow) {
      seen = this.#slow;
      await seen;
      await nextTurn();
    }
  }

  get #up(): readonly Process[] {
    return this.#processes.filter((one) => one !== undefined && !one.dead) as Process[];
  }

  /** Whether anybody answers. */
  get isUp(): boolean {
    return this.#up.length > 0;
  }

  get isWhole(): boolean {
    return this.#up.length === this.servers;
  }

  /** From now on nothing fails any more. */
  async heal(): Promise<void> {
    this.#healed = true;
    await this.boot();
  }

  /** A supervisor starts every server that is down. */
  async boot(): Promise<void> {
    for (const [place, one] of this.#processes.entries())
      if (one === undefined || one.dead) await this.#boot(place);
  }

  /** The end of the story: what is checked is checked without the servers. */
  async shutDown(): Promise<void> {
    for (const one of this.#processes) {
      if (one === undefined) continue;
      one.dead = true;
      await one.stored.close();
    }
  }

  async #boot(place: number): Promise<void> {
    await this.#processes[place]?.stored.close();
    const state = { dead: false, cutUntil: 0 };
    const clock: Clock = {
      now: () => this.clock.now(),
      elapsed: () => this.clock.elapsed(),
      at: (dueAt, wake) => this.clock.at(dueAt, () => (state.dead ? undefined : wake())),
    };
    const stored = await this.backing.open(clock);
    const server = createServer({
      store: this.#store(stored, state),
      clock,
      signer: this.#signer,
      outgoing: sentBy(this.#sabotage, this.farEnd.outgoing(clock)),
      publicUrl: "http://localhost:4100",
      agUi: { proxies: { payer: this.proxied.settings } },
      keys: KEYS,
      chats: { [CHAT]: this.#bot(() => state.dead) },
      chatLeaseMs: this.chatLeaseMs,
      platform: { agentLinks: "always", notify: NOTIFY },
      ids: idsFrom((count) => this.random.bytes(count)),
      random: () => this.random.next(),
      log: (entry) => this.log.push(entry),
    });
    this.#processes[place] = Object.assign(state, { server, stored });
    try {
      await server.start();
      this.outages.started(this.clock.now());
    } catch {
      // A server that cannot start is a server that is down; the supervisor tries again.
      state.dead = true;
      this.#isDown();
    }
  }

  #bot(isDead: () => boolean): ChatBot {
    const platform = this.chat.platform(isDead);
    return { name: CHAT, platform, isFull: true, isAlways: false, isByEmail: false };
  }

  /** `kill -9` of one server. */
  crash(): void {
    const one = this.#someone();
    if (one === undefined) return;
    one.dead = true;
    this.crashes += 1;
    this.#isDown();
  }

  #isDown(): void {
    this.outages.died(this.clock.now(), this.isUp ? LOOK_MS : Number.POSITIVE_INFINITY);
  }

  get isCut(): boolean {
    return this.#up.some(({ cutUntil }) => this.clock.elapsed() < cutUntil);
  }

  /** Nothing reaches the store for this long: from one server, or from any. */
  cutOff(ms: number, isForAll: boolean): void {
    const one = this.#someone();
    for (const process of isForAll || one === undefined ? this.#up : [one])
      process.cutUntil = this.clock.elapsed() + ms;
    this.outages.cut(this.clock.now(), ms + TRIED_AGAIN_MS);
  }

  #someone(): Process | undefined {
    const up = this.#up;
    return up.length < 2 ? up[0] : this.random.pick(up);
  }

  #faultsNow({ cutUntil }: { readonly cutUntil: number }): StoreFaults {
    if (this.#healed) return HEALED;
    return this.clock.elapsed() < cutUntil ? CUT_OFF : this.#faults;
  }

  #store(store: Store, state: { dead: boolean; readonly cutUntil: number }): Store {
    const options = {
      ...{ store, random: this.random },
      faults: () => this.#faultsNow(state),
      isDead: () => state.dead,
      onSlow: (done: Promise<void>) => {
        if (this.isCalm) this.#slow = this.#slow.then(() => done);
      },
      die: () => {
        if (!state.dead) this.crashes += 1;
        state.dead = true;
      },
    };
    return layered(options, this.#sabotage);
  }

  /** One request. `null`: the connection was lost, and with it the knowledge of what happened. */
  async call(
    method: string,
    path: string,
    key: string | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply | null> {
    const process = this.#someone();
    if (process === undefined) return null;
    this.ledger.asked(KEYS.find(({ secret }) => secret === key)?.name, path, body);
    const sent = understood(this.#sabotage, body);
    const response = await process.server.app.request(path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined
          ? {}
          : {
              "content-type":
                typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json",
            }),
        "user-agent": "Mozilla/5.0 (simulated person)",
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof sent === "string" ? sent : JSON.stringify(sent) }),
    });
    const text = await response.text();
    if (process.dead) return null;
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    const reply = { status: response.status, body: isJson ? JSON.parse(text) : text };
    if (reply.status >= 500 && this.#healed)
      this.ledger.surprises.push(`${method} ${path}: ${reply.status} ${text}`);
    return reply;
  }
}
