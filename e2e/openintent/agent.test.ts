import { type AgentOptions, type Hooks, OpenIntentAgent, verifyMerkleProof } from "@holdpoint/openintent";
import { expect, test } from "vitest";
import { type TestServer, testServer } from "../../packages/server/src/testing/test-server.ts";

const CHOICES = [
  { value: "approve", label: "Approve", description: "the money goes back" },
  { value: "deny", label: "Deny" },
] as const;

/** The agent's SDK over a whole server in this process: its requests are the app's, its clock is the test's. */
function agentOf(server: TestServer, options: Partial<AgentOptions> = {}): OpenIntentAgent {
  return new OpenIntentAgent({
    url: "http://localhost:4100",
    apiKey: server.keys.agent,
    agentId: "refunder",
    runtime: {
      fetch: async (url, init) => server.server.app.request(url, init),
      after: (ms, wake) => server.clock.at(server.clock.now() + ms, wake),
    },
    ...options,
  });
}

/** An agent, and the moment it begins to listen for an answer. */
function listener(server: TestServer): { agent: OpenIntentAgent; listens: Promise<void> } {
  const { promise: listens, resolve } = Promise.withResolvers<void>();
  const fetch = async (url: string, init: RequestInit) => {
    if (url.endsWith("/subscribe")) resolve();
    return server.server.app.request(url, init);
  };
  const after = (ms: number, wake: () => void) => server.clock.at(server.clock.now() + ms, wake);
  return { agent: agentOf(server, { runtime: { fetch, after } }), listens };
}

async function activeIntent(agent: OpenIntentAgent): Promise<string> {
  return (await agent.client.createIntent({ title: "Refund order 1042", status: "active" })).id;
}

/** The open suspension of an intent, as soon as it is there. */
async function suspensionOf(agent: OpenIntentAgent, intentId: string) {
  for (;;) {
    const { state } = await agent.client.getIntent(intentId);
    const found = state["_suspension"] as { id: string; resolution?: string } | undefined;
    if (found !== undefined && found.resolution === undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function respond(server: TestServer, intentId: string, suspensionId: string, value: unknown) {
  const body = { suspension_id: suspensionId, value, responded_by: "alice@example.com", metadata: {} };
  return server.call("POST", `/api/v1/intents/${intentId}/suspend/respond`, {
    key: server.keys.operator,
    body,
  });
}

test("OI-120 OI-123 OI-124 requestInput resolves to the answer, and the hooks are called in order", async () => {
  await using server = await testServer();
  const heard: unknown[] = [];
  const hooks: Hooks = {
    onInputRequested: (intent, suspension) =>
      void heard.push(["requested", intent.status, suspension.question]),
    onInputReceived: (_intent, response) => void heard.push(["received", response]),
  };
  const agent = agentOf(server, { hooks });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { question: "Refund 80 EUR?", choices: CHOICES, confidence: 0.4 });
  const { id: suspension } = await suspensionOf(agent, id);
  expect((await respond(server, id, suspension, "approve")).status).toBe(200);
  expect(await asking).toBe("approve");
  expect(heard).toEqual([
    ["requested", "suspended_awaiting_input", "Refund 80 EUR?"],
    [
      "received",
      {
        suspension_id: suspension,
        value: "approve",
        choice_label: "Approve",
        choice_description: "the money goes back",
        responded_by: "alice@example.com",
        responded_at: expect.any(String),
        metadata: {},
      },
    ],
  ]);
});

test("OI-120 an answer that came before the agent listens is returned at once", async () => {
  await using server = await testServer();
  const fetch = async (url: string, init: RequestInit) => {
    const [, intentId] = /intents\/([^/]+)\/subscribe$/.exec(url) ?? [];
    if (intentId !== undefined) await respond(server, intentId, "s1", "approve");
    return server.server.app.request(url, init);
  };
  const after = (ms: number, wake: () => void) => server.clock.at(server.clock.now() + ms, wake);
  const agent = agentOf(server, { runtime: { fetch, after } });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { suspensionId: "s1", question: "Q", choices: CHOICES });
  expect(await asking).toBe("approve");
});

test("G8 an agent that is stopped before it listens does not begin to wait", async () => {
  await using server = await testServer();
  const stop = new AbortController();
  const fetch = async (url: string, init: RequestInit) => {
    const reply = await server.server.app.request(url, init);
    if (url.endsWith("/suspend")) stop.abort(new Error("stopped"));
    return reply;
  };
  const after = (ms: number, wake: () => void) => server.clock.at(server.clock.now() + ms, wake);
  const agent = agentOf(server, { runtime: { fetch, after } });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { question: "Q", choices: CHOICES, signal: stop.signal });
  await expect(asking).rejects.toThrow("stopped");
});

