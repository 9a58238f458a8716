/** The MCP server (M1–M3), with real clients of both SDK versions over HTTP and over memory. */

import { InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { type AnyClient, CLIENT_KINDS, connected, overHttp, type ToolResult } from "./clients.fixture.ts";
import { holdpointMcpServer } from "./server.ts";

async function openHold({ call, keys }: TestServer) {
  for (;;) {
    const { body } = await call("GET", "/v1/holds?status=open", { key: keys.operator });
    if (body.holds.length > 0) return body.holds[0];
    await new Promise(setImmediate);
  }
}

async function answer(stage: TestServer, action: string, data = {}) {
  const { id } = await openHold(stage);
  const body = { action, data };
  const reply = await stage.call("POST", `/v1/holds/${id}/answer`, { key: stage.keys.operator, body });
  expect(reply.status).toBe(200);
  return id as string;
}

/** Moves the clock until the call has returned. */
async function afterTheWait(stage: TestServer, call: Promise<ToolResult>): Promise<ToolResult> {
  await openHold(stage);
  let result: ToolResult | undefined;
  void call.then((found) => {
    result = found;
  });
  for (let n = 0; n < 100 && result === undefined; n += 1) {
    await stage.clock.advance(1_000);
    await new Promise(setImmediate);
  }
  return call;
}

const ask = (client: AnyClient, given = {}) =>
  client.call("ask_human", { question: "Deploy now?", ...given });

describe.each(CLIENT_KINDS)("an MCP client %s over HTTP", (kind) => {
  test("gets the answer of a person to ask_human in the same call, with the person's name", async () => {
    await using stage = await testServer();
    await using client = await overHttp(kind, stage, stage.keys.agent);
    const asking = ask(client);
    await answer(stage, "approve");
    expect((await asking).structuredContent).toMatchObject({
      status: "answered",
      action: "approve",
      answered_by: "ada",
    });
  });

  test("is told after 50 seconds that the question is pending, and finds the answer with get_answer", async () => {
    await using stage = await testServer();
    await using client = await overHttp(kind, stage, stage.keys.agent);
    const pending = (await afterTheWait(stage, ask(client))).structuredContent;
    expect(pending).toMatchObject({ status: "pending" });
    expect(pending?.["message"]).toContain("get_answer");
    const id = await answer(stage, "reject", { reason: "Not on Friday" });
    const found = await client.call("get_answer", { question_id: pending?.["question_id"] });
    expect(found.structuredContent).toMatchObject({
      question_id: id,
      status: "answered",
      action: "reject",
      data: { reason: "Not on Friday" },
    });
  });
});

test("the MCP server offers no tool that answers, and no result contains a review link (M1)", async () => {
  await using stage = await testServer();
  await using client = await overHttp("2.x, older revision", stage, stage.keys.agent);
  const names = (await client.tools()).map(({ name }) => name);
  expect(names).toEqual([
    "ask_human",
    "get_answer",
    "cancel_question",
    "list_my_questions",
    "permission_prompt",
  ]);
  const asked = await afterTheWait(stage, ask(client));
  const listed = await client.call("list_my_questions");
  for (const result of [asked, listed]) expect(JSON.stringify(result)).not.toMatch(/https?:\/\/|review|hpl_/);
});

test("ask_human asks for a selection when it has options, for input when it has a schema, and for text otherwise", async () => {
  await using stage = await testServer();
  await using client = await overHttp("1.x", stage, stage.keys.agent);
  const choosing = ask(client, { options: ["blue", { id: "green", label: "Green" }] });
  await answer(stage, "select", { selected: ["green"] });
  expect((await choosing).structuredContent).toMatchObject({
    action: "select",
    data: { selected: ["green"] },
  });
  const schema = { type: "object", properties: { port: { type: "integer" } }, required: ["port"] };
  const filling = ask(client, { schema });
  expect((await openHold(stage)).type).toBe("input");
  await answer(stage, "submit", { port: 80 });
  expect((await filling).structuredContent).toMatchObject({ data: { port: 80 } });
  const writing = ask(client, { kind: "input" });
  await answer(stage, "submit", { answer: "Ask Grace" });
  expect((await writing).structuredContent).toMatchObject({ data: { answer: "Ask Grace" } });
});

test("an MCP question that expires says that nobody decided, and names no person (M3)", async () => {
  await using stage = await testServer();
  await using client = await overHttp("2.x, revision 2026-07-28", stage, stage.keys.agent);
  const { structuredContent } = await afterTheWait(stage, ask(client, { timeout: "30s" }));
  expect(structuredContent).toMatchObject({ status: "expired" });
  expect(structuredContent?.["message"]).toContain("Nobody decided");
  expect(structuredContent).not.toHaveProperty("answered_by");
});

test("asking over MCP twice with the same key is one question", async () => {
  await using stage = await testServer();
  await using client = await overHttp("1.x", stage, stage.keys.agent);
  const first = await afterTheWait(stage, ask(client, { key: "deploy" }));
  const second = await afterTheWait(stage, ask(client, { key: "deploy" }));
  expect(second.structuredContent?.["question_id"]).toBe(first.structuredContent?.["question_id"]);
});

test("an agent over MCP neither reads, nor withdraws, nor lists the questions of another agent", async () => {
  await using stage = await testServer();
  await using mine = await overHttp("2.x, older revision", stage, stage.keys.agent);
  const pending = await afterTheWait(stage, ask(mine));
  const question_id = pending.structuredContent?.["question_id"];
  for (const key of [stage.keys.otherAgent, stage.keys.dev]) {
    await using other = await overHttp("2.x, older revision", stage, key);
    for (const tool of ["get_answer", "cancel_question"])
      expect(await other.call(tool, { question_id })).toMatchObject({ isError: true });
    expect((await other.call("list_my_questions")).structuredContent).toEqual({ questions: [] });
  }
  const listed = await mine.call("list_my_questions");
  expect(listed.structuredContent).toMatchObject({
    questions: [{ question: "Deploy now?", status: "pending" }],
  });
  const cancelled = await mine.call("cancel_question", { question_id, reason: "done by hand" });
  expect(cancelled.structuredContent).toMatchObject({ status: "cancelled" });
});

test("a client that gives up leaves its MCP question open (G8)", async () => {
  await using stage = await testServer();
  await using client = await overHttp("2.x, older revision", stage, stage.keys.agent);
  const gone = new AbortController();
  const asking = client.call("ask_human", { question: "Still there?" }, { signal: gone.signal });
  const { id } = await openHold(stage);
  gone.abort();
  await expect(asking).rejects.toThrow();
  expect((await stage.call("GET", `/v1/holds/${id}`, { key: stage.keys.agent })).body.status).toBe("open");
});

test("a refused MCP question is a tool error that says what is wrong", async () => {
  await using stage = await testServer();
  await using client = await overHttp("1.x", stage, stage.keys.agent);
  const result = await ask(client, { timeout: "soon" });
  expect(result.isError).toBe(true);
  expect(result.content[0]?.text).toContain("timeout");
});

describe("POST /mcp", () => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

  test("refuses callers without a key in JSON-RPC's words, and keys that may not ask", async () => {
    await using stage = await testServer();
    const nobody = await stage.call("POST", "/mcp", { body: message });
    expect(nobody).toMatchObject({
      status: 401,
      body: { jsonrpc: "2.0", error: { data: { code: "unauthenticated" } } },
    });
    for (const key of [stage.keys.operator, stage.keys.auditor])
      expect((await stage.call("POST", "/mcp", { key, body: message })).status).toBe(403);
  });

  test("refuses a body that is no JSON-RPC message, and other methods than POST", async () => {
    await using stage = await testServer();
    const key = stage.keys.agent;
    for (const body of ["{", [], {}, { jsonrpc: "1.0" }])
      expect((await stage.call("POST", "/mcp", { key, body })).status).toBeGreaterThanOrEqual(400);
    expect((await stage.call("GET", "/mcp", { key })).status).toBe(405);
  });
});

