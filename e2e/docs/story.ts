/** A reader at a clone: terminals, a server, and what they copy out of a page. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Block, ROOT } from "./pages.ts";
import { WillingPerson } from "./willing-person.ts";

interface Terminal {
  readonly child: ChildProcess;
  said(): string;
}

const TOO_LONG_MS = 120_000;

export class Story implements AsyncDisposable {
  readonly #folder: string;
  readonly #ports: { readonly holdpoint: number; readonly other: number };
  readonly #database: string;
  readonly #terminals: Terminal[] = [];
  #person: WillingPerson | undefined;
  /** The id of the hold that was shown last. */
  #holdId = "";

  private constructor(folder: string, ports: { holdpoint: number; other: number }, database: string) {
    this.#folder = folder;
    this.#ports = ports;
    this.#database = database;
  }

  /** `database`: what a page calls its PostgreSQL. */
  static async begin(database: string): Promise<Story> {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-reader-"));
    for (const name of readdirSync(ROOT)) {
      if (name !== ".holdpoint" && name !== ".git" && !name.endsWith(".yaml"))
        symlinkSync(join(ROOT, name), join(folder, name));
    }
    return new Story(folder, { holdpoint: await freePort(), other: await freePort() }, database);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), this.#here(text));
  }

  /** A line that goes on; resolves when it has said what it should. */
  async open(line: string, says: RegExp): Promise<void> {
    const terminal = this.#type(line);
    const { child } = terminal;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (says.test(terminal.said())) resolve();
      };
      const late = setTimeout(() => reject(new Error(`not said: ${says}\n${terminal.said()}`)), TOO_LONG_MS);
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", look);
      child.once("close", () => {
        clearTimeout(late);
        look();
        reject(new Error(`it ended without ${says}:\n${terminal.said()}`));
      });
    });
    if (line.includes("npm start")) this.#meetPerson();
  }

  /** A script that ends; what it said. */
  async run({ code }: Block): Promise<string> {
    const terminal = this.#type(code);
    const [status] = (await once(terminal.child, "close")) as [number | null];
    if (status !== 0) throw new Error(`it ended with ${status}:\n${terminal.said()}`);
    this.#holdId = /hold_\w+/.exec(terminal.said())?.[0] ?? this.#holdId;
    return terminal.said();
  }

  /** Every terminal is closed; what is on disk stays. */
  async closeAll(): Promise<void> {
    await this.#person?.[Symbol.asyncDispose]();
    this.#person = undefined;
    for (const { child } of this.#terminals.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, "close");
      // npm and what it runs are one group.
      process.kill(-(child.pid ?? 0), "SIGTERM");
      await gone;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAll();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #type(text: string): Terminal {
    const child = spawn("bash", ["-c", this.#here(text)], {
      cwd: this.#folder,
      env: this.#env(),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let heard = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
      });
    }
    const terminal = { child, said: () => heard };
    this.#terminals.push(terminal);
    return terminal;
  }

  /** Addresses that a page makes up, as they are here. */
  #here(text: string): string {
    const { holdpoint, other } = this.#ports;
    return text
      .replaceAll(/\b4100\b/g, String(holdpoint))
      .replaceAll(/\b(?:420[0-9]|8123)\b/g, String(other))
      .replaceAll(/postgres:\/\/\S+@db\.example\.com\/holdpoint/g, this.#database)
      .replaceAll("hold_…", this.#holdId);
  }

  #env(): NodeJS.ProcessEnv {
    const { holdpoint, other } = this.#ports;
    const { HOLDPOINT_HOME: _home, ...outside } = process.env;
    // A reader has the Node of their system, not the one that runs this test.
    const path = (process.env["PATH"] ?? "")
      .split(delimiter)
      .filter((entry) => !entry.includes("node_modules"));
    const key = this.#key();
    return {
      ...outside,
      PATH: path.join(delimiter),
      PORT: String(other),
      SERVICE_URL: `http://localhost:${other}`,
      HOLDPOINT_PORT: String(holdpoint),
      HOLDPOINT_URL: `http://localhost:${holdpoint}`,
      ...(key === null ? {} : { HOLDPOINT_API_KEY: key, KEY: key, OPERATOR_KEY: key }),
    };
  }

  #key(): string | null {
    try {
      return JSON.parse(readFileSync(join(this.#folder, ".holdpoint/credentials.json"), "utf8")).api_key;
    } catch {
      return null;
    }
  }

  #meetPerson(): void {
    this.#person ??= new WillingPerson(`http://localhost:${this.#ports.holdpoint}`, this.#key() ?? "");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
