/** The Claude Agent SDK itself with Holdpoint's helpers and a scripted model. Installs it from the registry. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deferToHold, holdpointPermission, type ToolClient } from "@holdpoint/adapters/claude-agent";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";
import { scriptedModel } from "./scripted-model.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const AGENT = "agent-key-of-these-tests";
const OPERATOR = "operator-key-of-these-tests";
const MINUTES = 60_000;

let folder: string;
let server: ServerProcess;
let query: (given: object) => AsyncIterable<{ type: string; session_id?: string; terminal_reason?: string }>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-agent-sdk-")));
  cpSync(join(ROOT, "interop/claude-agent-sdk/package.json"), join(folder, "package.json"));
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
  execFileSync("npm", install, { cwd: folder, stdio: "ignore" });
  const sdk = join(folder, "node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs");
  ({ query } = (await import(pathToFileURL(sdk).href)) as { query: typeof query });
  server = await serverProcess({ HOLDPOINT_API_KEYS: `${AGENT}=agent:coder,${OPERATOR}=operator:ada` });
}, 10 * MINUTES);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function hp(): ToolClient {
  return httpHoldClient({ url: server.url, apiKey: AGENT });
}

function program(): string {
  const scope = join(folder, "node_modules/@anthropic-ai");
  const native = readdirSync(scope).find((name) => /^claude-code-\w+-\w+$/.test(name)) ?? "";
  return join(scope, native, "claude");
}

async function session(modelUrl: string, cwd: string, options: object) {
  const env = {
    ...{ PATH: process.env["PATH"], HOME: cwd, ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: "none" },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
  };
  const all = { cwd, env, pathToClaudeCodeExecutable: program(), settingSources: [], ...options };
  let last: { type: string; session_id?: string; terminal_reason?: string } = { type: "" };
  for await (const message of query({ prompt: "Push it", options: all })) last = message;
  return last;
}

async function answer(action: string) {
  const person = httpHoldClient({ url: server.url, apiKey: OPERATOR });
  for (;;) {
    const [hold] = (await person.list({ status: "open" })).holds;
    if (hold !== undefined) return person.answer(hold.id, { action });
    await new Promise(setImmediate);
  }
}

const desk = () => mkdtempSync(join(folder, "work-"));

test("canUseTool runs what a person approved, and nothing that a person rejected", {
  timeout: 3 * MINUTES,
}, async () => {
  for (const [action, runs] of [
    ["approve", true],
    ["reject", false],
  ] as const) {
    await using model = await scriptedModel("touch pushed");
    const cwd = desk();
    const running = session(model.url, cwd, { canUseTool: holdpointPermission(hp(), { cwd }) });
    await answer(action);
    await running;
    expect(existsSync(join(cwd, "pushed"))).toBe(runs);
  }
});

test("deferToHold ends the session, and resuming it after the approval runs the call once", {
  timeout: 3 * MINUTES,
}, async () => {
  await using model = await scriptedModel("touch pushed");
  const cwd = desk();
  const holdIds: string[] = [];
  const onDefer = ({ holdId }: { readonly holdId: string }) => void holdIds.push(holdId);
  const options = {
    hooks: { PreToolUse: [deferToHold(hp(), "Bash", { onDefer })] },
    canUseTool: holdpointPermission(hp(), { cwd }),
  };
  const ended = await session(model.url, cwd, options);
  expect(ended).toMatchObject({ type: "result", terminal_reason: "tool_deferred" });
  expect(existsSync(join(cwd, "pushed"))).toBe(false);
  expect((await answer("approve")).id).toBe(holdIds[0]);
  await session(model.url, cwd, { ...options, resume: ended.session_id });
  expect(existsSync(join(cwd, "pushed"))).toBe(true);
});

test("the helpers fit the SDK's own types", { timeout: 3 * MINUTES }, () => {
  const file = join(folder, "types.ts");
  writeFileSync(
    file,
    [
      'import type { CanUseTool, Options } from "@anthropic-ai/claude-agent-sdk";',
      `import { deferToHold, holdpointPermission, type ToolClient } from ${JSON.stringify(join(ROOT, "packages/adapters/src/claude-agent/index.ts"))};`,
      "declare const hp: ToolClient;",
      "export const canUseTool: CanUseTool = holdpointPermission(hp);",
      'export const options: Options = { canUseTool, hooks: { PreToolUse: [deferToHold(hp, "Bash")] } };',
    ].join("\n"),
  );
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const flags =
    "--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --lib esnext,dom,dom.iterable --module nodenext --target esnext --allowImportingTsExtensions";
  const types = ["--customConditions", "@holdpoint/source", "--types", "node", "--typeRoots"];
  const roots = join(ROOT, "node_modules/@types");
  execFileSync(process.execPath, [tsc, ...flags.split(" "), ...types, roots, file], { cwd: folder });
});
