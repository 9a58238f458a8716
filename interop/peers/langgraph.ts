/** A LangGraph graph whose one node interrupts for the answer, with each of its two checkpointers that keep data on disk. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  END,
  interrupt,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { durabilityOf } from "../../packages/server/bench/durability.ts";
import { type Answer, serveAgent } from "./front.ts";

const databaseUrl = process.env["DATABASE_URL"] ?? "";

const State = Annotation.Root({
  question: Annotation<unknown>,
  status: Annotation<string>,
  action: Annotation<string>,
});

/** SQLite's numbers. NORMAL syncs at checkpoints of the write-ahead log, not at each commit. */
const SYNCHRONOUS = ["OFF", "NORMAL", "FULL", "EXTRA"];

async function checkpointer(): Promise<{ readonly saver: BaseCheckpointSaver; readonly durable: string }> {
  if (databaseUrl !== "") {
    const saver = PostgresSaver.fromConnString(databaseUrl);
    await saver.setup();
    return { saver, durable: await durabilityOf(databaseUrl) };
  }
  const saver = SqliteSaver.fromConnString(join(process.argv[2] ?? ".", "checkpoints.db"));
  // It sets its tables up at its first use, and SQLite's mode with them.
  await saver.getTuple({ configurable: { thread_id: "none" } });
  const pragma = (name: string) => saver.db.pragma(name, { simple: true });
  return {
    saver,
    durable: `SQLite, ${pragma("journal_mode")}, synchronous=${SYNCHRONOUS[Number(pragma("synchronous"))]}`,
  };
}

const { saver, durable } = await checkpointer();
const graph = new StateGraph(State)
  .addNode("refund", ({ question }) => {
    const answer: Answer = interrupt(question);
    return { status: "decided", action: answer.action };
  })
  .addEdge(START, "refund")
  .addEdge("refund", END)
  .compile({ checkpointer: saver });

// LangGraph has nothing that waits: whoever resumes a graph gets its result.
const results = new Map<string, PromiseWithResolvers<unknown>>();
const config = (id: string) => ({ configurable: { thread_id: id } });

serveAgent(
  {
    async ask(question) {
      const id = randomUUID();
      results.set(id, Promise.withResolvers());
      await graph.invoke({ question }, config(id));
      return id;
    },
    async wait(id) {
      const result = await results.get(id)?.promise;
      results.delete(id);
      return result;
    },
    async answer(id, answer) {
      results.get(id)?.resolve(await graph.invoke(new Command({ resume: answer }), config(id)));
    },
  },
  durable,
);