test("G8 a stream that breaks off at once is not opened again before a delay, and the answer is still found", async () => {
  await using server = await testServer();
  const { promise: listens, resolve } = Promise.withResolvers<void>();
  let streams = 0;
  const fetch = async (url: string, init: RequestInit) => {
    if (!url.endsWith("/subscribe")) return server.server.app.request(url, init);
    streams += 1;
    resolve();
    return new Response(": connected\n\n", { headers: { "content-type": "text/event-stream" } });
  };
  const after = (ms: number, wake: () => void) => server.clock.at(server.clock.now() + ms, wake);
  const agent = agentOf(server, { runtime: { fetch, after } });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { suspensionId: "s1", question: "Q", choices: CHOICES });
  await listens;
  for (let round = 0; round < 10; round += 1) await agent.client.getIntent(id);
  expect(streams).toBe(1);
  await respond(server, id, "s1", "approve");
  await server.clock.advance(2_000);
  expect(await asking).toBe("approve");
});

test("OI-123 hooks that throw are reported and stop nothing", async () => {
  await using server = await testServer();
  const broken: string[] = [];
  const fail = () => {
    throw new Error("broken");
  };
  const hooks: Hooks = {
    onInputRequested: fail,
    onInputReceived: fail,
    onHookError: (name) => void broken.push(name),
  };
  const agent = agentOf(server, { hooks });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { question: "Q", responseType: "text" });
  await respond(server, id, (await suspensionOf(agent, id)).id, "fine");
  expect(await asking).toBe("fine");
  expect(broken).toEqual(["onInputRequested", "onInputReceived"]);
});

test("OI-070 OI-075 OI-121 with the fallback fail the hook runs, InputTimeoutError is thrown and the intent is abandoned", async () => {
  await using server = await testServer();
  const heard: string[] = [];
  const agent = agentOf(server, { hooks: { onSuspensionExpired: (_intent, { id }) => void heard.push(id) } });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { question: "Q", choices: CHOICES, timeoutSeconds: 60 });
  const failed = expect(asking).rejects.toMatchObject({
    name: "InputTimeoutError",
    fallbackPolicy: "fail",
    suspensionId: expect.any(String),
  });
  const { id: suspension } = await suspensionOf(agent, id);
  await server.clock.advance(60_000);
  await failed;
  expect(heard).toEqual([suspension]);
  expect((await agent.client.getIntent(id)).status).toBe("abandoned");
});

test.each(["complete_with_fallback", "use_default_and_continue"] as const)(
  "OI-071 OI-072 OI-074 with %s the call continues with the fallback value, or with null and a warning",
  async (fallbackPolicy) => {
    await using server = await testServer();
    const warnings: string[] = [];
    const agent = agentOf(server, { onWarning: (message) => void warnings.push(message) });
    const id = await activeIntent(agent);
    for (const [fallbackValue, expected] of [
      ["deny", "deny"],
      [undefined, null],
    ] as const) {
      const given = fallbackValue === undefined ? {} : { fallbackValue };
      const asking = agent.requestInput(id, {
        question: "Q",
        choices: CHOICES,
        timeoutSeconds: 5,
        fallbackPolicy,
        ...given,
      });
      await suspensionOf(agent, id);
      await server.clock.advance(5_000);
      expect(await asking).toBe(expected);
      const { status, state } = await agent.client.getIntent(id);
      expect(status).toBe("active");
      expect(state["_suspension"]).toMatchObject({ resolution: "expired" });
    }
    expect(warnings).toHaveLength(1);
  },
);

test("OI-121 a cancelled question throws InputCancelledError", async () => {
  await using server = await testServer();
  const agent = agentOf(server);
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { question: "Q", choices: CHOICES });
  const cancelled = expect(asking).rejects.toMatchObject({ name: "InputCancelledError" });
  const { id: suspension } = await suspensionOf(agent, id);
  await agent.client.cancelSuspension(id, suspension, "no longer needed");
  await cancelled;
  expect((await agent.client.getIntent(id)).status).toBe("active");
});

