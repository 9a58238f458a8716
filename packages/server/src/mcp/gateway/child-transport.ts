/** The MCP server as a child process. On Windows the SDK's transport starts it, because it finds `.cmd` files. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Clock } from "../../system/clock.ts";
import { LineTransport } from "./line-transport.ts";
import type { Message } from "./messages.ts";

export interface Program {
  readonly clock: Clock;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

export function childTransport(program: Program): Transport {
  const { command, args, env } = program;
  if (process.platform === "win32") return new StdioClientTransport({ command, args: [...args], env });
  return new ChildTransport(program);
}

/** How long a server may take to end by itself, and then after being asked to. */
const PATIENCE_MS = 2_000;

class ChildTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #program: Program;
  #child: ChildProcess | undefined;
  #lines: LineTransport | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  async start(): Promise<void> {
    const { command, args, env } = this.#program;
    const child = spawn(command, [...args], { env, stdio: ["pipe", "pipe", "inherit"] });
    const lines = new LineTransport({ input: child.stdout, output: child.stdin, keepsText: true });
    lines.onmessage = (message: Message) => this.onmessage?.(message);
    lines.onerror = (error) => this.onerror?.(error);
    child.once("close", () => {
      this.#child = undefined;
      this.onclose?.();
    });
    await once(child, "spawn");
    child.on("error", (error) => this.onerror?.(error));
    this.#child = child;
    this.#lines = lines;
    await lines.start();
  }

  async send(message: Message): Promise<void> {
    if (this.#lines === undefined || this.#child === undefined) throw new Error("the server is not running");
    await this.#lines.send(message);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = once(child, "close");
    await this.#lines?.close();
    child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await this.#isOver(ended)) return;
      child.kill(signal);
    }
    await ended;
  }

  async #isOver(ended: Promise<unknown>): Promise<boolean> {
    const { clock } = this.#program;
    const late = Promise.withResolvers<boolean>();
    const cancel = clock.at(clock.now() + PATIENCE_MS, () => late.resolve(false));
    const isOver = await Promise.race([ended.then(() => true), late.promise]);
    cancel();
    return isOver;
  }
}
