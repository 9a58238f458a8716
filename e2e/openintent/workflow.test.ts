import {
  InputTimeoutError,
  MissingOutputError,
  OpenIntentAgent,
  type PhaseHandler,
  parseWorkflow,
  type RunOptions,
  runWorkflow,
  WorkflowDefinitionError,
  WorkflowError,
} from "@holdpoint/openintent";
import { expect, test } from "vitest";
import { type TestServer, testServer } from "../../packages/server/src/testing/test-server.ts";

const WORKFLOW = await parseWorkflow(`
info: { name: Compliance }
workflow:
  fetch_data:
    assign: fetcher
    inputs: { quarter: $trigger.quarter }
    outputs: { revenue: number }
  compliance_review:
    assign: reviewer
    depends_on: [fetch_data]
    inputs: { revenue: fetch_data.revenue }
    outputs: { verdict: string }
  generate_report:
    assign: reporter
    depends_on: [compliance_review]
    inputs: { verdict: compliance_review.verdict, quarter: $initial_state.quarter }
    outputs: { report: string }
`);

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

function agentOf(server: TestServer, agentId: string, fetch?: Fetch): OpenIntentAgent {
  return new OpenIntentAgent({
    url: "http://localhost:4100",
    apiKey: server.keys.anyAgent,
    agentId,
    runtime: {
      fetch: fetch ?? (async (url, init) => server.server.app.request(url, init)),
      after: (ms, wake) => server.clock.at(server.clock.now() + ms, wake),
    },
  });
}

const REVIEW: PhaseHandler = async ({ input, agent, intentId }) => {
  const verdict = await agent.requestInput(intentId, {
    question: `Revenue is ${String(input["revenue"])}. Sign off?`,
    choices: [
      { value: "approve", label: "Approve" },
      { value: "deny", label: "Deny" },
    ],
    timeoutSeconds: 3600,
    suspensionId: "sign-off",
  });
  return { verdict };
};

function optionsFor(server: TestServer, handlers: Readonly<Record<string, PhaseHandler>> = {}): RunOptions {
  const handle = (name: string, usual: PhaseHandler) => ({
    agent: agentOf(server, name),
    handle: handlers[name] ?? usual,
  });
  return {
    starter: agentOf(server, "coordinator"),
    trigger: { quarter: "Q1" },
    agents: {
      fetcher: handle("fetcher", ({ input }) => ({ revenue: input["quarter"] === "Q1" ? 120 : 0 })),
      reviewer: handle("reviewer", REVIEW),
      reporter: handle("reporter", ({ input }) => ({
        report: `${String(input["quarter"])}: ${String(input["verdict"])}`,
      })),
    },
  };
}

async function get(server: TestServer, path: string) {
  return (await server.call("GET", `/api/v1/${path}`, { key: server.keys.dev })).body;
}

