import { HttpAgent } from "@ag-ui/client";
import { AgentCapabilitiesSchema } from "@ag-ui/core/schemas";
import { sseParser } from "@holdpoint/protocol/http";
import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { SCENARIO_NAMES } from "./scenarios.ts";

// biome-ignore lint/suspicious/noExplicitAny: events are asserted on as they come.
type Seen = any;

/** What the person says in each scenario. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  approval: { approved: true },
  edits: { approved: true, editedArgs: { amount: 1, to: "Ada" } },
  parallel: { approved: true },
  form: { street: "Long Road 1", city: "Bath" },
  confirmation: { confirmed: true },
  policy: { approved: true },
  wizard: { value: "x" },
  database: { approved: true },
  recovery: { action: "retry" },
};

const RESULTS: Readonly<Record<string, unknown>> = {
  approval: { transfer: "executed" },
  edits: { transfer: "executed", args: { amount: 1, to: "Ada" } },
  parallel: { transfers: ["executed", "executed", "executed"] },
  form: { address: { street: "Long Road 1", city: "Bath" } },
  confirmation: { closed: true },
  file: { file: { file_id: expect.any(String), name: "contract.pdf", sha256: expect.any(String) } },
  policy: { released: true },
  wizard: { answers: ["x", "x", "x"] },
  database: { deleted: 340 },
  recovery: { recovery: { action: "retry" } },
};

/** The file scenario is answered with a file that was uploaded before. */
async function answerTo(name: string, test: TestServer, interruptId: string): Promise<unknown> {
  if (name !== "file") return ANSWERS[name];
  const { status, body } = await upload(test, { threadId: "t1", interruptId, name: "contract.pdf" });
  expect(status).toBe(201);
  const { bytes: _, ...file } = body;
  return { file };
}