describe("permission_prompt", () => {
  const call = { tool_name: "Bash", input: { command: "git push --force" }, tool_use_id: "toolu_1" };
  const read = ({ content }: ToolResult) => JSON.parse(content[0]?.text ?? "");
  const prompt = async (client: AnyClient) => read(await client.call("permission_prompt", call));

  test("allows what the rules allow, and denies what they deny with the rule's reason", async () => {
    await using stage = await testServer();
    await using client = await overHttp("1.x", stage, stage.keys.agent);
    const publish = (body: object) => stage.call("PUT", "/v1/rules", { key: stage.keys.admin, body });
    await publish({ rules: [{ tools: ["Bash"], verdict: "allow" }] });
    expect(await prompt(client)).toEqual({ behavior: "allow", updatedInput: call.input });
    await publish({ rules: [{ tools: ["Bash"], verdict: "deny", reason: "No shell here" }] });
    expect(await prompt(client)).toEqual({ behavior: "deny", message: "No shell here" });
  });

  test("asks a person, hands over the arguments that the person approved, and uses the approval up", async () => {
    await using stage = await testServer();
    await using client = await overHttp("2.x, older revision", stage, stage.keys.agent);
    const asking = prompt(client);
    const id = await answer(stage, "approve");
    expect(await asking).toEqual({ behavior: "allow", updatedInput: call.input });
    const { body } = await stage.call("GET", `/v1/holds/${id}`, { key: stage.keys.agent });
    expect(body.claim).toMatchObject({ state: "done" });
    const again = client.call("permission_prompt", call);
    expect((await openHold(stage)).id).not.toBe(id);
    expect(read(await afterTheWait(stage, again))).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("Pending"),
    });
  });
});

