/**
 * Claude Code and Codex themselves, with a scripted model on loopback: the hook that `holdpoint hook install` writes really asks, and what
 * nobody approved does not run. Installs the agents from the registry.
 */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const PACKAGE = fileURLToPath(new URL("../../interop/coding-agents/package.json", import.meta.url));
const MAIN = fileURLToPath(new URL("../../packages/server/src/cli/main.ts", import.meta.url));
const AGENT = "agent-key-of-these-tests";
const OPERATOR = "operator-key-of-these-tests";
const MINUTES = 60_000;

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-agents-")));
  cpSync(PACKAGE, join(folder, "package.json"));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: folder,
    stdio: "ignore",
  });
  server = await serverProcess({ HOLDPOINT_API_KEYS: `${AGENT}=agent:coder,${OPERATOR}=operator:ada` });
}, 10 * MINUTES);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Desk {
  /** What the agent starts with. */
  readonly env: Record<string, string>;
  /** The repository that it works in. */
  readonly repository: string;
  readonly hasRun: () => boolean;
}

/** A person's machine: a home folder of its own, in which the hook is installed. */
function desk(agent: string, url = server.url, options: readonly string[] = []): Desk {
  const home = mkdtempSync(join(folder, "home-"));
  const repository = join(home, "repository");
  mkdirSync(repository);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    HOLDPOINT_URL: url,
    HOLDPOINT_API_KEY: AGENT,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    ANTHROPIC_API_KEY: "none",
    MODEL_KEY: "none",
  };
  const install = ["--conditions=@holdpoint/source", MAIN, "hook", "install", agent, "--yes", ...options];
  execFileSync(process.execPath, install, { env, cwd: repository, stdio: "ignore" });
  return { env, repository, hasRun: () => existsSync(join(repository, "pushed")) };
}

const PUSH = "touch pushed";

/** The packages' own launchers, which need no install scripts. */
const PROGRAMS = { claude: "@anthropic-ai/claude-code/cli-wrapper.cjs", codex: "@openai/codex/bin/codex.js" };

async function run(
  agent: keyof typeof PROGRAMS,
  args: readonly string[],
  { env, repository }: Desk,
  more: object = {},
) {
  const program = join(folder, "node_modules", PROGRAMS[agent]);
  const child = spawn(process.execPath, [program, ...args], {
    cwd: repository,
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return out + err;
}

type Start = (desk: Desk, model: ScriptedModel) => Promise<string>;

const claude: Start = (at, model) =>
  run("claude", ["-p", "Push it", "--allowedTools", "Bash"], at, { ANTHROPIC_BASE_URL: model.url });

/** Codex runs hooks only when a person has trusted them in its own menu; automation says so by an option. */
const codexWith =
  (...options: readonly string[]): Start =>
  (at, model) => {
    const config = [
      'model = "scripted"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${model.url}/v1"`,
      'env_key = "MODEL_KEY"',
      'wire_api = "responses"',
    ];
    writeFileSync(join(at.env["HOME"] ?? "", ".codex", "config.toml"), `${config.join("\n")}\n`);
    const sandbox = "--dangerously-bypass-approvals-and-sandbox";
    return run("codex", ["exec", "--skip-git-repo-check", sandbox, ...options, "Push it"], at);
  };
const codex = codexWith("--dangerously-bypass-hook-trust");

async function answer(action: string, data: object = {}) {
  const person = httpHoldClient({ url: server.url, apiKey: OPERATOR });
  for (;;) {
    const [hold] = (await person.list({ status: "open" })).holds;
    if (hold !== undefined) {
      await person.answer(hold.id, { action, data: data as never });
      return person.get(hold.id);
    }
    await new Promise(setImmediate);
  }
}

describe.each([
  ["claude", claude],
  ["codex", codex],
] as const)("the program %s with the installed hook", { timeout: 3 * MINUTES }, (agent, start) => {
  test("runs a command after a person approved exactly this line", async () => {
    await using model = await scriptedModel(PUSH);
    const at = desk(agent);
    const running = start(at, model);
    const hold = await answer("approve");
    const said = await running;
    expect(hold.context).toMatchObject({ tool: "Bash", arguments: { command: PUSH, cwd: at.repository } });
    expect(at.hasRun(), said).toBe(true);
  });

  test("does not run a command that a person rejected, and its model is told the reason", async () => {
    await using model = await scriptedModel(PUSH);
    const at = desk(agent);
    const running = start(at, model);
    await answer("reject", { reason: "Not on a Friday" });
    const said = await running;
    expect(at.hasRun(), said).toBe(false);
    expect(model.results.join()).toContain("Not on a Friday");
  });

  test("does not run a command while the Holdpoint server cannot be reached", async () => {
    await using model = await scriptedModel(PUSH);
    const at = desk(agent, "http://127.0.0.1:9", ["--unattended"]);
    const said = await start(at, model);
    expect(at.hasRun(), said).toBe(false);
    expect(model.results.join()).toContain("must not run");
  });

  test("does not run a command that nobody has answered about, when it runs unattended", async () => {
    await using model = await scriptedModel(PUSH);
    const at = desk(agent, server.url, ["--unattended", "--wait", "1s"]);
    const said = await start(at, model);
    expect(at.hasRun(), said).toBe(false);
    expect(model.results.join()).toContain("stays open");
    await answer("reject");
  });
});

test("Claude Code runs the command as the person changed it", { timeout: 3 * MINUTES }, async () => {
  await using model = await scriptedModel("touch other");
  const at = desk("claude");
  const running = claude(at, model);
  await answer("approve", { edited_args: { command: PUSH, cwd: at.repository } });
  await running;
  expect(at.hasRun()).toBe(true);
  expect(existsSync(join(at.repository, "other"))).toBe(false);
});

test("Codex does not start a hook that nobody has trusted, as the documentation says", {
  timeout: 3 * MINUTES,
}, async () => {
  await using model = await scriptedModel(PUSH);
  const at = desk("codex");
  const said = await codexWith()(at, model);
  expect(at.hasRun(), said).toBe(true);
});
