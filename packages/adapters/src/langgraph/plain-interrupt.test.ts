/** LangGraph's own `interrupt(value)`, by authors who know nothing of Holdpoint, and what their answers may set off. */

import type { Json } from "@holdpoint/protocol/rules";
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { type TestServer, testServer } from "holdpoint/testing";
import { describe, expect, it } from "vitest";
import { clientOf } from "../testing/agui-kit.ts";
import { rawProxy } from "../testing/raw-proxy.ts";
import { advanceRun, askPerson, executeOnce, graphRun, NotAnswered, withHolds } from "./index.ts";

const State = Annotation.Root({ saw: Annotation<string> });
const graphOf = (node: () => Promise<{ saw: string }> | { saw: string }) =>
  new StateGraph(State)
    .addNode("ask", node)
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile({ checkpointer: new MemorySaver() });
const showing = (value: Json) => graphOf(() => ({ saw: JSON.stringify(interrupt(value)) }));

type Graph = ReturnType<typeof graphOf>;
type More = Partial<Parameters<typeof graphRun>[0]>;

const advance = (test: TestServer, graph: Graph, more: More = {}) =>
  advanceRun(graphRun({ graph, threadId: "t1", input: { saw: "" }, ...more }), {
    holdpoint: clientOf(test),
    machine: { now: () => test.clock.now(), after: () => () => undefined },
  });

async function asked(test: TestServer, graph: Graph) {
  const waiting = await advance(test, graph);
  if (waiting.kind !== "waiting") throw new Error(waiting.kind);
  return clientOf(test, "operator").get(waiting.holdIds[0] ?? "");
}

describe("finding 1: a plain interrupt()", () => {
  it.each<[Json, string]>([
    ["Refund?", "Refund?"],
    [{ message: "Refund?" }, "Refund?"],
    [{ question: "Refund?" }, "Refund?"],
  ])("an interrupt with %j asks people yes or no, in the author's words", async (value, prompt) => {
    await using test = await testServer();
    const { type, prompt: shown, actions } = await asked(test, showing(value));
    expect({ type, shown }).toEqual({ type: "approval", shown: prompt });
    expect(actions.map(({ id }) => id)).toEqual(["approve", "edit", "reject"]);
  });

  it("a schema lets the graph's author ask for a richer answer than yes or no", async () => {
    await using test = await testServer();
    const graph = showing({ message: "Which city?", responseSchema: { type: "string" } });
    const { id } = await asked(test, graph);
    await clientOf(test, "operator").answer(id, { action: "submit", data: { value: "Bern" } });
    expect(await advance(test, graph)).toMatchObject({ result: { saw: '"Bern"' } });
  });

  it("G14: a graph whose question was cancelled stays stopped, however often it is run", async () => {
    await using test = await testServer();
    const graph = showing("Refund?");
    const { id } = await asked(test, graph);
    await clientOf(test, "operator").cancel(id);
    for (const _again of [1, 2]) {
      await expect(advance(test, graph)).rejects.toThrow(NotAnswered);
      await expect(advance(test, graph)).rejects.toMatchObject({ holdId: id, expired: false });
    }
    const unanswered = ({ holdId }: { readonly holdId: string }) => ({ left: holdId });
    expect(await advance(test, graph, { unanswered })).toMatchObject({ result: { saw: `{"left":"${id}"}` } });
  });

  it("G14 an approval that was revoked before the graph continued reaches the graph as false", async () => {
    await using test = await testServer();
    const graph = showing("Refund?");
    const { id } = await asked(test, graph);
    const operator = clientOf(test, "operator");
    await operator.answer(id, { action: "approve" });
    await operator.revoke(id);
    expect(await advance(test, graph)).toMatchObject({ result: { saw: "false" } });
  });

  it.each(["approve", "reject"])(
    "G14: a graph behind the proxy that only tests the answer for truth refunds only on approval (the person says %s)",
    async (action) => {
      let refunds = 0;
      const graph = graphOf(() => {
        const ok = interrupt("Refund?");
        if (ok) refunds += 1;
        return { saw: JSON.stringify(ok) };
      });
      const config = { configurable: { thread_id: "t1" } };
      await graph.invoke({ saw: "" }, config);
      await using here = await rawProxy(({ forwardedProps }) =>
        forwardedProps?.command === undefined
          ? { events: [{ type: "CUSTOM", name: "on_interrupt", value: "Refund?" }] }
          : {},
      );
      const { outcome } = (await here.post({})).events.at(-1);
      await clientOf(here.test, "operator").answer(outcome.interrupts[0].id, { action });
      await here.post({});
      const { resume } = here.inputs[1].forwardedProps.command;
      // LangGraph takes a value that is not true for no command at all: it throws, and stays where it is.
      await graph.invoke(new Command({ resume }), config).catch(() => undefined);
      expect(refunds).toBe(action === "approve" ? 1 : 0);
    },
  );
});

describe("executeOnce", () => {
  const outcomeOf = async (
    ask: Parameters<typeof askPerson>[0],
    answer: { action: string; data?: object },
    work: (edited?: unknown) => string,
  ) => {
    await using test = await testServer();
    const graph = graphOf(
      withHolds(async () => ({ saw: (await executeOnce(clientOf(test), askPerson(ask), work)).kind })),
    );
    const { id } = await asked(test, graph);
    await clientOf(test, "operator").answer(id, answer as never);
    const end = await advance(test, graph);
    return end.kind === "done" ? (end.result as { saw: string }).saw : end.kind;
  };

  it("G14: text in a text box is not an approval, whatever it says", async () => {
    const free = { reason: "acme:free", message: "Refund?" };
    for (const value of ["no", "yes"]) {
      const answer = { action: "submit", data: { value } };
      expect(await outcomeOf(free, answer, () => "refunded")).toBe("not_allowed");
    }
  });

  it("G14 work that cannot take changed arguments does not run when a person changed them", async () => {
    const ask = { reason: "human_approval", message: "Refund?" };
    const answer = { action: "approve", data: { edited_args: { amount: 5 } } };
    expect(await outcomeOf(ask, answer, () => "refunded")).toBe("not_allowed");
    expect(await outcomeOf(ask, answer, (edited) => JSON.stringify(edited))).toBe("executed");
  });
});