test("OI-041 OI-062 OI-080 OI-086 an engagement decision is logged, passed to the hook and stored with the question", async () => {
  await using server = await testServer();
  const told: string[] = [];
  const agent = agentOf(server, {
    hooks: { onEngagementDecision: (_intent, { mode }) => void told.push(mode) },
  });
  const id = await activeIntent(agent);
  const decision = await agent.shouldRequestInput(id, { confidence: 0.4, context: { order: "1042" } });
  expect(decision).toMatchObject({ mode: "require_input", should_ask: true });
  expect(told).toEqual(["require_input"]);
  const [logged] = await agent.client.events(id, { event_type: "engagement.decision" });
  expect(logged?.payload).toMatchObject({
    mode: "require_input",
    should_ask: true,
    signals: { confidence: 0.4, risk: 0 },
  });
  const asking = agent.requestInput(id, { question: "Q", choices: CHOICES, decision });
  const suspension = await suspensionOf(agent, id);
  expect(suspension).toMatchObject({ decision_record: { mode: "require_input" } });
  await respond(server, id, suspension.id, "deny");
  await asking;
});

test("OI-086 a decision that cannot be logged still counts", async () => {
  const agent = new OpenIntentAgent({
    url: "http://localhost:1",
    apiKey: "none",
    agentId: "x",
    retries: 0,
    runtime: { fetch: () => Promise.reject(new TypeError("down")) },
  });
  expect((await agent.shouldRequestInput("i1", { risk: 0.9 })).mode).toBe("defer");
});

test("OI-109 a server without suspensions causes an UnsupportedError", async () => {
  const replies = (url: string) =>
    url.endsWith("/suspend")
      ? [404, { detail: "Not Found" }]
      : [200, { id: "i1", state: {}, status: "active" }];
  const agent = new OpenIntentAgent({
    url: "http://old",
    apiKey: "k",
    agentId: "x",
    runtime: {
      fetch: async (url) => {
        const [status, body] = replies(url) as [number, unknown];
        return Response.json(body, { status });
      },
    },
  });
  await expect(agent.requestInput("i1", { question: "Q", choices: CHOICES })).rejects.toMatchObject({
    name: "UnsupportedError",
  });
});

test("D-03 G8 an agent that died while waiting finds its suspension and its answer, and asks nobody twice", async () => {
  await using server = await testServer();
  const first = agentOf(server);
  const id = await activeIntent(first);
  const stop = new AbortController();
  const ask = { question: "Refund?", choices: CHOICES, suspensionId: "refund-1042" };
  const died = first.requestInput(id, { ...ask, signal: stop.signal }).catch((error: Error) => error.name);
  await suspensionOf(first, id);
  stop.abort();
  expect(await died).toBe("AbortError");
  expect((await respond(server, id, "refund-1042", "approve")).status).toBe(200);

  const again = agentOf(server);
  expect(await again.requestInput(id, ask)).toBe("approve");
  expect(await again.client.events(id, { event_type: "intent.suspended" })).toHaveLength(1);
  expect(await again.resumeInput(id)).toBeUndefined();
});

test("D-65 G8 an agent that starts from the beginning again gets the answers to its earlier questions", async () => {
  await using server = await testServer();
  const first = agentOf(server);
  const id = await activeIntent(first);
  const ask = (suspensionId: string) => ({ question: `${suspensionId}?`, choices: CHOICES, suspensionId });
  const one = first.requestInput(id, ask("one"));
  await suspensionOf(first, id);
  await respond(server, id, "one", "deny");
  expect(await one).toBe("deny");
  const stop = new AbortController();
  const died = first.requestInput(id, { ...ask("two"), signal: stop.signal }).catch(() => "died");
  await suspensionOf(first, id);
  stop.abort();
  expect(await died).toBe("died");

  const { agent: again, listens } = listener(server);
  expect(await again.requestInput(id, ask("one"))).toBe("deny");
  const two = again.requestInput(id, ask("two"));
  await listens;
  await respond(server, id, "two", "approve");
  await server.clock.advance(2_000);
  expect(await two).toBe("approve");
  expect(await agentOf(server).requestInput(id, ask("one"))).toBe("deny");
  expect(await again.client.events(id, { event_type: "intent.suspended" })).toHaveLength(2);
});

test("G8 a question without a key is found by its text while it is open, and another question is refused", async () => {
  await using server = await testServer();
  const first = agentOf(server);
  const id = await activeIntent(first);
  const ask = { question: "Refund?", choices: CHOICES, context: { order: "1042" } };
  const stop = new AbortController();
  const died = first.requestInput(id, { ...ask, signal: stop.signal }).catch(() => "died");
  const { id: suspension } = await suspensionOf(first, id);
  stop.abort();
  expect(await died).toBe("died");

  const { agent: again, listens } = listener(server);
  for (const other of [{ question: "Really?" }, { context: { order: "7" } }, { choices: [CHOICES[0]] }]) {
    await expect(again.requestInput(id, { ...ask, ...other })).rejects.toMatchObject({ statusCode: 409 });
  }
  const asking = again.requestInput(id, ask);
  await listens;
  await respond(server, id, suspension, "approve");
  await server.clock.advance(2_000);
  expect(await asking).toBe("approve");
  // Answered, it may be meant anew.
  const anew = again.requestInput(id, ask);
  expect((await suspensionOf(again, id)).id).not.toBe(suspension);
  await respond(server, id, (await suspensionOf(again, id)).id, "deny");
  await server.clock.advance(2_000);
  expect(await anew).toBe("deny");
});

