/** Hooks of coding agents (H1–H3), with the JSON that each agent sends, against a real server. */

import { RetryableError } from "@holdpoint/protocol/client";
import { describe, expect, test } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { type AgentName, DIALECTS } from "./dialect.ts";
import { type HookOptions, runHook } from "./run-hook.ts";
import { deadlineMs, install } from "./settings.ts";

const PUSH = "git push --force origin main";
const common = {
  session_id: "s1",
  transcript_path: "/tmp/t.jsonl",
  cwd: "/repo",
  permission_mode: "default",
};
const preToolUse = {
  ...common,
  ...{ hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "toolu_1" },
  tool_input: { command: PUSH, description: "Push the branch" },
};
const inCursor = { conversation_id: "c1", generation_id: "g1", workspace_roots: ["/repo"] };
const SHELL_INPUT: Readonly<Record<AgentName, object>> = {
  claude: preToolUse,
  codex: { ...preToolUse, turn_id: "t1", model: "m" },
  cursor: { ...inCursor, hook_event_name: "beforeShellExecution", command: PUSH, cwd: "/repo" },
};
const AGENTS = Object.keys(DIALECTS) as AgentName[];

function clientOf({ server }: TestServer): HookOptions["client"] {
  const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
  return () => server.client({ workspace: "default", principal });
}

async function hook(stage: TestServer, agent: AgentName, input: object, options: Partial<HookOptions> = {}) {
  const { signal: deadline } = new AbortController();
  const all = { client: clientOf(stage), waitMs: 50_000, deadline, isUnattended: false, ...options };
  const { out, err, code } = await runHook(agent, JSON.stringify(input), all);
  return { code, err, said: out === "" ? null : JSON.parse(out) };
}

async function answer({ call, keys }: TestServer, action: string, data = {}) {
  for (;;) {
    const { body } = await call("GET", "/v1/holds?status=open", { key: keys.operator });
    const [hold] = body.holds;
    if (hold !== undefined) {
      await call("POST", `/v1/holds/${hold.id}/answer`, { key: keys.operator, body: { action, data } });
      return hold;
    }
    await new Promise(setImmediate);
  }
}

const inRepositories = (path: string) => {
  const repository = /^\/(repo|other)/.exec(path)?.[0];
  return repository === undefined ? {} : { repository };
};

const publish = ({ call, keys }: TestServer, ...rules: object[]) =>
  call("PUT", "/v1/rules", { key: keys.admin, body: { rules } });

/** What each agent prints for a decision, in its own words. */
const SAYS: Readonly<Record<AgentName, (kind: "allow" | "deny" | "prompt", reason: unknown) => object>> = {
  claude: (kind, reason) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: kind === "prompt" ? "ask" : kind,
      permissionDecisionReason: reason,
    },
  }),
  codex: (kind, reason) =>
    kind === "allow"
      ? {}
      : {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: reason,
          },
        },
  cursor: (kind, reason) => ({
    permission: kind === "prompt" ? "ask" : kind,
    user_message: reason,
    agent_message: reason,
  }),
};

