/** Starts other processes, for tests that need more than one process. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Child extends AsyncDisposable {
  readonly lines: AsyncIterator<string>;
  kill(): Promise<void>;
}

export function startChild(file: string, ...args: readonly string[]): Child {
  const script = new URL(file, import.meta.url).pathname;
  const child = spawn(process.execPath, ["--conditions=@holdpoint/source", script, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const kill = () => killHard(child);
  return { lines, kill, [Symbol.asyncDispose]: kill };
}

/** `kill -9`: the process gets no chance to clean up. */
async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