test("permission_prompt shows a call as the hook does, and what the model says about its repository does not count", async () => {
  await using stage = await testServer();
  await using client = await overHttp("2.x, older revision", stage, stage.keys.agent);
  const read = ({ content }: ToolResult) => JSON.parse(content[0]?.text ?? "");
  const write = { file_path: "/repo/.git/hooks/pre-commit", content: "x", repository: "/repo" };
  const asking = client.call("permission_prompt", { tool_name: "Write", input: write });
  const { context } = await openHold(stage);
  expect(context.arguments).toEqual({
    file_path: write.file_path,
    diff: expect.stringContaining("+x"),
    touches: ".git",
  });
  await answer(stage, "approve", { edited_args: { ...context.arguments, file_path: "/repo/a" } });
  expect(read(await asking)).toEqual({
    behavior: "deny",
    message: expect.stringContaining("other arguments"),
  });
  const shell = { command: "git push", description: "Push", repository: "/repo" };
  const pushing = client.call("permission_prompt", { tool_name: "Bash", input: shell });
  expect((await openHold(stage)).context.arguments).toEqual({ command: "git push" });
  await answer(stage, "approve", { edited_args: { command: "git fetch" } });
  expect(read(await pushing)).toEqual({
    behavior: "allow",
    updatedInput: { ...shell, command: "git fetch" },
  });
});

test("the same tools work over a connection in memory", async () => {
  await using stage = await testServer();
  const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
  const client = stage.server.client({ workspace: "default", principal });
  for (const kind of ["2.x, older revision", "1.x"] as const) {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await holdpointMcpServer({ client, me: async () => "refunder" }).connect(ours);
    await using mcp = await connected(kind, theirs);
    const asking = ask(mcp);
    await answer(stage, "approve");
    expect((await asking).structuredContent).toMatchObject({ status: "answered" });
  }
});