describe.each(AGENTS)("the hook for %s", (agent) => {
  const input = SHELL_INPUT[agent];

  test("shows the exact command to a person, and lets the call run when the person approves", async () => {
    await using stage = await testServer();
    const asking = hook(stage, agent, input);
    const hold = await answer(stage, "approve");
    expect(hold.context).toMatchObject({ tool: "Bash", arguments: { command: PUSH, cwd: "/repo" } });
    expect((await asking).said).toEqual(SAYS[agent]("allow", "ada approved this call."));
    const { body } = await stage.call("GET", `/v1/holds/${hold.id}`, { key: stage.keys.operator });
    expect(body.claim).toMatchObject({ state: "done", detail: { result: { handed_over_to: agent } } });
  });

  test("names the repository that the call works in, as this machine finds it and not as the model says", async () => {
    await using stage = await testServer();
    const claimed =
      agent === "cursor" ? input : { ...input, tool_input: { command: PUSH, repository: "/x" } };
    const placeOf = (path: string) => (path.startsWith("/repo") ? { repository: "/repo" } : {});
    await hook(stage, agent, claimed, { waitMs: 0, placeOf });
    const { context } = await answer(stage, "reject");
    expect(context.arguments).toEqual({ command: PUSH, cwd: "/repo", repository: "/repo" });
    await hook(stage, agent, { ...claimed, cwd: "/elsewhere" }, { waitMs: 0, placeOf });
    const outside = await answer(stage, "reject");
    expect(outside.context.arguments).toEqual({ command: PUSH, cwd: "/elsewhere" });
  });

  test("blocks the call when the person rejects it, with the person's reason", async () => {
    await using stage = await testServer();
    const asking = hook(stage, agent, input);
    await answer(stage, "reject", { reason: "Not on main" });
    expect((await asking).said).toEqual(SAYS[agent]("deny", expect.stringContaining("Not on main")));
  });

  test("gives no decision about what the rules allow, so that the agent's own prompts stay (H1)", async () => {
    await using stage = await testServer();
    await publish(stage, { tools: ["Bash"], verdict: "allow" });
    expect((await hook(stage, agent, input)).said).toEqual({});
    expect((await hook(stage, agent, input, { isUnattended: true })).said).toEqual(
      SAYS[agent]("allow", "The rules allow this call."),
    );
  });

  test("blocks what the rules deny", async () => {
    await using stage = await testServer();
    await publish(stage, {
      tools: ["Bash"],
      when: { "args.command": { matches: "--force" } },
      verdict: "deny",
    });
    expect((await hook(stage, agent, input)).said).toEqual(SAYS[agent]("deny", "A rule denies this call."));
  });

  test("leaves the question open when its time is up; the same call again finds the answer (H3)", async () => {
    await using stage = await testServer();
    const late = await hook(stage, agent, input, { waitMs: 0 });
    expect(late.said).toEqual(SAYS[agent]("prompt", expect.stringContaining("stays open")));
    const unattended = await hook(stage, agent, input, { waitMs: 0, isUnattended: true });
    expect(unattended.said).toEqual(SAYS[agent]("deny", expect.stringContaining("stays open")));
    await answer(stage, "approve");
    const again = {
      ...input,
      ...(agent === "cursor" ? {} : { tool_input: { command: PUSH, description: "Other words" } }),
    };
    expect((await hook(stage, agent, again)).said).toEqual(SAYS[agent]("allow", "ada approved this call."));
  });

  test.each([
    ["the server is away", () => ({ check: () => Promise.reject(new RetryableError({ message: "away" })) })],
    ["the server answers nonsense", () => ({ check: async () => ({ verdict: "yes" }) })],
    [
      "no server is configured",
      () => {
        throw new Error("no server");
      },
    ],
  ] as const)("blocks the call when %s (H2)", async (_what, client) => {
    await using stage = await testServer();
    for (const isUnattended of [true, false]) {
      const { said, code } = await hook(stage, agent, input, { client: client as never, isUnattended });
      expect(code).toBe(0);
      expect(said).toEqual(SAYS[agent]("deny", expect.stringContaining("must not run")));
    }
  });

  test.each(["", "null", "[]", "{", '"text"', "{}", '{"hook_event_name":7}'])(
    "blocks the call with exit code 2 when the input is %j",
    async (text) => {
      const never = () => {
        throw new Error("not expected");
      };
      const { code, err } = await runHook(agent, text, {
        client: never,
        waitMs: 0,
        deadline: AbortSignal.abort(),
        isUnattended: false,
      });
      expect([code, err !== ""]).toEqual([2, true]);
    },
  );
});

describe.each(AGENTS)("the hook of %s at its deadline", (agent) => {
  const input = SHELL_INPUT[agent];
  const denial = SAYS[agent]("deny", expect.stringContaining("must not run"));

  test.each(["check", "wait", "claim", "finishClaim"] as const)(
    "denies the call while %s still waits for the server, and ends that call (G14, H4)",
    async (slow) => {
      await using stage = await testServer();
      await publish(stage, { tools: ["*"], verdict: "ask" });
      const deadline = new AbortController();
      const ended: string[] = [];
      const client = clientOf(stage)();
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      client[slow] = ((...given: readonly unknown[]) => {
        const { signal } = given.at(-1) as { readonly signal: AbortSignal };
        signal.addEventListener("abort", () => ended.push(slow));
        resolve();
        // Nor does a server that never answers, and a client that does not notice.
        return new Promise(() => undefined);
      }) as never;
      const asking = hook(stage, agent, input, { client: () => client, deadline: deadline.signal });
      if (slow === "claim" || slow === "finishClaim") await answer(stage, "approve");
      await reached;
      deadline.abort();
      const { said, err } = await asking;
      expect(said).toEqual(denial);
      expect(err).toContain("too slowly");
      expect(ended).toEqual([slow]);
    },
  );
});

test("H4 a wait of more than a timer can hold ends no hook at once", () => {
  expect(deadlineMs(30 * 24 * 3_600_000)).toBe(2 ** 31 - 1);
});

