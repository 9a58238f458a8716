/** `holdpoint hook` as agents start it, and as a person installs it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localCredentials } from "../local-credentials.ts";
import { type Serving, serve } from "../serve.ts";
import { readConfig } from "../system/config.ts";
import { hook } from "./hook.ts";
import type { Io } from "./io.ts";

let home: string;
let serving: Serving;
let key: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-hook-"));
  const env = { HOLDPOINT_HOME: join(home, ".holdpoint"), HOLDPOINT_PORT: "0" };
  mkdirSync(env.HOLDPOINT_HOME);
  serving = await serve(readConfig(env, home), env, () => undefined);
  ({ apiKey: key } = await localCredentials(serving.server, env.HOLDPOINT_HOME, serving.address));
});

afterAll(async () => {
  await serving.close();
  rmSync(home, { recursive: true, force: true });
});

const run = (...args: string[]) => runWith({}, ...args);

async function runWith(env: Record<string, string>, ...args: string[]) {
  let out = "";
  const io: Io = {
    env: { HOME: home, ...env },
    folder: home,
    out: (said) => {
      out += said;
    },
    err: () => undefined,
    isTerminal: false,
    now: () => 0,
  };
  return { code: await hook.run(args, io), out };
}

const MAIN = new URL("./main.ts", import.meta.url).pathname;

async function start(
  args: readonly string[],
  input: string,
  { cwd = tmpdir(), ...env }: Record<string, string> = {},
) {
  const child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN, "hook", ...args], {
    cwd,
    env: { ...env, PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
  });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, code };
}

const PUSH = JSON.stringify({
  ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: "/repo", tool_name: "Bash" },
  tool_input: { command: "git push --force" },
});

test("the hook process asks a person by the credentials in --home, and prints the agent's JSON only", async () => {
  const asking = start(["claude", "--home", join(home, ".holdpoint"), "--installed"], PUSH);
  const hp = httpHoldClient({ url: serving.address, apiKey: key });
  const { promise: placed, resolve } = Promise.withResolvers<string>();
  const stop = serving.server.engine.onCommit(async () => {
    const [hold] = (await hp.list({ status: "open" })).holds;
    if (hold !== undefined) resolve(hold.id);
  });
  await hp.answer(await placed, { action: "approve" });
  stop();
  const { out, code } = await asking;
  expect(code).toBe(0);
  expect(JSON.parse(out).hookSpecificOutput).toMatchObject({ permissionDecision: "allow" });
});

test("the hook process blocks when it finds no server, and exits with 2 when its options or input are bad", async () => {
  const denied = await start(["claude", "--home", join(home, "nowhere")], PUSH);
  expect(JSON.parse(denied.out).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  for (const [args, input] of [
    [["claude"], "no JSON"],
    [["codex", "--wait", "soon"], PUSH],
    [["cursor", "--no-such-option"], PUSH],
  ] as const)
    expect((await start(args, input)).code).toBe(2);
});

test("hook install asks first, keeps a copy, and hook uninstall leaves the settings as they were", async () => {
  const path = join(home, ".claude", "settings.json");
  const before = { permissions: { deny: ["Read(.env)"] } };
  mkdirSync(join(home, ".claude"));
  writeFileSync(path, JSON.stringify(before));
  await expect(run("install", "claude")).rejects.toThrow("--yes");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(before);
  expect((await run("status", "claude")).code).toBe(1);
  expect((await run("install", "claude", "--yes", "--unattended")).code).toBe(0);
  const [entry] = JSON.parse(readFileSync(path, "utf8")).hooks.PreToolUse;
  expect(entry.hooks[0].command).toMatch(/ hook claude --wait 50s --unattended --home .* --installed$/);
  expect(entry.hooks[0].command).not.toContain(key);
  expect(JSON.parse(readFileSync(`${path}.before-holdpoint`, "utf8"))).toEqual(before);
  expect((await run("status", "claude")).code).toBe(0);
  expect((await run("uninstall", "claude", "--yes")).code).toBe(0);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(before);
  expect((await run("uninstall", "claude", "--yes")).out).toContain("nothing was changed");
});

test("hook install refuses settings that are no JSON, and changes nothing", async () => {
  const path = join(home, ".cursor", "hooks.json");
  mkdirSync(join(home, ".cursor"));
  writeFileSync(path, "{ // a comment\n}");
  await expect(run("install", "cursor", "--yes")).rejects.toThrow("nothing was changed");
  expect(readFileSync(path, "utf8")).toBe("{ // a comment\n}");
  const installed = await run("install", "codex", "--project", "--yes");
  expect(installed.code).toBe(0);
  // Codex skips hooks that nobody has trusted, so the person must hear of it.
  expect(installed.out).toContain("/hooks");
  expect(existsSync(join(home, ".codex", "hooks.json"))).toBe(true);
});

test("hook install writes the address into the command when the key comes from the environment", async () => {
  const env = { HOLDPOINT_URL: serving.address, HOLDPOINT_API_KEY: key };
  const { out } = await runWith(env, "install", "codex", "--project", "--yes");
  expect(out).toContain(`--url ${serving.address} --installed`);
  expect(out).not.toContain(key);
  const keyOnly = await runWith({ HOLDPOINT_API_KEY: key }, "install", "codex", "--project", "--yes");
  expect(keyOnly.out).toContain("already so");
});

test("a cloned repository cannot send an installed hook to another server, neither by a file nor by the environment", async () => {
  const cwd = join(home, "cloned");
  mkdirSync(join(cwd, ".holdpoint"), { recursive: true });
  const planted = { url: "http://127.0.0.1:9", api_key: "planted" };
  writeFileSync(join(cwd, ".holdpoint", "credentials.json"), JSON.stringify(planted));
  const here = ["--wait", "1s"];
  const pinned = [
    [["--home", join(home, ".holdpoint")], { HOLDPOINT_URL: planted.url, HOLDPOINT_API_KEY: "planted" }],
    [["--url", serving.address], { HOLDPOINT_URL: planted.url, HOLDPOINT_API_KEY: key }],
  ] as const;
  for (const [where, env] of pinned) {
    const { out } = await start(["claude", ...here, ...where], PUSH, { cwd, ...env });
    expect(JSON.parse(out).hookSpecificOutput.permissionDecisionReason).toMatch(/not answered/);
  }
  const keyless = await start(["claude", ...here, "--url", serving.address], PUSH, { cwd });
  expect(JSON.parse(keyless.out).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  expect(keyless.err).toContain("HOLDPOINT_API_KEY");
});