async function upload({ server, keys }: TestServer, query: Record<string, string>, key = keys.operator) {
  const reply = await server.app.request(`/agui/demo/files?${new URLSearchParams(query)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: "signed",
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

const AT_DEMO = "http://localhost/agui/demo";

function agentOn({ server, keys }: TestServer, key: string = keys.operator, url = AT_DEMO) {
  return new HttpAgent({
    url,
    threadId: "t1",
    headers: { authorization: `Bearer ${key}` },
    fetch: async (address: string, init: RequestInit) => server.app.request(address, init),
  } as never);
}

async function run(agent: HttpAgent, parameters: object): Promise<Seen> {
  const events: Seen[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }: Seen) => void events.push(event) });
  return events.at(-1);
}

function say(agent: HttpAgent, content: string): void {
  agent.messages = [{ id: "m1", role: "user", content }];
}

async function post(test: TestServer, body: object, path = "/agui/draft/demo"): Promise<readonly Seen[]> {
  const { body: text } = await test.call("POST", path, { key: test.keys.operator, body });
  return sseParser()
    .push(String(text))
    .map(({ data }) => JSON.parse(data));
}

const ask = (content: string) => ({ messages: [{ id: "m1", role: "user", content }] });

describe("the demo agent", () => {
  it.each(SCENARIO_NAMES)("AG-014 AG-106 %s runs to its end in the released form", async (name) => {
    await using test = await testServer();
    const agent = agentOn(test);
    say(agent, `${name} please`);
    let end = await run(agent, { runId: "r0" });
    for (let round = 1; agent.pendingInterrupts.length > 0; round += 1) {
      const resume = [];
      for (const { id } of agent.pendingInterrupts) {
        const payload = await answerTo(name, test, id);
        resume.push({ interruptId: id, status: "resolved" as const, payload });
      }
      end = await run(agent, { runId: `r${round}`, resume });
      expect(end.type).toBe("RUN_FINISHED");
    }
    expect(end).toMatchObject({ type: "RUN_FINISHED", result: RESULTS[name] });
    expect(test.log).toEqual([]);
  });

  it.each(SCENARIO_NAMES)("AG-013 AG-085 AG-089 %s runs to its end in the draft form", async (name) => {
    await using test = await testServer();
    let end = (await post(test, { threadId: "t1", runId: "r0", ...ask(name) })).at(-1);
    for (let round = 1; end.outcome === "interrupt"; round += 1) {
      expect(Object.keys(end.interrupt)).toEqual(["id", "reason", "payload"]);
      expect(end.result).toBeUndefined();
      const payload = await answerTo(name, test, end.interrupt.id);
      const resume = { interruptId: end.interrupt.id, payload };
      end = (await post(test, { threadId: "t1", runId: `r${round}`, resume })).at(-1);
    }
    expect(end).toEqual({
      type: "RUN_FINISHED",
      threadId: "t1",
      runId: expect.any(String),
      outcome: "success",
      result: RESULTS[name],
    });
  });

  it("G3 a thread whose server died is free when its lease is over, although the machine's clock was set back meanwhile", async () => {
    await using test = await testServer();
    const { server, clock } = test;
    const [open] = (
      await post(test, { threadId: "t1", runId: "r0", ...ask("approval") }, "/agui/demo")
    ).slice(-1);
    const [found] = await server.engine.store.query({ workspace: "default", kind: "thread", limit: 1 });
    if (found === undefined) throw new Error("no thread is kept");
    const { createdBy, threadId, data, waitsFor = "" } = found.body;
    const by = { role: "app", via: "key", id: createdBy, name: createdBy } as const;
    const kept = { ...data, lease: { holder: "a server that died", until: clock.now() + 10_000 } };
    await server.engine.run({
      ...{ kind: "keep_thread", workspace: "default", by, threadId, waitsFor, data: kept },
    });
    await clock.set(clock.now() - 86_400_000);
    const [{ id: interruptId }] = open.outcome.interrupts;
    const resume = [{ interruptId, status: "resolved", payload: { approved: true } }];
    const end = async () => (await post(test, { threadId, runId: "r1", resume }, "/agui/demo")).at(-1);
    expect(await end()).toMatchObject({ type: "RUN_ERROR", code: "THREAD_BUSY" });
    await clock.advance(11_000);
    expect(await end()).toMatchObject({ type: "RUN_FINISHED", result: { transfer: "executed" } });
  });

  it("the demo accepts a file only for an interrupt of that thread that asks for one, from callers who may answer (G7)", async () => {
    await using test = await testServer();
    const [open] = (await post(test, { threadId: "t1", runId: "r0", ...ask("file") }, "/agui/demo")).slice(
      -1,
    );
    const [{ id: interruptId }] = open.outcome.interrupts;
    const query = { threadId: "t1", interruptId, name: "contract.pdf" };
    expect((await upload(test, { ...query, threadId: "t2" })).status).toBe(404);
    expect((await upload(test, { ...query, interruptId: "hold_none" })).status).toBe(404);
    expect((await upload(test, { ...query, name: "" })).status).toBe(400);
    expect((await upload(test, query, test.keys.agent)).status).toBe(403);
    expect((await upload(test, query, "nobody")).status).toBe(401);
    const { body } = await upload(test, query);
    const resume = (file: object) => [{ interruptId, status: "resolved", payload: { file } }];
    const wrong = { ...body, sha256: "0".repeat(64), bytes: undefined };
    const refused = await post(test, { threadId: "t1", runId: "r1", resume: resume(wrong) }, "/agui/demo");
    expect(refused.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "INVALID_PAYLOAD" });
    const { bytes: _, ...file } = body;
    await post(test, { threadId: "t1", runId: "r2", resume: resume(file) }, "/agui/demo");
    expect((await upload(test, query)).status).toBe(409);
  });

  it("the demo lists its scenarios when it does not know the word", async () => {
    await using test = await testServer();
    const events = await post(test, { threadId: "t1", runId: "r1", ...ask("hello") }, "/agui/demo");
    expect(events.find(({ type }) => type === "TEXT_MESSAGE_CONTENT").delta).toContain("wizard");
  });

  it("AG-084 the query parameter chooses the interrupt form", async () => {
    await using test = await testServer();
    const events = await post(
      test,
      { threadId: "t1", runId: "r1", ...ask("policy") },
      "/agui/demo?interruptForm=draft",
    );
    expect(events.at(-1)).toMatchObject({ outcome: "interrupt" });
  });

  it("AG-080 AG-081 AG-082 the demo declares its capabilities as the schema requires", async () => {
    await using test = await testServer();
    const { status, body } = await test.call("GET", "/agui/demo/capabilities", { key: test.keys.operator });
    expect(status).toBe(200);
    expect(AgentCapabilitiesSchema.parse(body)).toMatchObject({ humanInTheLoop: { interrupts: true } });
    expect(body.custom).toEqual({
      interruptForms: ["released", "draft"],
      files: { path: "files", bytesMax: 10 * 1024 * 1024 },
    });
  });

  it("AG-099 AG-101 a reloaded page gets the open interrupts and the answered ones", async () => {
    await using test = await testServer();
    const agent = agentOn(test);
    say(agent, "wizard");
    await run(agent, { runId: "r1" });
    const [first] = agent.pendingInterrupts;
    await run(agent, {
      runId: "r2",
      resume: [{ interruptId: first?.id ?? "", status: "resolved", payload: { value: "Ada" } }],
    });
    const key = test.keys.operator;
    const { body } = await test.call("GET", "/agui/demo/interrupts?threadId=t1", { key });
    expect(body.interrupts).toEqual(agent.pendingInterrupts);
    expect(body.history).toMatchObject([
      { interrupt: { id: first?.id }, status: "resolved", payload: { value: "Ada" }, by: "ada" },
    ]);
    const reloaded = agentOn(test);
    reloaded.pendingInterrupts = body.interrupts;
    const end = await run(reloaded, {
      runId: "r3",
      resume: [{ interruptId: body.interrupts[0].id, status: "resolved", payload: { value: "Core" } }],
    });
    expect(end).toMatchObject({ outcome: { type: "interrupt" } });
  });

  it("G7 an agent's key can start runs and cannot answer", async () => {
    await using test = await testServer();
    const agent = agentOn(test, test.keys.agent);
    say(agent, "approval");
    await run(agent, { runId: "r1" });
    const resume = [
      {
        interruptId: agent.pendingInterrupts[0]?.id ?? "",
        status: "resolved" as const,
        payload: { approved: true },
      },
    ];
    expect(await run(agent, { runId: "r2", resume })).toMatchObject({
      type: "RUN_ERROR",
      code: "NOT_ALLOWED",
    });
    const { status } = await test.call("GET", "/agui/demo/interrupts?threadId=t1", { key: test.keys.agent });
    expect(status).toBe(403);
  });

  it("the demo keeps the threads of different callers apart", async () => {
    await using test = await testServer();
    const agent = agentOn(test);
    say(agent, "approval");
    await run(agent, { runId: "r1" });
    const other = agentOn(test, test.keys.otherOperator);
    const resume = [
      {
        interruptId: agent.pendingInterrupts[0]?.id ?? "",
        status: "resolved" as const,
        payload: { approved: true },
      },
    ];
    expect(await run(other, { runId: "r2", resume })).toMatchObject({ code: "UNKNOWN_INTERRUPT_ID" });
  });

  it.each([
    ["/messages", { protocolVersion: "1.0" }],
    ["/resume/0/metadata", { resume: [{ interruptId: "i", status: "resolved", metadata: null }] }],
    ["/threadId", { threadId: ".." }],
  ])("AG-021 AG-027 AG-043 the demo's refusal names the place of what is wrong: %s", async (path, more) => {
    await using test = await testServer();
    const body = { threadId: "t1", runId: "r1", ...more };
    const reply = await test.call("POST", "/agui/demo", { key: test.keys.operator, body });
    expect(reply).toMatchObject({ status: 400, body: { path, error: expect.stringContaining(path) } });
  });

  it("the demo accepts a message of several parts and a null resume, which some clients send", async () => {
    await using test = await testServer();
    const content = [{ type: "text", text: "policy please" }];
    const messages = [{ id: "m1", role: "user", content }];
    const body = { threadId: "t1", runId: "r1", messages, resume: null };
    expect((await post(test, body, "/agui/demo")).at(-1)).toMatchObject({
      outcome: { interrupts: [{ reason: "policy_hold" }] },
    });
  });

  it("R18 a body without a thread is refused with an error that clients can show", async () => {
    await using test = await testServer();
    const reply = await test.call("POST", "/agui/demo", { key: test.keys.operator, body: { runId: "r1" } });
    expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining("threadId") } });
  });

  it("attack 12: the demo runs nothing and accepts no file for an auditor", async () => {
    await using test = await testServer();
    const key = test.keys.auditor;
    const body = { threadId: "t1", runId: "r1", messages: [{ id: "m1", role: "user", content: "approval" }] };
    for (const path of ["/agui/demo", "/agui/draft/demo"]) {
      const reply = await test.call("POST", path, { key, body });
      expect(reply).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    }
    const sent = await upload(test, { threadId: "t1", interruptId: "i1", name: "a.pdf" }, key);
    expect(sent).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    const { body: found } = await test.call("GET", "/v1/holds", { key });
    expect(found.holds).toEqual([]);
  });

  it("attack 12: the demo is neither served nor described on a server with a public address", async () => {
    await using test = await testServer({ publicUrl: "https://holdpoint.example" });
    const key = test.keys.operator;
    for (const [method, path] of [
      ["POST", "/agui/demo"],
      ["POST", "/agui/draft/demo"],
      ["POST", "/agui/demo/files"],
      ["GET", "/agui/demo/capabilities"],
      ["GET", "/agui/demo/interrupts?threadId=t1"],
    ] as const) {
      expect(await test.call(method, path, { key }), path).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
    const { body } = await test.call("GET", "/openapi.json");
    expect(Object.keys(body.paths).filter((path) => path.includes("demo"))).toEqual([]);
    expect(body.paths).toHaveProperty("/agui/proxy/{name}");
  });
});
