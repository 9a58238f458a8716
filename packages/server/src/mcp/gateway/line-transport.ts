/**
 * MCP over a pair of streams: one JSON-RPC message on each line. The gateway reads each message once and writes many at a time, which the
 * SDK's transports do not.
 *
 * L1  What came from the MCP server leaves as it was written. What came from the client is written again from what the gateway read: two
 *     readers may understand the same text differently, and the rules must see what the server will see.
 * L2  A line that is no message is reported and left out. A line without end closes the connection.
 */

import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/client";
import type { Message } from "./messages.ts";

const LINE_MAX = 64 * 1_024 * 1_024;
const NEWLINE = 10;

/** Messages with the text they were read from. */
const texts = new WeakMap<object, string>();

export interface LineOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The other side is the MCP server (L1). */
  readonly keepsText: boolean;
}

export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #options: LineOptions;
  #begun: Buffer[] = [];
  #begunLength = 0;
  #lines: string[] = [];
  #isClosed = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.on("data", (chunk: Buffer) => this.#read(chunk));
    input.on("error", (error) => this.onerror?.(error));
    input.once("end", () => void this.close());
    input.once("close", () => void this.close());
    output.on("error", (error) => {
      this.onerror?.(error);
      void this.close();
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#write();
    this.#isClosed = true;
    this.onclose?.();
  }

  async send(message: Message): Promise<void> {
    if (this.#isClosed) throw new Error("the connection is closed");
    if (this.#lines.length === 0) setImmediate(() => this.#write());
    this.#lines.push(texts.get(message) ?? JSON.stringify(message));
  }

  #write(): void {
    if (this.#lines.length === 0 || this.#isClosed) return;
    const text = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.#options.output.write(text);
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const line = chunk.toString("utf8", from, at);
      from = at + 1;
      this.#line(this.#begun.length === 0 ? line : this.#completed(chunk.subarray(0, at)));
    }
    if (from === chunk.length) return;
    this.#begun.push(from === 0 ? chunk : chunk.subarray(from));
    this.#begunLength += chunk.length - from;
    if (this.#begunLength <= LINE_MAX) return;
    this.onerror?.(new Error("a message is longer than 64 MiB"));
    void this.close();
  }

  /** A character may be split between two chunks, so bytes are put together before they become text. */
  #completed(end: Buffer): string {
    const whole = Buffer.concat([...this.#begun, end]).toString("utf8");
    this.#begun = [];
    this.#begunLength = 0;
    return whole;
  }

  #line(text: string): void {
    if (text === "" || text === "\r") return;
    try {
      const message = JSON.parse(text) as Message;
      if (!isMessage(message)) throw new Error("a line is no JSON-RPC message");
      if (this.#options.keepsText) texts.set(message, text);
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null) return false;
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== "2.0") return false;
  const hasId = typeof id === "string" || typeof id === "number";
  if (id !== undefined && id !== null && !hasId) return false;
  if (method === undefined) return isObject(result) !== isObject(error) && (hasId || isObject(error));
  return typeof method === "string" && (params === undefined || isObject(params)) && id !== null;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