/** The portfolio and its phases, as soon as one of them asks. */
async function asking(server: TestServer) {
  for (;;) {
    const { portfolios } = await get(server, "portfolios");
    const waiting = portfolios.find((each: { has_suspended_members: boolean }) => each.has_suspended_members);
    if (waiting !== undefined) {
      const { intents } = await get(server, `portfolios/${waiting.id}/intents`);
      const phase = (name: string) =>
        intents.find((each: { state: { _phase_name: string } }) => each.state._phase_name === name);
      return { portfolio: await get(server, `portfolios/${waiting.id}`), phase };
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function answer(server: TestServer, intentId: string, value: string) {
  return server.call("POST", `/api/v1/intents/${intentId}/suspend/respond`, {
    key: server.keys.operator,
    body: { suspension_id: "sign-off", value },
  });
}

test("OI-147 OI-193 the RFC's own workflow is asked, blocked, answered and completed", async () => {
  await using server = await testServer();
  const heard: string[] = [];
  const running = runWorkflow(WORKFLOW, {
    ...optionsFor(server),
    onPhase: (phase, what) => heard.push(`${phase} ${what}`),
  });
  const { portfolio, phase } = await asking(server);
  expect(portfolio.progress.suspended_phases).toMatchObject([
    { phase_name: "compliance_review", intent_id: phase("compliance_review").id },
  ]);
  expect(phase("generate_report").status).toBe("blocked");
  const [task] = await get(server, `intents/${phase("compliance_review").id}/tasks`);
  expect(task).toMatchObject({ status: "blocked", blocked_reason: "intent_suspended" });
  expect((await answer(server, phase("compliance_review").id, "approve")).status).toBe(200);
  const result = await running;
  expect(result).toMatchObject({
    status: "completed",
    phases: { generate_report: { status: "completed", output: { report: "Q1: approve" } } },
  });
  expect(await get(server, `portfolios/${result.portfolioId}`)).toMatchObject({
    aggregate_status: { status: "completed", completion_percentage: 100 },
  });
  expect(heard).toEqual([
    "fetch_data claimed",
    "fetch_data completed",
    "compliance_review claimed",
    "compliance_review completed",
    "generate_report claimed",
    "generate_report completed",
  ]);
});

test("OI-193 a run that is started again over its portfolio asks nobody twice", async () => {
  await using server = await testServer();
  const stop = new AbortController();
  const first = runWorkflow(WORKFLOW, {
    ...optionsFor(server, {
      reviewer: async (context) => {
        const verdict = REVIEW(context);
        stop.abort(new Error("the process ends here"));
        return verdict;
      },
    }),
    signal: stop.signal,
  });
  const { portfolio, phase } = await asking(server);
  await Promise.race([first.catch(() => undefined), new Promise((resolve) => setImmediate(resolve))]);
  const again = runWorkflow(WORKFLOW, { ...optionsFor(server), portfolioId: portfolio.id });
  await answer(server, phase("compliance_review").id, "deny");
  expect((await again).phases["generate_report"]?.output).toEqual({ report: "Q1: deny" });
  const log = await get(
    server,
    `intents/${phase("compliance_review").id}/events?event_type=intent.suspended`,
  );
  expect(log).toHaveLength(1);
});

test("OI-193 two runs over one portfolio do not undo each other's work", async () => {
  await using server = await testServer();
  const first = runWorkflow(WORKFLOW, optionsFor(server));
  const { portfolio, phase } = await asking(server);
  const second = runWorkflow(WORKFLOW, { ...optionsFor(server), portfolioId: portfolio.id });
  await answer(server, phase("compliance_review").id, "approve");
  for (const result of await Promise.all([first, second])) {
    expect(result.status).toBe("completed");
    expect(result.phases["generate_report"]?.output).toEqual({ report: "Q1: approve" });
  }
});

test("a run that goes on takes only intents of the portfolio's creator for phases", async () => {
  await using server = await testServer({ defaultAccess: "open" });
  const intruder = agentOf(server, "intruder").client;
  const planted = await intruder.createIntent({
    title: "Planted",
    status: "active",
    state: { _phase_name: "compliance_review", verdict: "approve" },
  });
  const task = { body: { name: "compliance_review" } };
  await intruder.transport.call("POST", `/intents/${planted.id}/tasks`, task);
  await intruder.setStatus(planted.id, (await intruder.getIntent(planted.id)).version, "completed");
  const first = runWorkflow(WORKFLOW, optionsFor(server));
  const { portfolio, phase } = await asking(server);
  const member = { body: { intent_id: planted.id } };
  await intruder.transport.call("POST", `/portfolios/${portfolio.id}/intents`, member);
  const second = runWorkflow(WORKFLOW, { ...optionsFor(server), portfolioId: portfolio.id });
  const { id } = phase("compliance_review");
  await answer(server, id, "deny");
  for (const result of await Promise.all([first, second]))
    expect(result.phases["compliance_review"]).toMatchObject({ intentId: id, output: { verdict: "deny" } });
});

test("OI-193 a run that ended between the last two steps of a phase is continued", async () => {
  await using server = await testServer();
  const options = optionsFor(server);
  const died = new Error("the process ends here");
  const { agents } = options;
  const { client } = (agents["fetcher"] as (typeof agents)[string]).agent;
  const stop = new AbortController();
  client.setStatus = () => {
    stop.abort(died);
    return Promise.reject(died);
  };
  await expect(runWorkflow(WORKFLOW, { ...options, signal: stop.signal })).rejects.toBe(died);
  const { portfolios } = await get(server, "portfolios");
  const again = runWorkflow(WORKFLOW, { ...optionsFor(server), portfolioId: portfolios[0].id });
  const { phase } = await asking(server);
  await answer(server, phase("compliance_review").id, "approve");
  expect((await again).phases["fetch_data"]).toMatchObject({ status: "completed", output: { revenue: 120 } });
});

test("OI-193 a lost reply loses no work of a phase", async () => {
  await using server = await testServer();
  const lost: string[] = [];
  const fetch: Fetch = async (url, init) => {
    const reply = await server.server.app.request(url, init);
    const what = `${init.method} ${url.slice(url.lastIndexOf("/"))}`;
    if (init.method !== "POST" || lost.includes(what)) return reply;
    lost.push(what);
    throw new TypeError("fetch failed");
  };
  const options = optionsFor(server);
  const fetcher = agentOf(server, "fetcher", fetch);
  fetcher.client.transport.runtime.after = (_ms, wake) => {
    const timer = setImmediate(wake);
    return () => clearImmediate(timer);
  };
  const handle: PhaseHandler = () => ({ revenue: 120 });
  const agents = { ...options.agents, fetcher: { agent: fetcher, handle } };
  const running = runWorkflow(WORKFLOW, { ...options, agents });
  const { phase } = await asking(server);
  await answer(server, phase("compliance_review").id, "approve");
  expect((await running).status).toBe("completed");
  expect(lost).toEqual(["POST /claim", "POST /state", "POST /complete", "POST /status"]);
});

test("OI-195 a phase without output fails, and the phases that need it are skipped", async () => {
  await using server = await testServer();
  const result = await runWorkflow(WORKFLOW, optionsFor(server, { fetcher: () => ({}) }));
  expect(result.status).toBe("failed");
  expect(result.phases["fetch_data"]?.error).toBeInstanceOf(MissingOutputError);
  expect(result.phases["compliance_review"]?.status).toBe("skipped");
  const intent = await get(server, `intents/${result.phases["fetch_data"]?.intentId}`);
  expect(intent.status).toBe("abandoned");
});

test("OI-149 a portfolio's deadline ends the question of a phase, whatever its fallback", async () => {
  await using server = await testServer();
  const deadline = new Date(server.clock.now() + 5000).toISOString();
  const running = runWorkflow(WORKFLOW, { ...optionsFor(server), governance: { deadline } });
  await asking(server);
  await server.clock.advance(6000);
  const result = await running;
  expect(result.phases["compliance_review"]?.error).toBeInstanceOf(InputTimeoutError);
  expect(result.phases["compliance_review"]?.error).toMatchObject({ reason: "portfolio_deadline" });
});

test("OI-196 a workflow for agents that nobody registered does not begin", async () => {
  await using server = await testServer();
  const options = { ...optionsFor(server), agents: {} };
  await expect(runWorkflow(WORKFLOW, options)).rejects.toThrow(WorkflowDefinitionError);
  const { body } = await server.call("POST", "/api/v1/portfolios", {
    key: server.keys.dev,
    body: { name: "empty" },
  });
  const wrong = runWorkflow(WORKFLOW, { ...optionsFor(server), portfolioId: body.id });
  await expect(wrong).rejects.toThrow(WorkflowError);
});
