/**
 * One WebSocket to a platform. undici's is a standard one; this adds what a long-lived connection needs.
 *
 * S1  `onClose` is called exactly once, also if the connection never opened.
 * S2  `cut` ends the connection at once, even if the other side no longer answers; `close` waits for its closing frame at most
 *     `CLOSE_MS`.
 * S3  `onAlive` is called for every frame, pings and pongs included, so that a silent connection can be told from a quiet one.
 */

import { channel } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { Agent, buildConnector, ping, WebSocket } from "undici";
import type { Clock } from "../../system/clock.ts";

export interface SocketEvents {
  /** A message that is a JSON object. Platforms send nothing else. */
  onObject(message: JsonObject): void;
  onAlive(): void;
  onClose(code: number): void;
}

export interface ChatSocket {
  /** False if the connection is not open: then nothing was sent. */
  send(text: string): boolean;
  ping(): void;
  close(code?: number): void;
  cut(): void;
}

const CLOSE_MS = 5_000;
/** The code for a connection that ended without a closing frame. */
const ABNORMAL = 1006;

const PINGS = channel("undici:websocket:ping");
const PONGS = channel("undici:websocket:pong");

export function openSocket(url: string, clock: Clock, events: SocketEvents): ChatSocket {
  let tcp: Socket | undefined;
  let isOver = false;
  const connect = buildConnector({ allowH2: false });
  // undici hides the connection of a WebSocket; only the connector sees it, and only with it can a dead one be ended.
  const agent = new Agent({
    connect: (options, callback) =>
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        tcp = socket;
        callback(null, socket);
      }),
  });
  const socket = new WebSocket(url, { dispatcher: agent });
  const onFrame = (message: unknown) => {
    if ((message as { readonly websocket?: unknown }).websocket === socket) events.onAlive();
  };
  PINGS.subscribe(onFrame);
  PONGS.subscribe(onFrame);
  let cancelClosing = () => {};

  function over(code: number): void {
    if (isOver) return;
    isOver = true;
    cancelClosing();
    PINGS.unsubscribe(onFrame);
    PONGS.unsubscribe(onFrame);
    tcp?.destroy();
    void agent.destroy();
    events.onClose(code);
  }

  socket.addEventListener("message", ({ data }) => {
    if (isOver) return;
    events.onAlive();
    const message = typeof data === "string" ? parsed(data) : undefined;
    if (message !== undefined) events.onObject(message);
  });
  // An error is always followed by a close, except where undici fails before it connects.
  socket.addEventListener("error", () => over(ABNORMAL));
  socket.addEventListener("close", ({ code }) => over(code));

  return {
    send(text) {
      if (isOver || socket.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    ping() {
      if (!isOver && socket.readyState === WebSocket.OPEN) ping(socket);
    },
    close(code = 1000) {
      if (isOver) return;
      socket.close(code);
      cancelClosing = clock.at(clock.now() + CLOSE_MS, () => over(ABNORMAL));
    },
    cut: () => over(ABNORMAL),
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
