import { hitlRequestIn, hitlResponse, type InterruptAnswer } from "@holdpoint/protocol/agui";
import { MemorySaver } from "@langchain/langgraph";
import { testServer } from "holdpoint/testing";
import { createAgent, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { adapterTests } from "../kit/index.ts";
import { clientOf } from "../testing/agui-kit.ts";
import { testsByRules } from "../testing/by-rules.ts";
import { advanceRun, approvals, graphRun } from "./index.ts";
import { hitl, langChain, langChainByRules, scriptedModel } from "./langchain.fixture.ts";

describe("a LangChain agent with humanInTheLoopMiddleware", () => {
  for (const { title, run } of adapterTests(langChain)) it(title, run);
});

describe("a LangChain agent under the server's rules", () => {
  for (const { title, run } of testsByRules(langChainByRules)) it(title, run);
});

const ADA = { id: "call_ada", args: { to: "ada", amount: 80 } };
const GRACE = { id: "call_grace", args: { to: "grace", amount: 20 } };

function payerOf(
  script: Parameters<typeof scriptedModel>[0],
  allowedDecisions?: ("approve" | "edit" | "reject")[],
) {
  const paid: object[] = [];
  const pay = tool(
    (payment) => {
      paid.push(payment);
      return "paid";
    },
    { name: "pay", description: "Pays", schema: z.object({ to: z.string(), amount: z.number() }) },
  );
  const middleware = [
    hitl({ interruptOn: { pay: allowedDecisions === undefined ? true : { allowedDecisions } } }),
  ];
  const agent = (tools = [pay]) =>
    createAgent({ model: scriptedModel(script), tools, middleware, checkpointer: new MemorySaver() });
  return { paid, pay, agent };
}

const input = { messages: [{ role: "user", content: "Pay the bills." }] };

describe("finding 6: a LangChain agent whose own code does not mention Holdpoint", () => {
  const played = async (
    script: Parameters<typeof scriptedModel>[0],
    answers: readonly { readonly action: string; readonly data?: object }[],
    allowed?: ("approve" | "edit" | "reject")[],
  ) => {
    await using test = await testServer();
    const { paid, agent } = payerOf(script, allowed);
    const run = graphRun({ graph: agent() as never, threadId: "t1", input });
    const options = {
      holdpoint: clientOf(test),
      machine: { now: () => test.clock.now(), after: () => () => undefined },
    };
    const waiting = await advanceRun(run, options);
    if (waiting.kind !== "waiting") throw new Error(waiting.kind);
    expect(waiting.holdIds).toHaveLength(answers.length);
    for (const [at, answer] of answers.entries()) {
      const id = waiting.holdIds[at] ?? "";
      expect(await clientOf(test, "operator").get(id)).toMatchObject({
        ...{ type: "approval", context: { tool: "pay", arguments: script[0]?.[at]?.args } },
      });
      await clientOf(test, "operator").answer(id, answer as never);
    }
    const end = await advanceRun(run, options).catch((error: Error) => error);
    return { paid, end };
  };

  it("each call is asked about with its tool and arguments, and the run goes on with the decisions in their order", async () => {
    const both = [
      { action: "approve" },
      { action: "approve", data: { edited_args: { to: "grace", amount: 1 } } },
    ];
    const { paid, end } = await played([[ADA, GRACE]], both);
    expect(end).toMatchObject({ kind: "done" });
    expect(paid).toEqual([ADA.args, { to: "grace", amount: 1 }]);
  });

  it("a rejected call does not run, and the model is told why", async () => {
    const { paid, end } = await played([[ADA]], [{ action: "reject", data: { feedback: "not him" } }]);
    expect(paid).toEqual([]);
    expect(JSON.stringify(end)).toContain("did not approve this call: not him");
  });

  it("a run whose middleware does not accept a rejection stays stopped, and the error says what to change", async () => {
    const { paid, end } = await played([[ADA]], [{ action: "reject" }], ["approve"]);
    expect(end).toMatchObject({
      name: "DecisionNotTaken",
      message: expect.stringContaining("allowedDecisions"),
    });
    expect(paid).toEqual([]);
  });

  it("a call with changed arguments does not run at all when the middleware does not accept edits", async () => {
    const edited = { action: "approve", data: { edited_args: { to: "ada", amount: 5 } } };
    const { paid, end } = await played([[ADA]], [edited], ["approve", "reject"]);
    expect(end).toMatchObject({ name: "DecisionNotTaken" });
    expect(paid).toEqual([]);
  });
});

describe("the requests of the middleware", () => {
  const answer: InterruptAnswer = {
    ...{ status: "resolved", interruptId: "hold_1", approved: true, door: "rest" },
    payload: { approved: true, editedArgs: { amount: 5 } },
    by: { kind: "key", id: "ada" },
  };

  it("a request in Python's spelling is answered in Python's spelling", () => {
    const request = hitlRequestIn({
      action_requests: [
        { name: "pay", args: { amount: 80 }, description: "Pay?" },
        { name: "pay", args: { amount: 90 } },
      ],
      review_configs: [{ action_name: "pay", allowed_decisions: ["approve", "edit", "reject"] }],
    });
    if (request === null) throw new Error("it is a request");
    const expired: InterruptAnswer = { status: "cancelled", interruptId: "hold_2", expired: true };
    expect(hitlResponse(request, [answer, expired])).toEqual({
      ok: true,
      value: {
        decisions: [
          { type: "edit", edited_action: { name: "pay", args: { amount: 5 } } },
          { type: "reject", message: expect.stringContaining("nobody decided") },
        ],
      },
    });
  });

  it.each([
    [null],
    ["Refund?"],
    [{ actionRequests: [], reviewConfigs: [] }],
    [{ actionRequests: [{ name: "pay" }], reviewConfigs: [] }],
    [{ action_requests: "pay", review_configs: [] }],
  ])("a value that is no request of the middleware is treated as another interrupt (%j)", (value) => {
    expect(hitlRequestIn(value)).toBeNull();
  });
});

describe("wrapped LangChain tools under the server's rules", () => {
  it.each([
    ["allow", 1, 0],
    ["deny", 0, 0],
    ["ask", 0, 1],
  ] as const)(
    "a rule that says %s runs the tool %i times and asks %i people",
    async (verdict, runs, asked) => {
      await using test = await testServer();
      await test.call("PUT", "/v1/rules", {
        key: test.keys.admin,
        body: { rules: [{ tools: ["pay"], verdict }], default: "deny" },
      });
      const people = approvals(clientOf(test, "agent"));
      const { paid, pay, agent } = payerOf([[ADA]]);
      const graph = agent(people.wrap([pay], { rules: "server" }));
      const run = people.run({ graph: graph as never, threadId: "t1", input });
      const machine = { now: () => test.clock.now(), after: () => () => undefined };
      const end = await advanceRun(run, { holdpoint: clientOf(test, "agent"), machine });
      expect(end.kind).toBe(asked === 1 ? "waiting" : "done");
      expect(paid).toHaveLength(runs);
    },
  );
});
