/** A real server on a free port over a real file. Commands run in this process with an Io that records their output. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterAll, beforeAll } from "vitest";
import { localCredentials } from "../local-credentials.ts";
import { type Serving, serve } from "../serve.ts";
import { systemClock } from "../system/clock.ts";
import { readConfig } from "../system/config.ts";
import { commands } from "./commands.ts";
import type { Io } from "./io.ts";

interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface CommandLine {
  readonly home: string;
  readonly serving: Serving;
  readonly hp: ReturnType<typeof httpHoldClient>;
  /** The id of the open hold with this prompt, as soon as there is one. */
  readonly openHold: (prompt: string) => Promise<string>;
  readonly run: (name: string, args?: readonly string[], env?: Record<string, string>) => Promise<Output>;
}

interface Options {
  /** The text of `holdpoint.yaml`. */
  readonly config?: string;
  readonly isTerminal?: boolean;
}

/** Starts before the file's tests and stops after them; members can be read from the first test on. */
export function commandLine({ config, isTerminal = false }: Options = {}): CommandLine {
  let home = "";
  let serving: Serving;
  let hp: ReturnType<typeof httpHoldClient>;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "holdpoint-cli-"));
    if (config !== undefined) writeFileSync(join(home, "holdpoint.yaml"), config);
    const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0" };
    serving = await serve(readConfig(env, home), env, () => undefined);
    const { url, apiKey } = await localCredentials(serving.server, home, serving.address);
    hp = httpHoldClient({ url, apiKey });
  });

  afterAll(async () => {
    await serving.close();
    rmSync(home, { recursive: true, force: true });
  });

  return {
    get home() {
      return home;
    },
    get serving() {
      return serving;
    },
    get hp() {
      return hp;
    },
    async openHold(prompt) {
      for (;;) {
        const { holds } = await hp.list({ status: "open", q: prompt });
        const [found] = holds;
        if (found !== undefined) return found.id;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    run: (name, args = [], env = {}) => runCommand(name, args, { home, env, isTerminal }),
  };
}

interface Surroundings {
  readonly home: string;
  readonly env: Record<string, string>;
  readonly isTerminal: boolean;
}

async function runCommand(
  name: string,
  args: readonly string[],
  { home, env, isTerminal }: Surroundings,
): Promise<Output> {
  let out = "";
  let err = "";
  const io: Io = {
    env: { HOLDPOINT_HOME: home, ...env },
    folder: home,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTerminal,
    now: () => systemClock.now(),
  };
  const command = await commands[name]?.();
  const code = await command?.run(args, io);
  return { code: code ?? -1, out, err };
}