test("H4 the hook gives up before its agent does", () => {
  for (const agent of AGENTS) {
    const installed = JSON.stringify(install(agent, {}, { command: "x hook y", waitMs: 50_000 }));
    const [, seconds] = /"timeout":(\d+)/.exec(installed) ?? [];
    expect(deadlineMs(50_000)).toBeLessThan(Number(seconds) * 1_000);
  }
});

test("a changed command runs as the person changed it in Claude Code; Codex and Cursor must call again", async () => {
  for (const agent of AGENTS) {
    await using stage = await testServer();
    const asking = hook(stage, agent, SHELL_INPUT[agent]);
    const command = "git push --force-with-lease";
    await answer(stage, "approve", { edited_args: { command, cwd: "/repo" } });
    const { said } = await asking;
    if (agent === "claude")
      expect(said.hookSpecificOutput).toMatchObject({
        permissionDecision: "allow",
        updatedInput: { command, description: "Push the branch" },
      });
    else {
      expect(JSON.stringify(said)).toContain("deny");
      expect(JSON.stringify(said)).toContain("force-with-lease");
    }
  }
});

test("an edit that a person approves with other arguments does not run as the agent proposed it, in no agent", async () => {
  const content = { file_path: "/repo/a.ts", content: "rm" };
  const event = { claude: "PreToolUse", codex: "PreToolUse", cursor: "preToolUse" };
  for (const agent of AGENTS) {
    await using stage = await testServer();
    const input = { ...preToolUse, hook_event_name: event[agent], tool_name: "Write", tool_input: content };
    const asking = hook(stage, agent, input);
    const hold = await answer(stage, "approve", { edited_args: { file_path: "/repo/b.ts", diff: "" } });
    expect((await asking).said).toEqual(SAYS[agent]("deny", expect.stringContaining("other arguments")));
    const { body } = await stage.call("GET", `/v1/holds/${hold.id}`, { key: stage.keys.operator });
    expect(body.claim.state).toBe("failed");
    // Sent back unchanged, they are the same call.
    const again = hook(stage, agent, input);
    await answer(stage, "approve", { edited_args: hold.context.arguments });
    expect((await again).said).toEqual(SAYS[agent]("allow", "ada approved this call."));
  }
});

test("a shell command runs as a person changed it only if nothing else was changed", async () => {
  await using stage = await testServer();
  const real = clientOf(stage)();
  // As with a server that refuses the schema: people may then change anything.
  const client: ReturnType<HookOptions["client"]> = {
    check: ({ argsSchema: _schema, ...call }) => real.check(call),
    wait: (...given) => real.wait(...given),
    get: (...given) => real.get(...given),
    claim: (...given) => real.claim(...given),
    finishClaim: (...given) => real.finishClaim(...given),
  };
  const asking = hook(stage, "claude", preToolUse, { client: () => client });
  await answer(stage, "approve", { edited_args: { command: PUSH, cwd: "/elsewhere" } });
  expect((await asking).said).toEqual(SAYS.claude("deny", expect.stringContaining("other arguments")));
});

test("edits and new files are shown to people as unified diffs", async () => {
  await using stage = await testServer();
  const edit = {
    file_path: "/repo/a.ts",
    old_string: "const a = 1;\nconst b = 2;\nreturn a;",
    new_string: "const a = 1;\nconst b = 3;\nreturn a;",
  };
  const asking = hook(stage, "claude", { ...preToolUse, tool_name: "Edit", tool_input: edit });
  const hold = await answer(stage, "approve");
  expect(hold.context.arguments).toEqual({
    file_path: "/repo/a.ts",
    diff: "--- /repo/a.ts\n+++ /repo/a.ts\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+const b = 3;\n return a;",
  });
  await asking;
  const content = { file_path: "/repo/b.ts", content: "one\ntwo" };
  const writing = hook(stage, "claude", { ...preToolUse, tool_name: "Write", tool_input: content });
  expect((await answer(stage, "reject")).context.arguments.diff).toContain(
    "@@ the whole file @@\n+one\n+two",
  );
  await writing;
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "" },
  ];
  const several = { file_path: "/repo/c.ts", edits };
  const multi = hook(stage, "claude", { ...preToolUse, tool_name: "MultiEdit", tool_input: several });
  expect((await answer(stage, "reject")).context.arguments.diff.match(/@@/g)).toHaveLength(4);
  await multi;
});

