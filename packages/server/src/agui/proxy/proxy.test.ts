/** The proxy before an agent of the test's own, which misbehaves as it is told to. */

import { describe, expect, it } from "vitest";
import {
  answerBoth,
  approve,
  done,
  eventsIn,
  eventually,
  finished,
  idsOf,
  interrupts,
  type Script,
  type Seen,
  type Stage,
  stage,
  started,
  stateIs,
  stream,
  text,
} from "../../testing/proxy-stage.ts";

describe("the proxy", () => {
  it("the proxy passes events through and shows interrupts as holds with their review address", async () => {
    await using here = await stage();
    const first = await here.run({ runId: "r1", tools: [{ name: "x" }], state: { a: 1 } });
    expect(first.events.slice(1, 4)).toEqual(text("m1", "Two payments."));
    const [one, two] = first.events.at(-1).outcome.interrupts;
    expect(one).toMatchObject({ reason: "tool_call", toolCallId: "c1", message: "Pay Ada?" });
    expect(one.metadata).toMatchObject({
      payload: { amount: 40 },
      hitl: { type: "approval", context: { amount: 40 } },
    });
    expect(one.metadata.hitl.poll_url).toMatch(/\/reviews\/[^/]+\/status$/);
    expect(JSON.stringify(one)).not.toMatch(/token|up-1/);
    expect(two.reason).toBe("acme:odd");
    expect(here.inputs[0]).toMatchObject({
      threadId: "t1",
      runId: "r1",
      tools: [{ name: "x" }],
      state: { a: 1 },
    });
    expect(here.headers[0].authorization).toBe("Bearer upstream-secret");
    expect(await here.releases("waiting")).toMatchObject([
      { proxy: "payer", thread_id: "t1", caller: "shop" },
    ]);
  });

  it("AG-050 the proxy passes on the token usage of the agent's run once", async () => {
    await using here = await stage();
    const usage = [{ model: "m", inputTokens: 12, outputTokens: 3 }];
    here.resumed = (input, reply) => {
      stream(reply, started(input), finished(input, { outcome: { type: "success" }, usage }));
      reply.end();
    };
    const resume = idsOf(await here.run({})).map(approve);
    expect((await here.run({ runId: "r2", resume })).events.at(-1)).toMatchObject({ usage });
    expect((await here.run({ runId: "r3", resume })).events.at(-1)).not.toHaveProperty("usage");
  });

  it("the proxy gives review links to the client only if the operator allows it", async () => {
    await using here = await stage({ links: "agent" });
    const [one] = (await here.run({})).events.at(-1).outcome.interrupts;
    expect(one.metadata.hitl.review_url).toMatch(/^http:\/\/localhost:4100\/review\//);
  });

  it("an answer with the link that the client was given names no person", async () => {
    await using here = await stage({ links: "agent" });
    const [one, two] = (await here.run({})).events.at(-1).outcome.interrupts;
    const { pathname, search } = new URL(one.metadata.hitl.review_url);
    const path = `${pathname.replace("/review/", "/reviews/")}/respond${search}`;
    const answer = { action: "approve", data: { note: "the order is mine" } };
    expect(await here.test.call("POST", path, { body: answer })).toMatchObject({ status: 200 });
    const shown = "a link that was given to the asking agent";
    const { body } = await here.test.call("GET", "/agui/proxy/payer/interrupts?threadId=t1", {
      key: here.test.keys.app,
    });
    expect(body.history).toMatchObject([{ interrupt: { id: one.id }, by: shown }]);
    const reject = { interruptId: one.id, status: "resolved", payload: { approved: false } };
    const late = await here.run({ runId: "r2", resume: [reject, approve(two.id)] });
    expect(JSON.stringify(late.events)).toContain(`"by":{"name":"${shown}"}`);
  });

  it("the proxy releases answers from different doors as one resume, with no client connected", async () => {
    await using here = await stage();
    const [one, two] = idsOf(await here.run({}));
    await here.answer(one);
    expect(here.inputs).toHaveLength(1);
    await here.answer(two, "reject");
    await stateIs(here, "released");
    expect(here.inputs).toHaveLength(2);
    expect(here.inputs[1].resume).toMatchObject([
      { interruptId: "up-1", status: "resolved", payload: { approved: true } },
      { interruptId: "up-2", status: "resolved", payload: { approved: false } },
    ]);
    const back = await eventually(async () => {
      const connected = await here.run({ runId: "r9" }, "/connect");
      expect(connected.events.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
      return connected;
    });
    expect(back.events.map(({ type }: Seen) => type)).toEqual([
      "RUN_STARTED",
      "STATE_SNAPSHOT",
      "MESSAGES_SNAPSHOT",
      "RUN_FINISHED",
    ]);
    expect(back.events[2].messages.map(({ content }: Seen) => content)).toEqual(["Two payments.", "Done."]);
    expect(back.events[3]).toMatchObject({ outcome: { type: "success" }, result: { paid: 2 } });
    const again = await here.run({
      runId: "r10",
      resume: [approve(one), { ...approve(two), payload: { approved: false } }],
    });
    expect(again.events.at(-1)).toMatchObject({ result: { paid: 2 } });
    expect(here.inputs).toHaveLength(2);
  });

  it("without auto_resume the proxy waits for the client, whose resume then includes the answers of others", async () => {
    await using here = await stage({ autoResume: false });
    const [one, two] = idsOf(await here.run({}));
    await here.answer(one);
    await here.test.clock.advance(60_000);
    const open = await here.run({ runId: "r2" }, "/connect");
    expect(idsOf(open)).toEqual([two]);
    const last = await here.run({ runId: "r3", resume: [approve(two)] });
    expect(last.events.at(-1)).toMatchObject({ outcome: { type: "success" } });
    expect(here.inputs[1].resume).toHaveLength(2);
    expect(await here.releases()).toMatchObject([{ state: "released", attempt: 1 }]);
  });

  it.each([
    [
      "draft",
      { outcome: "interrupt", interrupt: { id: "up-1", reason: "human_approval", payload: { x: 1 } } },
      { resume: { interruptId: "up-1", payload: { approved: true } } },
    ],
    [
      "April draft",
      { outcome: "interrupt", interrupts: [interrupts[0]] },
      { resume: [{ interruptId: "up-1", status: "resolved" }] },
    ],
  ])("the proxy reads an agent that speaks the %s form", async (_name, end, expected) => {
    await using here = await stage();
    here.first = (input, reply) => {
      stream(reply, started(input), finished(input, end));
      reply.end();
    };
    const [id] = idsOf(await here.run({}));
    await here.run({ runId: "r2", resume: [approve(id)] });
    expect(here.inputs[1]).toMatchObject(expected);
  });

  it("the proxy understands agents with LangGraph's older interrupts and keeps their other properties", async () => {
    await using here = await stage();
    here.first = (input, reply) => {
      const event = { type: "CUSTOM", name: "on_interrupt", value: JSON.stringify({ question: "Sure?" }) };
      stream(reply, started(input), event, finished(input, {}));
      reply.end();
    };
    const first = await here.run({ forwardedProps: { model: "m" } });
    const [id] = idsOf(first);
    await here.answer(id);
    await stateIs(here, "released");
    expect(here.inputs[1].forwardedProps).toMatchObject({ model: "m", command: { resume: true } });
  });

  it("the proxy sends the draft form to draft clients", async () => {
    await using here = await stage();
    const { body } = await here.test.call("POST", "/agui/draft/proxy/payer", {
      key: here.test.keys.app,
      body: { threadId: "t1", runId: "r1" },
    });
    expect(eventsIn(body).at(-1)).toMatchObject({ outcome: "interrupt", interrupt: { reason: "tool_call" } });
  });

  it("the proxy refuses unknown agents and answers with an agent's key", async () => {
    await using here = await stage();
    const call = (path: string, key: string) =>
      here.test.call("POST", path, { key, body: { threadId: "t1", runId: "r1", messages: [] } });
    expect((await call("/agui/proxy/nobody", here.test.keys.app)).status).toBe(404);
    const mine = await call("/agui/proxy/payer", here.test.keys.agent);
    const [id] = idsOf({ events: eventsIn(mine.body) });
    const answered = await here.test.call("POST", "/agui/proxy/payer", {
      key: here.test.keys.agent,
      body: { threadId: "t1", runId: "r2", messages: [], resume: [approve(id)] },
    });
    expect(eventsIn(answered.body).at(-1)).toMatchObject({ type: "RUN_ERROR" });
    expect(here.inputs).toHaveLength(1);
  });

  it("callers with the same name and another role have separate threads, and auditors start no run", async () => {
    await using here = await stage();
    await here.run({});
    const body = { threadId: "t1", runId: "r1", messages: [] };
    const operator = await here.test.call("POST", "/agui/proxy/payer/connect", {
      key: here.test.keys.operator,
      body,
    });
    expect(eventsIn(operator.body).at(-1)).toMatchObject({ outcome: { type: "success" } });
    const auditor = await here.test.call("POST", "/agui/proxy/payer", { key: here.test.keys.auditor, body });
    expect(auditor).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    expect(here.inputs).toHaveLength(1);
  });

  it("the proxy follows no redirect and reports a reply that it could not read", async () => {
    await using here = await stage();
    here.first = (_input, reply) => void reply.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
    expect((await here.run({})).events.at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: "UPSTREAM_UNAVAILABLE",
    });
    here.first = (_input, reply) => void reply.writeHead(200).end("data: 5\n\n");
    expect((await here.run({ runId: "r2" })).events.at(-1)).toMatchObject({ code: "UPSTREAM_BROKEN" });
    here.first = (input, reply) => {
      stream(reply, started(input), { type: "RUN_ERROR", code: "OVERLOADED", message: "Later." });
      reply.end();
    };
    expect((await here.run({ runId: "r3" })).events.at(-1)).toEqual({
      type: "RUN_ERROR",
      code: "OVERLOADED",
      message: "Later.",
    });
    expect(JSON.stringify(here.test.log)).not.toContain("upstream-secret");
  });
});

describe("a release that goes wrong", () => {
  const truncated: Script = (input, reply) => {
    stream(reply, started(input), ...text("m2", "Half a"));
    reply.end();
  };

  it.each([
    ["breaks off", truncated, "truncated"],
    ["has a server error", ((_i, reply) => void reply.writeHead(502).end()) as Script, "status_502"],
    ["cuts the line", ((_i, reply) => void reply.destroy()) as Script, "broken_off"],
  ])(
    "a release becomes unknown when the agent %s, and is sent again only if an operator says so",
    async (_name, script, error) => {
      await using here = await stage();
      here.resumed = script;
      await answerBoth(here);
      const { id } = await stateIs(here, "unknown");
      expect(await here.releases("unknown")).toMatchObject([{ error, attempt: 1 }]);
      await here.test.clock.advance(86_400_000);
      const asked = await here.run({ runId: "r2" });
      expect(asked.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "RELEASE_UNKNOWN" });
      expect(here.inputs).toHaveLength(2);
      here.resumed = done;
      const { status } = await here.test.call("POST", `/v1/releases/${id}/decide`, {
        key: here.test.keys.operator,
        body: { decision: "retry" },
      });
      expect(status).toBe(200);
      expect(await stateIs(here, "released")).toMatchObject({ attempt: 2, decided_by: "key:ada" });
      expect(here.inputs).toHaveLength(3);
    },
  );

  it("an unknown release that an operator marks as arrived continues without being sent again", async () => {
    await using here = await stage();
    here.resumed = truncated;
    await answerBoth(here);
    const { id } = await stateIs(here, "unknown");
    const decide = { key: here.test.keys.operator, body: { decision: "mark_released" } };
    expect((await here.test.call("POST", `/v1/releases/${id}/decide`, decide)).status).toBe(200);
    await eventually(async () => {
      const { events } = await here.run({ runId: "r5" }, "/connect");
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    });
    expect(here.inputs).toHaveLength(2);
    expect((await here.test.call("POST", `/v1/releases/${id}/decide`, decide)).status).toBe(409);
  });

  it("an unknown release that an operator marks as arrived while another server holds the thread continues when that server's time is over", async () => {
    await using here = await stage();
    here.resumed = truncated;
    await answerBoth(here);
    const { id } = await stateIs(here, "unknown");
    await holdThread(here);
    const decide = { key: here.test.keys.operator, body: { decision: "mark_released" } };
    expect((await here.test.call("POST", `/v1/releases/${id}/decide`, decide)).status).toBe(200);
    const endOf = async () => (await here.run({ runId: "r5" }, "/connect")).events.at(-1);
    expect(await endOf()).toMatchObject({ type: "RUN_ERROR", code: "THREAD_BUSY" });
    await eventually(async () => {
      await here.test.clock.advance(20_000);
      expect(await endOf()).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    });
    expect(here.inputs).toHaveLength(2);
  });

  it("a release that is marked as arrived and whose thread stays held is stalled in the end, shown in the overview, and ends when a client continues", async () => {
    await using here = await stage();
    here.resumed = truncated;
    await answerBoth(here);
    const { id } = await stateIs(here, "unknown");
    await holdThread(here, 86_400_000);
    const decide = { key: here.test.keys.operator, body: { decision: "mark_released" } };
    expect((await here.test.call("POST", `/v1/releases/${id}/decide`, decide)).status).toBe(200);
    await here.test.clock.advance(5 * 3_600_000);
    const stalled = await stateIs(here, "stalled");
    expect(stalled).toMatchObject({ error: "thread_not_continued", decided_by: "key:ada" });
    const failing = async () =>
      (await here.test.call("GET", "/v1/overview", { key: here.test.keys.operator })).body.failing;
    expect(await failing()).toEqual([{ endpoint: "agui-proxy:payer", count: 1 }]);
    await here.test.clock.advance(86_400_000);
    expect((await here.run({ runId: "r5" })).events.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
    await stateIs(here, "released");
    expect(await failing()).toEqual([]);
    expect(here.inputs).toHaveLength(2);
  });

  it("an unknown release to an idempotent agent is sent again automatically", async () => {
    await using here = await stage({ idempotent: true });
    here.resumed = truncated;
    await answerBoth(here);
    await stateIs(here, "pending", { error: "truncated" });
    here.resumed = done;
    await here.test.clock.advance(20_000);
    expect(await stateIs(here, "released")).toMatchObject({ attempt: 2 });
  });

  it("a release that is known not to have arrived is retried", async () => {
    await using here = await stage();
    here.resumed = (_input, reply) => void reply.writeHead(429).end();
    await answerBoth(here);
    await stateIs(here, "pending", { error: "status_429" });
    here.resumed = done;
    await here.test.clock.advance(20_000);
    expect(await stateIs(here, "released")).toMatchObject({ attempt: 2 });
  });

  it("a release that the agent refuses is failed and waits for an operator", async () => {
    await using here = await stage();
    here.resumed = (input, reply) => {
      stream(reply, started(input), { type: "RUN_ERROR", code: "TOOL_DOWN", message: "No." });
      reply.end();
    };
    await answerBoth(here);
    expect(await stateIs(here, "failed")).toMatchObject({ error: "TOOL_DOWN" });
    // The run that failed may not be over yet when its failure is known.
    await eventually(async () =>
      expect((await here.run({ runId: "r2" })).events.at(-1)).toMatchObject({ code: "RELEASE_FAILED" }),
    );
    expect(here.inputs).toHaveLength(2);
  });

  it("a release runs to its end although its client disconnects", async () => {
    await using here = await stage({ autoResume: false });
    const ids = idsOf(await here.run({}));
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<() => void>();
    here.resumed = (input, reply, request) => {
      stream(reply, started(input));
      onAsked(() => done(input, reply, request));
    };
    const left = new AbortController();
    const response = await here.test.server.app.request("/agui/proxy/payer", {
      method: "POST",
      headers: { authorization: `Bearer ${here.test.keys.app}`, "content-type": "application/json" },
      body: JSON.stringify({ threadId: "t1", runId: "r2", messages: [], resume: ids.map(approve) }),
      signal: left.signal,
    });
    const reader = (response.body as ReadableStream).getReader();
    await reader.read();
    const goOn = await asked;
    await reader.cancel();
    goOn();
    await stateIs(here, "released");
    expect(here.inputs).toHaveLength(2);
  });

  it("only operators and auditors see releases", async () => {
    await using here = await stage();
    await here.run({});
    for (const role of ["agent", "app"] as const) {
      expect((await here.test.call("GET", "/v1/releases", { key: here.test.keys[role] })).status).toBe(403);
    }
    const [{ id }] = await here.releases();
    const one = await here.test.call("GET", `/v1/releases/${id}`, { key: here.test.keys.auditor });
    expect(one.body).toMatchObject({ id, state: "waiting" });
    const elsewhere = await here.test.call("GET", `/v1/releases/${id}`, { key: here.test.keys.elsewhere });
    expect(elsewhere.status).toBe(404);
  });
});

/** As another server would that runs the thread. */
async function holdThread({ test: { server, clock } }: Stage, forMs = 10_000): Promise<void> {
  const { engine } = server;
  const [found] = await engine.store.query({ workspace: "default", kind: "thread", limit: 2 });
  if (found === undefined) throw new Error("no thread is kept");
  const { createdBy, threadId, data, waitsFor } = found.body;
  const lease = { holder: "another server", until: clock.now() + forMs };
  const by = { role: "app", via: "key", id: createdBy, name: createdBy } as const;
  const kept = { ...data, lease };
  const rest = waitsFor === undefined ? {} : { waitsFor };
  await engine.run({ kind: "keep_thread", workspace: "default", by, threadId, data: kept, ...rest });
}
