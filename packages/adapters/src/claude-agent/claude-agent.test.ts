/** The helpers for the Claude Agent SDK, with the JSON that it sends, against a real server in memory. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RetryableError } from "@holdpoint/protocol/client";
import { similarInRepository } from "@holdpoint/protocol/gating";
import { type TestServer, testServer } from "holdpoint/testing";
import { afterAll, describe, expect, test } from "vitest";
import { deferToHold, holdpointPermission } from "./index.ts";
import type { ToolClient } from "./types.ts";

const PUSH = "git push --force";
const input = { command: PUSH, description: "Push the branch" };
const event = {
  ...{ session_id: "s1", transcript_path: "/tmp/t.jsonl", cwd: "/repo", permission_mode: "default" },
  ...{ hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "toolu_1", tool_input: input },
};
const { signal } = new AbortController();

function clientOf({ server }: TestServer): ToolClient {
  const principal = { role: "agent", via: "key", id: "k", name: "coder" } as const;
  return server.client({ workspace: "default", principal });
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

const publish = ({ call, keys }: TestServer, ...rules: object[]) =>
  call("PUT", "/v1/rules", { key: keys.admin, body: { rules } });

const BROKEN: Readonly<Record<string, ToolClient>> = {
  "the server is away": { check: () => Promise.reject(new RetryableError({ message: "away" })) } as never,
  "the server answers nonsense": { check: async () => ({ verdict: "yes" }) } as never,
  "the approval cannot be claimed": {
    check: async () => ({ verdict: "allow", reason: "", hold: { id: "h", digest: "d" } }),
    claim: () => Promise.reject(new RetryableError({ message: "away" })),
  } as never,
};

describe("canUseTool", () => {
  const use = (hp: ToolClient, options = {}) =>
    holdpointPermission(hp, { cwd: "/repo", ...options })("Bash", input, { signal, toolUseID: "toolu_1" });

  test("waits for a person, hands over the approved call and uses the approval up", async () => {
    await using stage = await testServer();
    const asking = use(clientOf(stage));
    const hold = await answer(stage, "approve");
    expect(hold.context).toMatchObject({ tool: "Bash", arguments: { command: PUSH, cwd: "/repo" } });
    expect(await asking).toEqual({ behavior: "allow", updatedInput: input });
    const { body } = await stage.call("GET", `/v1/holds/${hold.id}`, { key: stage.keys.operator });
    expect(body.claim).toMatchObject({
      state: "done",
      detail: { result: { handed_over_to: "claude-agent-sdk" } },
    });
  });

  test("runs the command as the person changed it", async () => {
    await using stage = await testServer();
    const asking = use(clientOf(stage));
    await answer(stage, "approve", { edited_args: { command: "git push", cwd: "/repo" } });
    expect(await asking).toEqual({ behavior: "allow", updatedInput: { ...input, command: "git push" } });
  });

  test("does not run an edit that the person approved with other arguments, because it cannot be handed over", async () => {
    await using stage = await testServer();
    const canUseTool = holdpointPermission(clientOf(stage));
    const write = { file_path: "/repo/a.ts", content: "x" };
    const asking = canUseTool("Write", write, {
      signal: new AbortController().signal,
      toolUseID: "t",
    } as never);
    const edited_args = { file_path: "/repo/b.ts", diff: "" };
    await answer(stage, "approve", { edited_args });
    expect(await asking).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("other arguments"),
    });
  });

  test("denies what a person rejects, what a rule denies, and what nobody has answered in time", async () => {
    await using stage = await testServer();
    const hp = clientOf(stage);
    const late = await use(hp, { waitMs: 0 });
    expect(late).toMatchObject({ behavior: "deny", message: expect.stringContaining("stays open") });
    const asking = use(hp);
    await answer(stage, "reject", { reason: "Not on main" });
    expect(await asking).toMatchObject({ behavior: "deny", message: expect.stringContaining("Not on main") });
    await publish(stage, { tools: ["Bash"], verdict: "deny", reason: "No shell" });
    expect(await use(hp)).toEqual({ behavior: "deny", message: "No shell" });
  });

  test("allows what the rules allow, unchanged", async () => {
    await using stage = await testServer();
    await publish(stage, { tools: ["Bash"], verdict: "allow" });
    expect(await use(clientOf(stage))).toEqual({ behavior: "allow", updatedInput: input });
  });

  test.each(Object.entries(BROKEN))("denies when %s", async (_what, hp) => {
    expect(await use(hp)).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("must not run"),
    });
  });
});

describe("deferToHold", () => {
  const fire = async (hp: ToolClient, given: object = event, onDefer?: (deferred: object) => void) => {
    const { hooks } = deferToHold(hp, "Bash", onDefer === undefined ? {} : { onDefer });
    return (await hooks[0]?.(given as never, "toolu_1", { signal }))?.hookSpecificOutput;
  };

  test("blocks when it fails, and names the tools it is for", () => {
    expect(deferToHold({} as never, "Bash|Write")).toMatchObject({
      matcher: "Bash|Write",
      onFailure: "block",
    });
    expect(deferToHold({} as never)).not.toHaveProperty("matcher");
  });

  test("defers without waiting; the same call after resuming finds the answer, once", async () => {
    await using stage = await testServer();
    const hp = clientOf(stage);
    const deferred: object[] = [];
    const first = await fire(hp, event, (each) => deferred.push(each));
    expect(first).toMatchObject({ permissionDecision: "defer" });
    expect((await fire(hp))?.permissionDecision).toBe("defer");
    const { id } = await answer(stage, "approve");
    expect(deferred).toEqual([{ holdId: id, sessionId: "s1" }]);
    expect(await fire(hp)).toMatchObject({ permissionDecision: "allow", updatedInput: input });
    expect((await fire(hp))?.permissionDecision).toBe("defer");
  });

  test("asks about the same hold as canUseTool, because the SDK ignores defer in turns with several tools", async () => {
    await using stage = await testServer();
    const hp = clientOf(stage);
    const holdIds: string[] = [];
    await fire(hp, event, (each) => holdIds.push((each as { holdId: string }).holdId));
    const waiting = holdpointPermission(hp, { cwd: "/repo" })("Bash", input, { signal });
    expect((await answer(stage, "approve")).id).toBe(holdIds[0]);
    expect(await waiting).toMatchObject({ behavior: "allow" });
  });

  test("denies what a person rejected, and gives no decision about what the rules allow", async () => {
    await using stage = await testServer();
    const hp = clientOf(stage);
    await fire(hp);
    await answer(stage, "reject", { reason: "No" });
    expect(await fire(hp)).toMatchObject({ permissionDecision: "deny" });
    await publish(stage, { tools: ["Bash"], verdict: "allow" });
    expect(await fire(hp)).toBeUndefined();
    expect(await fire(hp, { ...event, hook_event_name: "PostToolUse" })).toBeUndefined();
  });

  test.each([...Object.entries(BROKEN), ["its input is malformed", {} as ToolClient] as const])(
    "denies when %s",
    async (what, hp) => {
      const given = what === "its input is malformed" ? { ...event, tool_input: "text" } : event;
      expect(await fire(hp, given)).toMatchObject({ permissionDecision: "deny" });
    },
  );
});

describe("the repository of a call", () => {
  const repository = realpathSync(mkdtempSync(join(tmpdir(), "hp-claude-agent-")));
  const cwd = join(repository, "docs");
  mkdirSync(join(repository, ".git"));
  mkdirSync(cwd);
  afterAll(() => rmSync(repository, { recursive: true }));

  const permit = (hp: ToolClient, args: Record<string, unknown>, tool = "Bash") =>
    holdpointPermission(hp, { cwd, waitMs: 0 })(tool, args, { signal });

  test("is found on this machine and shown, whatever the model says about it", async () => {
    await using stage = await testServer();
    const hp = clientOf(stage);
    const [hook] = deferToHold(hp).hooks;
    const ways = [
      () => permit(hp, { ...input, repository: "/elsewhere" }),
      () => permit(hp, { file_path: "new/page.md", content: "x\n", repository: "/elsewhere" }, "Write"),
      () => hook?.({ ...event, cwd, tool_input: { command: "make" } }, "toolu_1", { signal }),
    ];
    for (const way of ways) {
      await way();
      expect((await answer(stage, "reject")).context.arguments).toMatchObject({ repository });
    }
  });

  test("lets a person allow similar calls in it, which then are not asked about", async () => {
    await using stage = await testServer();
    const hp = clientOf(stage);
    await permit(hp, input);
    const { call, keys } = stage;
    const [hold] = (await call("GET", "/v1/holds?status=open", { key: keys.operator })).body.holds;
    const grant = similarInRepository(hold.context.tool, hold.context.arguments);
    expect(grant).toBeDefined();
    const body = { action: "approve", grant };
    expect(await call("POST", `/v1/holds/${hold.id}/answer`, { key: keys.operator, body })).toMatchObject({
      status: 200,
    });
    expect(await permit(hp, { command: "git push origin main" })).toMatchObject({ behavior: "allow" });
    const elsewhere = holdpointPermission(hp, { cwd: tmpdir(), waitMs: 0 });
    expect(await elsewhere("Bash", { command: "git push" }, { signal })).toMatchObject({ behavior: "deny" });
  });

  test("is the one of the process if no folder is given, as the SDK has it", async () => {
    await using stage = await testServer();
    await holdpointPermission(clientOf(stage), { waitMs: 0 })("Bash", input, { signal });
    expect((await answer(stage, "reject")).context.arguments.cwd).toBe(process.cwd());
  });
});