test("the repository is of the folder that the call itself names, and nothing is said of a home folder", async () => {
  await using stage = await testServer();
  const placeOf = inRepositories;
  const asked = async (tool_name: string, tool_input: object) => {
    await hook(
      stage,
      "codex",
      { ...preToolUse, cwd: "/repo", tool_name, tool_input },
      { waitMs: 0, placeOf },
    );
    return (await answer(stage, "reject")).context.arguments.repository;
  };
  expect(await asked("Bash", { command: PUSH, workdir: "/other/docs" })).toBe("/other");
  expect(await asked("Bash", { command: PUSH, working_directory: "docs" })).toBe("/repo");
  expect(await asked("Bash", { command: PUSH, workdir: "~" })).toBeUndefined();
  expect(await asked("Write", { file_path: "~/.ssh/config", content: "x" })).toBeUndefined();
});

test("an edit's repository is the one that its file is in, wherever the agent was started", async () => {
  await using stage = await testServer();
  const placeOf = inRepositories;
  const files = { "/other/a.ts": "/other", "src/a.ts": "/repo", "/etc/passwd": undefined };
  for (const [file_path, repository] of Object.entries(files)) {
    const tool_input = { file_path, content: "x\n", repository: "/repo" };
    const input = { ...preToolUse, tool_name: "Write", tool_input };
    await hook(stage, "claude", input, { waitMs: 0, placeOf });
    expect((await answer(stage, "reject")).context.arguments.repository).toBe(repository);
  }
  const read = { ...preToolUse, tool_name: "Read", tool_input: { file_path: "/etc/x", repository: "/repo" } };
  await hook(stage, "claude", read, { waitMs: 0, placeOf });
  expect((await answer(stage, "reject")).context.arguments).toEqual({ file_path: "/etc/x" });
  // An argument of a tool that has nothing to do with files stays what it is.
  const other = { ...preToolUse, tool_name: "mcp__github__issue", tool_input: { repository: "acme/shop" } };
  await hook(stage, "claude", other, { waitMs: 0, placeOf });
  expect((await answer(stage, "reject")).context.arguments).toEqual({ repository: "acme/shop" });
});

test("a call below .git or of an agent's settings says so, whatever the model says and where no files can be looked at", async () => {
  await using stage = await testServer();
  const asked = async (tool_name: string, tool_input: object, options: Partial<HookOptions> = {}) => {
    const input = { ...preToolUse, tool_name, tool_input };
    await hook(stage, "claude", input, { waitMs: 0, ...options });
    return (await answer(stage, "reject")).context.arguments.touches;
  };
  const placeOf = () => ({ repository: "/repo", touches: ".git" });
  expect(await asked("Write", { file_path: "link/pre-commit", content: "" }, { placeOf })).toBe(".git");
  expect(await asked("Bash", { command: "tee pre-commit", workdir: "link" }, { placeOf })).toBe(".git");
  expect(await asked("Edit", { file_path: "/repo/.git/config", touches: "" })).toBe(".git");
  expect(await asked("Write", { file_path: "~/.claude/settings.json" }, { placeOf: () => ({}) })).toBe(
    ".claude",
  );
  expect(await asked("Write", { file_path: "/repo/a.ts", touches: "docs" })).toBeUndefined();
});

test("a permission request of Claude Code or Codex gets a person's decision, and otherwise the agent's own prompt", async () => {
  for (const agent of ["claude", "codex"] as const) {
    await using stage = await testServer();
    const request = { ...preToolUse, hook_event_name: "PermissionRequest" };
    expect((await hook(stage, agent, request, { waitMs: 0 })).said).toEqual({});
    await answer(stage, "approve");
    expect((await hook(stage, agent, request)).said.hookSpecificOutput.decision).toEqual({
      behavior: "allow",
    });
    await publish(stage, { tools: ["*"], verdict: "deny", reason: "No" });
    expect((await hook(stage, agent, request)).said.hookSpecificOutput.decision).toEqual({
      behavior: "deny",
      message: "No",
    });
  }
});

test("Cursor's MCP calls, tools and file reads are checked, and events that decide nothing are left alone", async () => {
  await using stage = await testServer();
  await publish(stage, { tools: ["*"], verdict: "deny" });
  for (const event of [
    { hook_event_name: "beforeMCPExecution", tool_name: "query", tool_input: '{"sql":"drop table"}' },
    { hook_event_name: "preToolUse", tool_name: "Write", tool_input: { file_path: "/a", content: "" } },
    { hook_event_name: "beforeReadFile", file_path: "/repo/.env", content: "SECRET=1" },
  ])
    expect((await hook(stage, "cursor", { ...inCursor, ...event })).said.permission).toBe("deny");
  const { body } = await stage.call("GET", "/v1/checks", { key: stage.keys.admin });
  expect(JSON.stringify(body)).not.toContain("SECRET");
  for (const agent of AGENTS)
    expect((await hook(stage, agent, { hook_event_name: "Stop" })).said).toEqual({});
});
