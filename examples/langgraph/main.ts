/** A LangGraph.js graph that asks a person inside a node: the refund is made once, after the approval. */

import { appendFileSync } from "node:fs";
import { askPerson, executeOnce, finishRun, graphRun, withHolds } from "@holdpoint/adapters/langgraph";
import { Holdpoint } from "@holdpoint/sdk";
import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";

const order = process.argv[2] ?? "1042";
const holdpoint = new Holdpoint();

const ask = withHolds(async () => {
  const answer = askPerson({ type: "approval", prompt: `Refund order ${order}?`, timeout: "2h" });
  // What has an effect stands behind the question: the node begins again when the person has answered.
  const { kind } = await executeOnce(holdpoint, answer, () => {
    appendFileSync("refunds.log", `${order}\n`);
    return "refunded";
  });
  return { refund: kind };
});
const State = Annotation.Root({ refund: Annotation<string> });
const graph = new StateGraph(State)
  .addNode("ask", ask)
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile({ checkpointer: new MemorySaver() });

const run = graphRun<typeof State.State>({ graph, threadId: `refund-by-langgraph:${order}`, input: {} });
console.log("waiting for a person: see the console");
console.log(`order ${order}: ${(await finishRun(run, { holdpoint })).refund}`);
