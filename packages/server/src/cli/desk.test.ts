/** `comment`, `assign` and `extend` against a real server. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HoldClient } from "@holdpoint/protocol/client";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localCredentials } from "../local-credentials.ts";
import { type Serving, serve } from "../serve.ts";
import { systemClock } from "../system/clock.ts";
import { readConfig } from "../system/config.ts";
import { commands } from "./commands.ts";
import type { Io } from "./io.ts";

/** A real server on a free port over a real file. Commands run in this process with an Io that records their output. */
let home: string;
let serving: Serving;
let hp: HoldClient;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-cli-"));
  const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0" };
  serving = await serve(readConfig(env, home), env, () => undefined);
  const { url, apiKey } = await localCredentials(serving.server, home, serving.address);
  hp = httpHoldClient({ url, apiKey });
});

afterAll(async () => {
  await serving.close();
  rmSync(home, { recursive: true, force: true });
});

interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(
  name: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
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
    isTerminal: false,
    now: () => systemClock.now(),
  };
  const command = await commands[name]?.();
  const code = await command?.run(args, io);
  return { code: code ?? -1, out, err };
}

test("holdpoint comment, assign and extend work on a hold that stays open", async () => {
  const { id, expiresAt = "" } = await hp.place({ type: "approval", prompt: "Work on me", timeout: "1h" });
  const asked = await run("comment", [id, "Which invoice?", "--ask-back"]);
  expect(asked.out).toBe("The agent is asked. Its reply appears among the comments.\n");
  expect((await hp.get(id)).comments).toMatchObject([{ text: "Which invoice?", asksBack: true }]);
  expect((await run("comment", [id, "Just so"])).out).toBe("The comment is written.\n");
  expect((await run("assign", [id, "dev"])).out).toBe("dev is on it.\n");
  expect((await run("assign", [id, "--nobody"])).out).toBe("Nobody is on it.\n");
  const until = new Date(Date.parse(expiresAt) + 7_200_000).toISOString();
  expect((await run("extend", [id, "2h"])).out).toBe(`It can be answered until ${until}.\n`);
  expect(JSON.parse((await run("extend", [id, "1h", "--json"])).out)).toMatchObject({ id, status: "open" });
  await expect(run("assign", [id])).rejects.toThrow(/usage: holdpoint assign/);
  await expect(run("comment", [id])).rejects.toThrow(/usage: holdpoint comment/);
  await expect(run("extend", [id])).rejects.toThrow(/usage: holdpoint extend/);
});
