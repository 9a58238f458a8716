/** One connection to Discord's Gateway, from its greeting to its end. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import { type ChatSocket, openSocket } from "../chat/socket.ts";
import { objectAt, textAt } from "./read.ts";

/** What RESUME needs. */
export interface Session {
  readonly id: string;
  readonly url: string;
  readonly sequence: number;
}

interface End {
  /** Absent: there is nothing to resume. */
  readonly session: Session | undefined;
  readonly wasReady: boolean;
  /** Trying again is useless; a fixed code says why. */
  readonly fatal: string | undefined;
}

export interface GatewayConnectionOptions {
  readonly token: string;
  readonly onDispatch: (type: string, data: JsonObject) => void;
  readonly onState: (state: "connected") => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Only direct messages, for linking accounts. Presses need no intent. */
const INTENTS = 1 << 12;
const HELLO_MS = 20_000;
const HEARTBEAT_MS = 41_250;
const QUERY = "?v=10&encoding=json";
/** Any code but 1000 and 1001 keeps the session. */
const KEEP_SESSION = 4200;

const FATAL: Readonly<Record<number, string>> = {
  4004: "bad_token",
  4010: "gateway_refused",
  4011: "gateway_refused",
  4012: "gateway_refused",
  4013: "gateway_refused",
  4014: "gateway_refused",
};
/** After these a session cannot be resumed. */
const SESSION_OVER = new Set([1000, 1001, 4007, 4009]);

export class GatewayConnection {
  readonly #options: GatewayConnectionOptions;
  readonly #signal: AbortSignal;
  readonly #socket: ChatSocket;
  readonly #ended = Promise.withResolvers<End>();
  readonly #url: string;
  readonly #stop = () => this.#socket.close();
  readonly #cancelHello: () => void;
  #cancelBeat = () => {};
  #session: Session | undefined;
  #wasReady = false;
  #isAcked = true;

  constructor(
    url: string,
    session: Session | undefined,
    options: GatewayConnectionOptions,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#signal = signal;
    this.#session = session;
    this.#url = url;
    const { clock } = options;
    this.#socket = openSocket(`${url}${url.endsWith("/") ? "" : "/"}${QUERY}`, clock, {
      onAlive: () => undefined,
      onObject: (payload) => this.#receive(payload),
      onClose: (code) => this.#over(code),
    });
    this.#cancelHello = clock.at(clock.now() + HELLO_MS, () => {
      if (!this.#wasReady) this.#socket.cut();
    });
    if (signal.aborted) this.#stop();
    else signal.addEventListener("abort", this.#stop, { once: true });
  }

  get ended(): Promise<End> {
    return this.#ended.promise;
  }

  readonly #operations: Readonly<Record<number, (payload: JsonObject) => void>> = {
    0: (payload) => this.#dispatch(payload),
    1: () => this.#beat(),
    7: () => this.#socket.close(KEEP_SESSION),
    9: ({ d: isResumable }) => {
      if (isResumable !== true) this.#session = undefined;
      this.#socket.cut();
    },
    10: (payload) => this.#greet(objectAt(payload, "d") ?? {}),
    11: () => {
      this.#isAcked = true;
    },
  };

  #receive(payload: JsonObject): void {
    this.#operations[Number(payload["op"])]?.(payload);
  }

  #greet({ heartbeat_interval: everyMs = HEARTBEAT_MS }: JsonObject): void {
    const { token, random } = this.#options;
    this.#schedule(Math.floor(Number(everyMs) * random()), Number(everyMs));
    if (this.#session === undefined) {
      const properties = { os: process.platform, browser: "holdpoint", device: "holdpoint" };
      this.#send(2, { token, intents: INTENTS, properties });
    } else {
      const { id, sequence } = this.#session;
      this.#send(6, { token, session_id: id, seq: sequence });
    }
  }

  /** D3 */
  #schedule(ms: number, everyMs: number): void {
    const { clock } = this.#options;
    this.#cancelBeat = clock.at(clock.now() + ms, () => {
      if (!this.#isAcked) {
        this.#socket.cut();
        return;
      }
      this.#isAcked = false;
      this.#beat();
      this.#schedule(everyMs, everyMs);
    });
  }

  #dispatch(payload: JsonObject): void {
    const type = textAt(payload, "t") ?? "";
    const data = objectAt(payload, "d") ?? {};
    const sequence = Number(payload["s"]);
    if (type === "READY") {
      const url = textAt(data, "resume_gateway_url") ?? this.#url;
      this.#session = { id: textAt(data, "session_id") ?? "", url, sequence };
    } else if (this.#session !== undefined) {
      this.#session = { ...this.#session, sequence };
    }
    if (type !== "READY" && type !== "RESUMED") {
      this.#options.onDispatch(type, data);
      return;
    }
    this.#wasReady = true;
    this.#options.onState("connected");
  }

  #beat(): void {
    this.#send(1, this.#session?.sequence ?? null);
  }

  #send(op: number, d: unknown): void {
    this.#socket.send(JSON.stringify({ op, d }));
  }

  #over(code: number): void {
    this.#cancelHello();
    this.#cancelBeat();
    this.#signal.removeEventListener("abort", this.#stop);
    if (SESSION_OVER.has(code)) this.#session = undefined;
    this.#ended.resolve({ session: this.#session, wasReady: this.#wasReady, fatal: FATAL[code] });
  }
}
