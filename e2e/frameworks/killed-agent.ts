/** Starts an agent in a process of its own, kills it with SIGKILL where it hangs, and starts it again. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Holdpoint } from "@holdpoint/sdk";
import { expect, vi } from "vitest";
import type { ServerProcess } from "../support/server-process.ts";

const CHILD = fileURLToPath(new URL("agent.child.ts", import.meta.url));

export interface Driver {
  readonly module: string;
  readonly name: string;
  /** Where the agent runs, and the file with `agent.child.ts`; this repository when absent. */
  readonly folder?: string;
}

/** A call of the hold client before which the process is killed. */
export type Moment = "place" | "claim" | "finishClaim";

export const MOMENTS: readonly (readonly [string, Moment, string])[] = [
  ["before it places the hold", "place", "done"],
  ["before it resumes", "claim", "done"],
  ["between claim and report", "finishClaim", "ExecutionUnknown"],
];

/** What the agent paid, and how the process that followed the killed one ended. */
export async function killedAt(server: ServerProcess, driver: Driver, moment: Moment) {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-killed-"));
  const ledger = join(home, "ledger.txt");
  const key = crypto.randomUUID();
  const start = (hangAt?: Moment) => {
    const settings = { url: server.url, apiKey: server.key, key, ledger, hangAt };
    const child = driver.folder === undefined ? CHILD : join(driver.folder, "agent.child.ts");
    const args = [
      "--conditions=@holdpoint/source",
      child,
      driver.module,
      driver.name,
      JSON.stringify(settings),
    ];
    const env = { ...process.env, AGENT_DB: join(home, "agent.db") };
    const cwd = driver.folder ?? process.cwd();
    return new Talking(spawn(process.execPath, args, { env, cwd, stdio: ["ignore", "pipe", "inherit"] }));
  };
  const hp = new Holdpoint({ url: server.url, apiKey: server.key });
  const approve = async () => {
    const { holds } = await hp.list({ threadId: threadOf(driver, key) });
    expect(holds).toHaveLength(1);
    if (holds[0]?.status === "open") await hp.answer(holds[0].id, { action: "approve" });
  };
  try {
    await using first = start(moment);
    if (moment !== "place") await vi.waitFor(approve, { timeout: 60_000, interval: 100 });
    await first.says(`at ${moment}`);
    await first.kill();
    await using second = start();
    if (moment === "place") await vi.waitFor(approve, { timeout: 60_000, interval: 100 });
    const ended = await second.says("ended: ");
    return { paid: readFileSync(ledger, "utf8"), ended };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function threadOf({ name }: Driver, key: string): string {
  return name === "langChain" ? `langgraph:${key}` : key;
}

class Talking implements AsyncDisposable {
  readonly #child: ChildProcess;
  #said = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (text) => {
      this.#said += text;
    });
  }

  /** The rest of the line that begins so. */
  async says(words: string): Promise<string> {
    const line = () => this.#said.split("\n").find((each) => each.startsWith(words));
    await vi.waitFor(() => expect(line()).toBeDefined(), { timeout: 60_000, interval: 50 });
    return line()?.slice(words.length) ?? "";
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
