/**
 * A whole server in one process and on one seed: real engine, timers, sender, identity and faces over a store, a clock, a far
 * end and people that are simulated. Processes die between any two steps; only what the store holds survives them.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChatBot } from "../src/channels/chat/bot.ts";
import { createServer, type LogEntry, type Server } from "../src/server.ts";
import type { Store } from "../src/store/port.ts";
import type { Clock } from "../src/system/clock.ts";
import { idsFrom } from "../src/system/ids.ts";
import { newSigner } from "../src/system/signing.ts";
import { ManualClock } from "../src/testing/manual-clock.ts";
import { type Backing, backingOf, type StoreName } from "./backing.ts";
import { CHAT, ChatApp, GROUP } from "./chat-app.ts";
import { FarEnd } from "./far-end.ts";
import { faultyStore, type StoreFaults } from "./faulty-store.ts";
import { Ledger } from "./ledger.ts";
import { ProxiedAgent } from "./proxied.ts";
import { type Random, randomOf } from "./random.ts";
import { type Sabotage, sabotaged } from "./sabotage.ts";

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
  dead: boolean;
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
  readonly #signer = newSigner();
  readonly #faults: StoreFaults;
  readonly #sabotage: Sabotage | undefined;
  /** Each renewal is a commit, and days pass in a simulation: on a real disk there must be fewer of them. */
  readonly #chatLeaseMs: number;
  #stored: Store | undefined;
  /** In a good world a commit takes turns but no time; in a bad one the clock goes on meanwhile, and what was due is late. */
  #slow: Promise<void> = Promise.resolve();
  #process: Process | undefined;
  #healed = false;
  /** Counted in time that really passes. */
  #cutUntil = 0;
  crashes = 0;
  /** Nothing fails in this world but processes; what is late here is late for no reason. */
  readonly isCalm: boolean;
  /** The clock was set: moments that it shows are no longer those of the log. */
  hasJumped = false;
  /** When no server was running, in simulated time. */
  readonly outages: { readonly from: number; to: number }[] = [];
  /** When no server could read or write. */
  readonly cuts: { readonly from: number; readonly to: number }[] = [];

  constructor(seed: number, sabotage?: Sabotage, store: StoreName = "memory") {
    this.random = randomOf(seed);
    this.backing = backingOf(store);
    this.#chatLeaseMs = store === "memory" ? 60 * MINUTE : 240 * MINUTE;
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
    this.farEnd = new FarEnd(random, () => (this.#healed ? 0 : badness * 4));
    this.chat = new ChatApp(random, this.clock, () => (this.#healed ? 0 : badness * 2));
    // Other people's agents fail in a good world too.
    const unreliable = random.pick([0, 0.1, 0.4]);
    this.proxied = new ProxiedAgent(random, () => (this.#healed ? 0 : unreliable));
  }

  /** The rows as they are, without the faults of the store and without the server. */
  get stored(): Store {
    if (this.#stored === undefined) throw new Error("Invariant: no process of this simulation was started");
    return this.#stored;
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

  get isUp(): boolean {
    return this.#process !== undefined && !this.#process.dead;
  }

  /** From now on nothing fails any more. */
  async heal(): Promise<void> {
    this.#healed = true;
    if (!this.isUp) await this.boot();
  }

  async boot(): Promise<void> {
    const process: { dead: boolean; server?: Server } = { dead: false };
    const clock: Clock = {
      now: () => this.clock.now(),
      elapsed: () => this.clock.elapsed(),
      at: (dueAt, wake) => this.clock.at(dueAt, () => (process.dead ? undefined : wake())),
    };
    const stored = await this.backing.open(clock);
    this.#stored = stored;
    const server = createServer({
      store: this.#store(stored, process),
      clock,
      signer: this.#signer,
      outgoing: this.farEnd.outgoing(clock),
      publicUrl: "http://localhost:4100",
      agUi: { proxies: { payer: this.proxied.settings } },
      keys: KEYS,
      chats: { [CHAT]: this.#bot(() => process.dead) },
      chatLeaseMs: this.#chatLeaseMs,
      platform: { agentLinks: "always", notify: NOTIFY },
      ids: idsFrom((count) => this.random.bytes(count)),
      random: () => this.random.next(),
      log: (entry) => this.log.push(entry),
    });
    this.#process = {
      server,
      get dead() {
        return process.dead;
      },
      set dead(value) {
        process.dead = value;
      },
    };
    try {
      await server.start();
      const outage = this.outages.at(-1);
      if (outage !== undefined) outage.to = Math.min(outage.to, this.clock.now());
    } catch {
      // A server that cannot start is a server that is down; the supervisor tries again.
      process.dead = true;
      this.#isDown();
    }
  }

  #bot(isDead: () => boolean): ChatBot {
    const platform = this.chat.platform(isDead);
    return { name: CHAT, platform, isFull: true, isAlways: false, isByEmail: false };
  }

  /** `kill -9`. */
  crash(): void {
    if (!this.isUp || this.#process === undefined) return;
    this.#process.dead = true;
    this.crashes += 1;
    this.#isDown();
  }

  #isDown(): void {
    if (this.outages.at(-1)?.to !== Number.POSITIVE_INFINITY)
      this.outages.push({ from: this.clock.now(), to: Number.POSITIVE_INFINITY });
  }

  /** Nothing reaches the store for this long. */
  cutOff(ms: number): void {
    this.#cutUntil = this.clock.elapsed() + ms;
    const from = this.clock.now();
    this.cuts.push({ from, to: from + ms + TRIED_AGAIN_MS });
  }

  #faultsNow(): StoreFaults {
    if (this.#healed) return HEALED;
    return this.clock.elapsed() < this.#cutUntil ? CUT_OFF : this.#faults;
  }

  #store(stored: Store, process: { dead: boolean }): Store {
    const { random } = this;
    const lying: Store = new Proxy(stored, {
      get: (target, name: keyof Store & string) => {
        const member = target[name] as unknown;
        if (typeof member !== "function") return member;
        if (name !== "begin") return member.bind(target);
        return async () => {
          const batch = await target.begin();
          const commit = batch.commit.bind(batch);
          batch.commit = async (changes) => {
            const written = sabotaged(this.#sabotage, changes, random);
            if (written !== null) return commit(written);
            await batch.release();
            const last = await target.lastPosition();
            return { positions: changes.events.map(() => last) };
          };
          return batch;
        };
      },
    });
    return faultyStore({
      store: lying,
      random,
      faults: () => this.#faultsNow(),
      isDead: () => process.dead,
      onSlow: (done) => {
        if (this.isCalm) this.#slow = this.#slow.then(() => done);
      },
      die: () => {
        if (!process.dead) this.crashes += 1;
        process.dead = true;
      },
    });
  }

  /** One request. `null`: the connection was lost, and with it the knowledge of what happened. */
  async call(
    method: string,
    path: string,
    key: string | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply | null> {
    const process = this.#process;
    if (process === undefined || process.dead) return null;
    this.ledger.asked(KEYS.find(({ secret }) => secret === key)?.name, path, body);
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
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
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