test("G8 a lost reply to placing neither loses the question nor asks it twice", async () => {
  await using server = await testServer();
  let lost = 0;
  const agent = agentOf(server, {
    runtime: {
      fetch: async (url, init) => {
        const reply = await server.server.app.request(url, init);
        if (!url.endsWith("/suspend") || lost > 0) return reply;
        lost += 1;
        throw new TypeError("fetch failed");
      },
      after: (_ms, wake) => {
        const timer = setImmediate(wake);
        return () => clearImmediate(timer);
      },
    },
  });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { question: "Refund?", choices: CHOICES });
  await respond(server, id, (await suspensionOf(agent, id)).id, "approve");
  expect(await asking).toBe("approve");
  expect(lost).toBe(1);
  expect(await agent.client.events(id, { event_type: "intent.suspended" })).toHaveLength(1);
});

test("an agent that cannot stream finds the answer by polling", async () => {
  await using server = await testServer();
  const agent = agentOf(server, {
    pollMs: 2_000,
    runtime: {
      fetch: async (url, init) => {
        if (url.endsWith("/subscribe")) throw new TypeError("no streams here");
        return server.server.app.request(url, init);
      },
      after: (ms, wake) => server.clock.at(server.clock.now() + ms, wake),
    },
  });
  const id = await activeIntent(agent);
  const asking = agent.requestInput(id, { question: "Q", responseType: "confirm" });
  await respond(server, id, (await suspensionOf(agent, id)).id, "yes");
  await server.clock.advance(2_000);
  expect(await asking).toBe("yes");
});

test("OI-019 every event of a checkpoint has a valid inclusion proof", async () => {
  await using server = await testServer();
  const agent = agentOf(server, { apiKey: server.keys.dev });
  const id = await activeIntent(agent);
  for (const step of ["one", "two", "three"]) await agent.client.logEvent(id, "comment", { step });
  const checkpoint = await agent.client.makeCheckpoint(id);
  for (const event of await agent.client.events(id)) {
    if (event.sequence > checkpoint.last_sequence) continue;
    expect(await verifyMerkleProof(await agent.client.merkleProof(checkpoint.checkpoint_id, event.id))).toBe(
      true,
    );
  }
  expect(await agent.client.verifyEvents(id)).toMatchObject({ valid: true });
});

test("OI-175 the hook runs for each attempt, with its number and channel, and the record stays unchanged", async () => {
  await using server = await testServer();
  const heard: unknown[] = [];
  const hooks: Hooks = {
    onInputRequested: (_intent, { context, channel_hint }) =>
      void heard.push([context["_attempt"], context["_max_attempts"], channel_hint]),
  };
  for (const isStreaming of [true, false]) {
    heard.length = 0;
    const runtime = {
      fetch: async (url: string, init: RequestInit) =>
        url.endsWith("/subscribe") && !isStreaming
          ? new Response("gone", { status: 503 })
          : server.server.app.request(url, init),
      after: (ms: number, wake: () => void) => server.clock.at(server.clock.now() + ms, wake),
      now: () => server.clock.now(),
    };
    const agent = agentOf(server, { hooks, runtime });
    const id = await activeIntent(agent);
    const asking = agent.requestInput(id, {
      question: "Refund 80 EUR?",
      choices: CHOICES,
      channelHint: "slack",
      retryPolicy: {
        max_attempts: 3,
        interval_seconds: 60,
        escalation_ladder: [{ attempt: 2, channel_hint: "email" }],
      },
    });
    const { id: suspension } = await suspensionOf(agent, id);
    for (let seconds = 0; seconds < 130; seconds += 2) await server.clock.advance(2_000);
    expect(heard, isStreaming ? "over the stream" : "without a stream").toEqual([
      [1, 3, "slack"],
      [2, 3, "email"],
      [3, 3, "slack"],
    ]);
    expect((await agent.client.getIntent(id)).state["_suspension"]).toMatchObject({
      context: {},
      channel_hint: "slack",
    });
    await respond(server, id, suspension, "approve");
    for (let seconds = 0; seconds < 4; seconds += 2) await server.clock.advance(2_000);
    expect(await asking).toBe("approve");
  }
});
