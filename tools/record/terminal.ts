/** A server of its own and a terminal in its folder. What is run here is written down with what it really printed. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/server/src/cli/main.ts", import.meta.url));
const OWN = [process.execPath, "--conditions=@holdpoint/source", MAIN] as const;

export class Terminal implements AsyncDisposable {
  readonly folder: string;
  readonly #server: ChildProcessWithoutNullStreams;
  #written = "";

  private constructor(folder: string, server: ChildProcessWithoutNullStreams) {
    this.folder = folder;
    this.#server = server;
  }

  static async open(): Promise<Terminal> {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-record-"));
    mkdirSync(join(folder, ".git"));
    const server = spawn(OWN[0], [...OWN.slice(1), "start"], { cwd: folder, env: envIn(folder) });
    const terminal = new Terminal(folder, server);
    const isUp = Promise.withResolvers<void>();
    server.stdout.on("data", (chunk) => {
      if (String(chunk).includes("is holding")) isUp.resolve();
    });
    server.once("exit", () => isUp.reject(new Error("the server ended before it was up")));
    await isUp.promise;
    return terminal;
  }

  /** Runs the command, with this input if there is any; what it shows as typed may be shorter than what runs. */
  async run(
    args: readonly string[],
    more: { readonly typed?: string; readonly input?: string } = {},
  ): Promise<string> {
    const child = this.begin(args, more);
    return this.end(child);
  }

  /** Starts a command that waits for somebody. */
  begin(
    args: readonly string[],
    { typed, input }: { readonly typed?: string; readonly input?: string } = {},
  ) {
    this.#written += `$ ${typed ?? `npx holdpoint ${args.join(" ")}`}\n`;
    const child = this.start(args);
    child.stdin.end(input ?? "");
    return child;
  }

  start(args: readonly string[]): ChildProcessWithoutNullStreams {
    return spawn(OWN[0], [...OWN.slice(1), ...args], { cwd: this.folder, env: envIn(this.folder) });
  }

  async end(child: ChildProcessWithoutNullStreams): Promise<string> {
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    this.#written += `${out}${err}`;
    return out;
  }

  /** The open hold, as soon as there is one. */
  async openHold(): Promise<string> {
    for (;;) {
      const child = this.start(["inbox", "--json"]);
      child.stdin.end();
      const { holds } = JSON.parse(await text(child.stdout));
      if (holds.length > 0) return holds[0].id;
    }
  }

  note(words: string): void {
    this.#written += `# ${words}\n`;
  }

  say(words: string): void {
    this.#written += words;
  }

  /** What was written since the last time; ids, folders and times as they would look anywhere. */
  taken(): string {
    const said = this.#written;
    this.#written = "";
    return said
      .replaceAll(this.folder, "/home/me/shop")
      .replaceAll(OWN.join(" "), "npx holdpoint")
      .replaceAll(/hold_[0-9a-z]{26}/g, "hold_01k9…");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#server, "exit");
    this.#server.kill("SIGTERM");
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function envIn(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: folder, HOLDPOINT_PORT: "0", NO_COLOR: "1" };
}
