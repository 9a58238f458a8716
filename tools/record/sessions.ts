/** The terminal sessions of the documentation, each a real run. */

import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Terminal } from "./terminal.ts";

const GATEWAY_EXAMPLE = fileURLToPath(new URL("../../examples/mcp-gateway/", import.meta.url));
const PUSH = "git push --force origin main";

type Session = (at: Terminal) => Promise<void>;

const json = (value: unknown) => JSON.stringify(value);
const request = (id: number, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });
const HELLO = [
  request(0, "initialize", {
    ...{ protocolVersion: "2025-06-18", capabilities: {} },
    clientInfo: { name: "terminal", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

/** Sends messages one after the other, each when the reply to the one before is there. */
async function speak(
  at: Terminal,
  [typed, args]: readonly [typed: string, args: readonly string[]],
  calls: readonly object[],
): Promise<void> {
  const child = at.start(args);
  at.say(`$ ${typed}\n`);
  const replies = child.stdout[Symbol.asyncIterator]();
  let rest = "";
  const reply = async () => {
    while (!rest.includes("\n")) rest += String((await replies.next()).value);
    const line = rest.slice(0, rest.indexOf("\n"));
    rest = rest.slice(line.length + 1);
    return JSON.parse(line);
  };
  child.stdin.write(HELLO.map((message) => `${json(message)}\n`).join(""));
  await reply();
  at.note("the client and the server have greeted each other");
  for (const [n, params] of calls.entries()) {
    const message = request(n + 1, "tools/call", params);
    at.say(`→ ${json(message)}\n`);
    child.stdin.write(`${json(message)}\n`);
    const replied = reply();
    if (n === calls.length - 1) await approve(at);
    at.say(`← ${json(await replied)}\n`);
  }
  child.stdin.end();
  await at.end(child);
}

/** What the person does in another terminal. */
async function approve(at: Terminal): Promise<void> {
  const id = await at.openHold();
  at.note("in another terminal, or in the console, or by the link on the phone:");
  await at.run(["answer", id, "approve"]);
}

const server: Session = (at) =>
  speak(
    at,
    ["npx holdpoint mcp", ["mcp"]],
    [
      {
        name: "ask_human",
        arguments: { question: "Deploy release 42?", context: { tests: "1,204 passed" } },
      },
    ],
  );

const gateway: Session = async (at) => {
  cpSync(join(GATEWAY_EXAMPLE, "rules.yaml"), join(at.folder, "rules.yaml"));
  const gate = ["mcp-gateway", "--rules", "rules.yaml", "--"];
  const typed = `npx holdpoint ${gate.join(" ")} node bank.ts`;
  const call = (amount: number) => ({ name: "transfer", arguments: { to: "Ada", amount } });
  const bank = [process.execPath, join(GATEWAY_EXAMPLE, "bank.ts")];
  await speak(at, [typed, [...gate, ...bank]], [call(20), call(800)]);
};

const events = (folder: string) => ({
  claude: {
    ...{ session_id: "s1", cwd: folder, hook_event_name: "PreToolUse", tool_name: "Bash" },
    tool_input: { command: PUSH },
  },
  codex: {
    ...{ session_id: "s2", turn_id: "t1", cwd: folder, hook_event_name: "PreToolUse", tool_name: "Bash" },
    tool_input: { command: PUSH },
  },
  cursor: { conversation_id: "c1", cwd: folder, hook_event_name: "beforeShellExecution", command: PUSH },
});

function hook(agent: "claude" | "codex" | "cursor"): Session {
  return async (at) => {
    await at.run(["hook", "install", agent, "--yes"]);
    const event = json(events(at.folder)[agent]);
    at.note("before it runs the command, the agent starts the hook and gives it this:");
    const more = { typed: `echo '${event}' | npx holdpoint hook ${agent}`, input: event };
    const asking = at.begin(["hook", agent], more);
    await approve(at);
    at.note("the hook prints, and the agent runs the command:");
    await at.end(asking);
    at.note("the approval is used up, so the same command is a new question; this time it is rejected");
    const again = at.begin(["hook", agent], more);
    const id = await at.openHold();
    await at.run(["answer", id, "reject", "--note", "Not on main"], {
      typed: `npx holdpoint answer ${id} reject --note "Not on main"`,
    });
    await at.end(again);
    await at.run(["hook", "uninstall", agent, "--yes"]);
  };
}

export const SESSIONS: Readonly<Record<string, Session>> = {
  "A person answers over MCP": server,
  "A gate before an MCP server": gateway,
  "Claude Code": hook("claude"),
  Codex: hook("codex"),
  Cursor: hook("cursor"),
};
