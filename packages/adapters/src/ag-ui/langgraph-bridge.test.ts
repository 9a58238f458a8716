/** Graphs behind `@ag-ui/langgraph`, in every form in which it tells their interrupts. Their authors know nothing of Holdpoint. */

import type { Json } from "@holdpoint/protocol/rules";
import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { clientOf } from "../testing/agui-kit.ts";
import { type BridgeForm, bridgedGraph } from "../testing/bridged-graph.ts";
import { type RawProxy, rawProxy } from "../testing/raw-proxy.ts";

const FORMS: readonly BridgeForm[] = ["outcome", "told", "both"];
const State = Annotation.Root({ done: Annotation<string> });

/** One node for each question; what each was answered with. */
function asking(...values: readonly Json[]) {
  const seen: Json[] = [];
  const [first = "", second] = values;
  const ask = (at: number, value: Json) => () => {
    seen[at] = interrupt(value) as Json;
    return {};
  };
  const graph = new StateGraph(State)
    .addNode("first", ask(0, first))
    .addEdge(START, "first")
    .addEdge("first", END);
  const whole =
    second === undefined
      ? graph
      : graph.addNode("second", ask(1, second)).addEdge(START, "second").addEdge("second", END);
  return { seen, graph: whole.compile({ checkpointer: new MemorySaver() }) };
}

async function holdsOf(here: RawProxy) {
  const { outcome } = (await here.post({})).events.at(-1);
  const operator = clientOf(here.test, "operator");
  return Promise.all(outcome.interrupts.map(({ id }: { id: string }) => operator.get(id)));
}

describe.each(FORMS)("finding 1: a graph behind LangGraph's bridge (%s)", (form) => {
  it("G15 people are asked yes or no, and see the value that the graph stopped with", async () => {
    const { graph } = asking({ question: "Refund?", amount: 5 });
    await using here = await bridgedGraph(graph, form);
    const [hold] = await holdsOf(here);
    expect(hold).toMatchObject({ type: "approval", prompt: "Refund?" });
    expect(hold.context).toEqual({ question: "Refund?", amount: 5 });
  });

  it.each<[string, Json]>([
    ["approve", true],
    ["reject", false],
  ])("G14 the answer %s reaches interrupt() as %s, and the run ends", async (action, expected) => {
    const { graph, seen } = asking("Refund?");
    await using here = await bridgedGraph(graph, form);
    const [hold] = await holdsOf(here);
    await clientOf(here.test, "operator").answer(hold.id, { action });
    expect((await here.post({})).events.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
    expect(seen).toEqual([expected]);
  });

  it("G14 a question that was taken back reaches interrupt() as false, not as an object", async () => {
    const { graph, seen } = asking("Refund?");
    await using here = await bridgedGraph(graph, form);
    const [hold] = await holdsOf(here);
    await clientOf(here.test, "operator").cancel(hold.id);
    await here.post({});
    expect(seen).toEqual([false]);
  });

  it("G14 of two questions that wait together each gets its own answer", async () => {
    const { graph, seen } = asking("Pay Ada?", "Pay Grace?");
    await using here = await bridgedGraph(graph, form);
    for (const hold of await holdsOf(here)) {
      const action = hold.prompt === "Pay Ada?" ? "approve" : "reject";
      await clientOf(here.test, "operator").answer(hold.id, { action });
    }
    await here.post({});
    expect(seen).toEqual([true, false]);
  });

  it("a schema of the graph's author lets people answer with what it says, unchanged", async () => {
    const { graph, seen } = asking({ message: "Which number?", response_schema: { type: "string" } });
    await using here = await bridgedGraph(graph, form);
    const [hold] = await holdsOf(here);
    await clientOf(here.test, "operator").answer(hold.id, { action: "submit", data: { value: "5" } });
    await here.post({});
    expect(seen).toEqual(["5"]);
  });
});

describe("other bridges", () => {
  const SUSPENDED = {
    ...{ type: "mastra_suspend", toolCallId: "c1", toolName: "refund", runId: "m1", args: { amount: 5 } },
    suspendPayload: { why: "over the limit" },
    resumeSchema: JSON.stringify({
      ...{ type: "object", properties: { approved: { type: "boolean" } }, required: ["approved"] },
    }),
  };

  it("G15 what an agent says of its question only in its own metadata is shown to people", async () => {
    const told = { crewai: { output: "Dear Ada …", methodName: "draft" } };
    const interrupts = [{ id: "i1", reason: "crewai:human_feedback", message: "Send it?", metadata: told }];
    await using here = await rawProxy(() => ({ end: { outcome: { type: "interrupt", interrupts } } }));
    const [hold] = await holdsOf(here);
    expect(hold.context).toEqual(told);
  });

  it("finding 5: Mastra's bridge gets the answer with the event that it belongs to, and asks by its own schema", async () => {
    const value = JSON.stringify(SUSPENDED);
    await using here = await rawProxy(({ forwardedProps }) =>
      forwardedProps?.command === undefined
        ? { events: [{ type: "CUSTOM", name: "on_interrupt", value }] }
        : {},
    );
    const [hold] = await holdsOf(here);
    expect(hold).toMatchObject({ type: "approval" });
    await clientOf(here.test, "operator").answer(hold.id, { action: "approve" });
    await here.post({});
    expect(here.inputs[1]?.forwardedProps.command).toEqual({
      ...{ resume: { approved: true }, interruptEvent: SUSPENDED },
    });
  });
});
