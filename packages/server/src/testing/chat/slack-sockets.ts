/**
 * Slack's side of Socket Mode: one-time addresses, `hello`, envelopes that one of the open sockets gets, acknowledgements,
 * and the `disconnect` message before a socket is closed.
 */

import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { WebSocket, WebSocketServer } from "ws";

export const MOST_SOCKETS = 10;
/** Slack shows the person an error if an interaction is not acknowledged by then. */
const ACK_LIMIT_MS = 3000;

export interface Envelope {
  readonly envelope_id: string;
  readonly type: "interactive" | "events_api" | "slash_commands";
  readonly payload: Readonly<Record<string, unknown>>;
  readonly accepts_response_payload: boolean;
  readonly retry_attempt?: number;
  readonly retry_reason?: string;
}

/** What became of one envelope. */
export interface Delivery {
  readonly envelope: Envelope;
  /** The number of the socket it was written to; absent if none was open. */
  readonly socket?: number;
  readonly sentAt: number;
  ack?: { readonly payload?: Readonly<Record<string, unknown>>; readonly isLate: boolean };
  /** The socket was closed before the acknowledgement came. */
  isLost: boolean;
}

interface OpenSocket {
  readonly id: number;
  readonly socket: WebSocket;
}

export class SlackSockets {
  readonly deliveries: Delivery[] = [];
  readonly #tickets = new Set<string>();
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #now: () => number;
  readonly #changed: () => void;
  readonly #appId: string;
  #open: OpenSocket[] = [];
  #nextId = 1;
  #turn = 0;

  constructor(http: Server, options: { appId: string; now: () => number; changed: () => void }) {
    this.#now = options.now;
    this.#changed = options.changed;
    this.#appId = options.appId;
    http.on("upgrade", (request, socket, head) => {
      const ticket = new URL(request.url ?? "", "http://fake").searchParams.get("ticket") ?? "";
      if (!this.#tickets.delete(ticket)) {
        socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket));
    });
  }

  get count(): number {
    return this.#open.length;
  }

  get isFull(): boolean {
    return this.#open.length >= MOST_SOCKETS;
  }

  ticket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Gives an envelope to one of the open sockets, in turn. */
  send(envelope: Omit<Envelope, "envelope_id">): Delivery {
    const whole: Envelope = { envelope_id: randomUUID(), ...envelope };
    const target = this.#open[this.#turn % Math.max(1, this.#open.length)];
    this.#turn += 1;
    const delivery: Delivery = {
      envelope: whole,
      ...(target === undefined ? {} : { socket: target.id }),
      sentAt: this.#now(),
      isLost: target === undefined,
    };
    this.deliveries.push(delivery);
    target?.socket.send(JSON.stringify(whole));
    this.#changed();
    return delivery;
  }

  /** The message that Slack sends about ten seconds before it closes a socket, and again when it closes it. */
  announce(reason: "warning" | "refresh_requested" | "link_disabled", id?: number): void {
    for (const { socket } of this.#chosen(id)) {
      socket.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "applink-fake" } }));
    }
  }

  /** Slack closes a socket properly. */
  close(id?: number): void {
    for (const { socket } of this.#chosen(id)) socket.close(1000, "Session closed");
  }

  /** The connection breaks without a closing frame. */
  cut(id?: number): void {
    for (const { socket } of this.#chosen(id)) socket.terminate();
  }

  /** The connection stays open, but Slack no longer reads or answers on it. */
  freeze(id: number): void {
    for (const { socket } of this.#chosen(id)) socket.pause();
  }

  #chosen(id: number | undefined): readonly OpenSocket[] {
    return this.#open.filter((each) => id === undefined || each.id === id);
  }

  #accept(socket: WebSocket): void {
    const opened: OpenSocket = { id: this.#nextId, socket };
    this.#nextId += 1;
    this.#open = [...this.#open, opened];
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#open = this.#open.filter((each) => each !== opened);
      for (const delivery of this.deliveries) {
        if (delivery.socket === opened.id && delivery.ack === undefined) delivery.isLost = true;
      }
      this.#changed();
    });
    socket.on("message", (data) => this.#acknowledge(opened, String(data)));
    socket.send(
      JSON.stringify({
        type: "hello",
        connection_info: { app_id: this.#appId },
        num_connections: this.#open.length,
        debug_info: { host: "applink-fake", build_number: 1, approximate_connection_time: 18_060 },
      }),
    );
    this.#changed();
  }

  #acknowledge({ id, socket }: OpenSocket, text: string): void {
    const message = JSON.parse(text) as { envelope_id?: string; payload?: Record<string, unknown> };
    const delivery = this.deliveries.find(({ envelope }) => envelope.envelope_id === message.envelope_id);
    // Another socket's envelope, or none at all: Slack drops what it cannot place.
    if (delivery === undefined || delivery.socket !== id || delivery.ack !== undefined) return;
    if (socket.readyState !== WebSocket.OPEN) return;
    delivery.ack = {
      ...(message.payload === undefined ? {} : { payload: message.payload }),
      isLate: this.#now() - delivery.sentAt > ACK_LIMIT_MS,
    };
    this.#changed();
  }
}
