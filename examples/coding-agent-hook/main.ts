/**
 * A scripted coding agent: before it runs a command, it asks its hook, in the JSON of Claude Code. The command is only printed.
 * `npx holdpoint hook install claude` does the same for the real agent.
 */

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

interface Decision {
  readonly permissionDecision?: "allow" | "deny" | "ask";
  readonly permissionDecisionReason?: string;
}

async function askHook(command: string): Promise<Decision> {
  const input = {
    session_id: "example",
    cwd: import.meta.dirname,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  };
  const hook = spawn("npx", ["holdpoint", "hook", "claude", "--wait", "50s"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  hook.stdin.end(JSON.stringify(input));
  const [said, code] = await Promise.all([
    text(hook.stdout),
    new Promise((resolve) => hook.on("close", resolve)),
  ]);
  // The agent blocks the call when its hook fails.
  if (code !== 0) return { permissionDecision: "deny", permissionDecisionReason: "the hook failed" };
  return JSON.parse(said).hookSpecificOutput ?? {};
}

async function run(command: string): Promise<void> {
  for (;;) {
    const { permissionDecision: decision, permissionDecisionReason: reason = "" } = await askHook(command);
    // "ask" means that nobody has answered yet: the agent would show its own prompt, and this one asks again.
    if (decision === "ask") {
      console.log("still waiting for a person …");
      continue;
    }
    console.log(decision === "deny" ? `blocked: ${command} (${reason})` : `runs: ${command}`);
    return;
  }
}

console.log("A person decides about the push. Answer in the console, or: npx holdpoint inbox");
await run("git push --force origin main");
