/** What `holdpoint hook install` writes into the settings of coding agents. */

import { describe, expect, test } from "vitest";
import { type AgentName, DIALECTS } from "./dialect.ts";
import { install, isInstalled, uninstall } from "./settings.ts";

const AGENTS = Object.keys(DIALECTS) as AgentName[];
const ours = (agent: AgentName) => ({ command: `node main.ts hook ${agent} --installed`, waitMs: 50_000 });

const OTHERS = {
  claude: {
    model: "m",
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "lint hook x" }] }],
      Stop: [{ hooks: [{ type: "command", command: "beep" }] }],
    },
  },
  codex: { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "lint" }] }] } },
  cursor: {
    version: 1,
    hooks: { beforeShellExecution: [{ command: "./audit.sh" }], stop: [{ command: "beep" }] },
  },
} as const;

describe.each(AGENTS)("the settings of %s", (agent) => {
  test("keep everything that is there when the hook is installed, and are as before when it is removed", () => {
    const before = OTHERS[agent];
    const after = install(agent, before, ours(agent));
    expect(isInstalled(agent, before)).toBe(false);
    expect(isInstalled(agent, after)).toBe(true);
    for (const part of ["lint", "beep", "audit"])
      expect(JSON.stringify(after).includes(part)).toBe(JSON.stringify(before).includes(part));
    expect(uninstall(agent, after)).toEqual(before);
  });

  test("have one entry of ours when it is installed twice", () => {
    const once = install(agent, {}, ours(agent));
    expect(install(agent, once, ours(agent))).toEqual(once);
    expect(uninstall(agent, once)).toEqual(agent === "cursor" ? { version: 1 } : {});
  });
});

test("a failing hook blocks the call: onFailure for Claude Code, failClosed for Cursor, and time to spare for all", () => {
  expect(install("claude", {}, ours("claude"))).toMatchObject({
    hooks: { PreToolUse: [{ matcher: "*", hooks: [{ onFailure: "block", timeout: 80 }] }] },
  });
  expect(install("codex", {}, ours("codex"))).toMatchObject({
    hooks: { PreToolUse: [{ hooks: [{ timeout: 80 }] }] },
  });
  const cursor = { failClosed: true, timeout: 80 };
  expect(install("cursor", {}, ours("cursor"))).toMatchObject({
    version: 1,
    hooks: { beforeShellExecution: [cursor], beforeMCPExecution: [cursor], preToolUse: [cursor] },
  });
});
