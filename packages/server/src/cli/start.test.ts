/** What a start prints: a link that signs in only where nobody else sees it. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serve } from "../serve.ts";
import { readConfig } from "../system/config.ts";
import type { Io } from "./io.ts";
import { greeting, start } from "./start.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-start-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function printed(isTerminal: boolean, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0", ...more };
  const serving = await serve(readConfig(env, home), env, () => undefined);
  try {
    return await greeting(serving, { isTerminal } as Io);
  } finally {
    await serving.close();
  }
}

test("holdpoint start --port is refused and names HOLDPOINT_PORT", async () => {
  const starting = start.run(["--port", "4200"], {} as Io);
  await expect(starting).rejects.toThrow("HOLDPOINT_PORT=4200 holdpoint start");
});

test("a local server in a terminal prints a link that signs in and the dev key", async () => {
  const text = await printed(true);
  expect(text).toContain("/signin?token=");
  expect(text).toMatch(/dev key +hp_/);
});

test("attack 10: a local server without a terminal prints neither a link that signs in nor the dev key, and says where they are", async () => {
  const text = await printed(false);
  expect(text).not.toContain("token=");
  const file = join(home, "credentials.json");
  expect(text).not.toContain(JSON.parse(readFileSync(file, "utf8")).api_key);
  expect(text).not.toContain("hp_");
  expect(text).toContain(`in ${file}`);
  expect(text).toContain("for a sign-in link run:");
});

test.each([
  ["listens on every address", { HOLDPOINT_HOST: "0.0.0.0" }],
  ["has a public address", { HOLDPOINT_PUBLIC_URL: "https://holds.example.com" }],
])("attack 10: a server that %s prints neither a link that signs in nor a dev key", async (_how, env) => {
  const text = await printed(true, env);
  expect(text).not.toContain("token=");
  expect(text).not.toContain("dev key");
  expect(text).toContain("for a sign-in link run:");
});
