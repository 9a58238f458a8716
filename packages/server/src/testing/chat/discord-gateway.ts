/**
 * Discord's Gateway: HELLO, IDENTIFY or RESUME, READY, heartbeats, events with sequence numbers that are kept for a session
 * whose connection is lost, RECONNECT and INVALID SESSION. Every identified session gets every event.
 */

import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import type { Json } from "./discord-checks.ts";

interface Payload {
  readonly op: number;
  readonly d: unknown;
}

interface Session {
  readonly id: string;
  readonly intents: number;
  sequence: number;
  /** What was dispatched, by sequence; replayed by RESUME. */
  readonly events: { readonly s: number; readonly t: string; readonly d: unknown }[];
  socket: WebSocket | undefined;
}

export interface GatewayOptions {
  readonly token: () => string;
  readonly user: Json;
  readonly url: () => string;
  readonly changed: () => void;
}

const DIRECT_MESSAGES = 1 << 12;
const ALL_INTENTS = (1 << 27) - 1;

export class DiscordGateway {
  heartbeatMs = 41_250;
  /** How many IDENTIFYs and RESUMEs came in, in order. */
  readonly logins: ("identify" | "resume")[] = [];
  heartbeats = 0;
  /** A server that no longer acknowledges heartbeats: its clients must notice. */
  isDeaf = false;
  sessionsLeft = 1000;
  /** Closes with this code instead of letting a bot in. */
  refuses: number | undefined;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #sessions = new Map<string, Session>();
  readonly #sockets = new Set<WebSocket>();
  readonly #options: GatewayOptions;

  constructor(http: Server, options: GatewayOptions) {
    this.#options = options;
    http.on("upgrade", (request, socket, head) => {
      this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket));
    });
  }

  /** How many sessions are connected. */
  get count(): number {
    return [...this.#sessions.values()].filter(({ socket }) => socket !== undefined).length;
  }

  dispatch(t: string, d: unknown): void {
    for (const session of this.#sessions.values()) {
      if (t === "MESSAGE_CREATE" && (session.intents & DIRECT_MESSAGES) === 0) continue;
      this.#dispatchTo(session, t, d);
    }
    this.#options.changed();
  }

  /** Discord asks its clients to connect again. */
  askToReconnect(): void {
    for (const { socket } of this.#sessions.values())
      socket?.send(JSON.stringify({ op: 7, d: null, s: null, t: null }));
  }

  /** Discord says that the session is no longer valid. */
  invalidate(isResumable: boolean): void {
    for (const session of this.#sessions.values()) {
      session.socket?.send(JSON.stringify({ op: 9, d: isResumable, s: null, t: null }));
      if (!isResumable) this.#sessions.delete(session.id);
    }
  }

  /** Sessions are forgotten, so that a RESUME is refused. */
  forgetSessions(): void {
    this.#sessions.clear();
  }

  close(code: number, reason = ""): void {
    for (const socket of this.#sockets) socket.close(code, reason);
  }

  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  #accept(socket: WebSocket): void {
    this.#sockets.add(socket);
    let session: Session | undefined;
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#sockets.delete(socket);
      if (session?.socket === socket) session.socket = undefined;
      this.#options.changed();
    });
    socket.on("message", (data) => {
      const payload = JSON.parse(String(data)) as Payload;
      if (payload.op === 1) this.#heartbeat(socket);
      else if (payload.op === 2) session = this.#identify(socket, payload.d as Json, session);
      else if (payload.op === 6) session = this.#resume(socket, payload.d as Json);
      else if (session === undefined) socket.close(4003, "Not authenticated.");
      this.#options.changed();
    });
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: this.heartbeatMs }, s: null, t: null }));
  }

  #heartbeat(socket: WebSocket): void {
    this.heartbeats += 1;
    if (!this.isDeaf) socket.send(JSON.stringify({ op: 11, d: null, s: null, t: null }));
  }

  #identify(socket: WebSocket, d: Json, known: Session | undefined): Session | undefined {
    this.logins.push("identify");
    this.sessionsLeft -= 1;
    const intents = Number(d["intents"]);
    if (this.refuses !== undefined) return closed(socket, this.refuses, "Refused.");
    if (known !== undefined) return closed(socket, 4005, "Already authenticated.");
    if (d["token"] !== this.#options.token()) return closed(socket, 4004, "Authentication failed.");
    if (!Number.isInteger(intents) || intents < 0 || intents > ALL_INTENTS) {
      return closed(socket, 4013, "Invalid intent(s).");
    }
    const properties = d["properties"] as Json | undefined;
    if (properties?.["os"] === undefined) return closed(socket, 4002, "Error while decoding payload.");
    const session: Session = { id: randomUUID(), intents, sequence: 0, events: [], socket };
    this.#sessions.set(session.id, session);
    this.#dispatchTo(session, "READY", {
      v: 10,
      user: this.#options.user,
      guilds: [],
      session_id: session.id,
      resume_gateway_url: this.#options.url(),
      application: { id: this.#options.user["id"], flags: 0 },
      ...(d["shard"] === undefined ? {} : { shard: d["shard"] }),
    });
    return session;
  }

  #resume(socket: WebSocket, d: Json): Session | undefined {
    this.logins.push("resume");
    if (d["token"] !== this.#options.token()) return closed(socket, 4004, "Authentication failed.");
    const session = this.#sessions.get(String(d["session_id"]));
    if (session === undefined) {
      socket.send(JSON.stringify({ op: 9, d: false, s: null, t: null }));
      return undefined;
    }
    if (Number(d["seq"]) > session.sequence) return closed(socket, 4007, "Invalid seq.");
    session.socket = socket;
    for (const event of session.events.filter(({ s }) => s > Number(d["seq"]))) {
      socket.send(JSON.stringify({ op: 0, ...event }));
    }
    this.#dispatchTo(session, "RESUMED", {});
    return session;
  }

  #dispatchTo(session: Session, t: string, d: unknown): void {
    session.sequence += 1;
    const event = { s: session.sequence, t, d };
    session.events.push(event);
    session.socket?.send(JSON.stringify({ op: 0, ...event }));
  }
}

function closed(socket: WebSocket, code: number, reason: string): undefined {
  socket.close(code, reason);
  return undefined;
}
