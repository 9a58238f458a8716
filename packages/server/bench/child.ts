/** A benched server in a process of its own, with a folder of its own. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Asked } from "./asked.ts";
import type { Target } from "./load.ts";

export interface Child extends Target {
  readonly readyMs: number;
  readonly folder: string;
  /** What it syncs to disk before it answers, where it says so. */
  readonly durable?: string;
  order(order: {
    kind: string;
    count?: number;
    spreadMs?: number;
  }): Promise<{ rss: number; fired?: number; late?: number[]; asked?: Asked }>;
  /** What the child says of itself, unasked. */
  onMessage(listener: (message: unknown) => void): void;
  stop(): Promise<void>;
}

export async function startChild(
  name: string,
  folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-")),
  env: NodeJS.ProcessEnv = {},
): Promise<Child> {
  const process = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), [folder], {
    execArgv: ["--conditions=@holdpoint/source", "--expose-gc"],
    env: { ...globalThis.process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const hello = await message<Target & { readyMs?: number; durable?: string }>(process);
  return {
    url: hello.url,
    key: hello.key,
    readyMs: hello.readyMs ?? 0,
    folder,
    ...(hello.durable === undefined ? {} : { durable: hello.durable }),
    onMessage: (listener) => void process.on("message", listener),
    async order(order) {
      process.send(order);
      return message(process);
    },
    async stop() {
      process.kill("SIGKILL");
      if (process.exitCode === null && process.signalCode === null) await once(process, "exit");
    },
  };
}

async function message<T>(process: ChildProcess): Promise<T> {
  // Whichever comes first, the other is no longer listened for.
  const heard = new AbortController();
  const { signal } = heard;
  const ended = once(process, "exit", { signal }).then(([code]) =>
    Promise.reject(new Error(`the benched server ended with ${code}`)),
  );
  ended.catch(() => undefined);
  try {
    const [said] = await Promise.race([once(process, "message", { signal }), ended]);
    return said as T;
  } finally {
    heard.abort();
  }
}

export function discard(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
