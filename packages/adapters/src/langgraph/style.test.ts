/** Graphs over the checkpointers that are used in production. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { testDatabase } from "holdpoint/testing";
import { afterAll, describe, expect, it } from "vitest";
import { clientOf, kit } from "../testing/agui-kit.ts";
import { nodeSqlite } from "../testing/node-sqlite.ts";
import { type Staged, type Start, stopsForPeople } from "../testing/style.suite.ts";
import { advanceRun, askPerson, executeOnce, graphRun, withHolds } from "./index.ts";

const State = Annotation.Root({
  done: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});

/** Two branches at once, each with its own question. */
function paymentGraph({ holdpoint, pay }: Staged, checkpointer: BaseCheckpointSaver) {
  const paying = (name: string) =>
    withHolds(async () => {
      const answer = askPerson({ reason: "human_approval", message: `Pay ${name}?` });
      const { kind } = await executeOnce(holdpoint, answer, () => {
        pay(name);
        return name;
      });
      return { done: [`${name} ${kind}`] };
    });
  return new StateGraph(State)
    .addNode("ada", paying("ada"))
    .addNode("grace", paying("grace"))
    .addEdge(START, "ada")
    .addEdge(START, "grace")
    .addEdge("ada", END)
    .addEdge("grace", END)
    .compile({ checkpointer });
}

const starting =
  (open: () => { readonly saver: BaseCheckpointSaver; close(): Promise<void> | void }): Start =>
  async (staged) => {
    const { saver, close } = open();
    const graph = paymentGraph(staged, saver);
    const run = graphRun({ graph, threadId: "t1", input: { done: [] } });
    const machine = { now: () => staged.test.clock.now(), after: () => () => undefined };
    return {
      advance: async () => (await advanceRun(run, { holdpoint: staged.holdpoint, machine })).kind,
      [Symbol.asyncDispose]: async () => close(),
    };
  };

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

stopsForPeople("a graph with checkpoints in SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-langgraph-"));
  folders.push(folder);
  return starting(() => {
    const database = nodeSqlite(join(folder, "graph.db"));
    return { saver: new SqliteSaver(database as never), close: () => database.close() };
  });
});

stopsForPeople("a graph with checkpoints in Postgres", async () => {
  const { url } = await testDatabase();
  const first = PostgresSaver.fromConnString(url);
  await first.setup();
  await first.end();
  return starting(() => {
    const saver = PostgresSaver.fromConnString(url);
    return { saver, close: () => saver.end() };
  });
});

describe("a node that catches everything", () => {
  it("a node that catches everything still stops, and nothing after its question counts", async () => {
    await using here = await kit(async function* () {});
    const holdpoint = clientOf(here.test);
    const graph = new StateGraph(State)
      .addNode(
        "careless",
        withHolds(async () => {
          try {
            const answer = askPerson({ reason: "human_approval", message: "Pay ada?" });
            return { done: [answer.status] };
          } catch {
            return { done: ["went on"] };
          }
        }),
      )
      .addEdge(START, "careless")
      .addEdge("careless", END)
      .compile({ checkpointer: new MemorySaver() });
    const run = graphRun({ graph, threadId: "t1", input: { done: [] } });
    const machine = { now: () => here.test.clock.now() };
    const waiting = await advanceRun(run, { holdpoint, machine });
    if (waiting.kind !== "waiting") throw new Error(waiting.kind);
    await clientOf(here.test, "operator").answer(waiting.holdIds[0] ?? "", { action: "approve" });
    expect(await advanceRun(run, { holdpoint, machine })).toEqual({
      kind: "done",
      result: { done: ["resolved"] },
    });
  });

  it("a question outside a node wrapped by withHolds is refused", () => {
    expect(() => askPerson({ reason: "confirmation" })).toThrow("withHolds");
  });
});

describe("a node that asks more than once", () => {
  const twice = (one: () => string, between: () => void, other: () => string) =>
    new StateGraph(State)
      .addNode(
        "twice",
        withHolds(() => {
          const first = one();
          between();
          return { done: [first, other()] };
        }),
      )
      .addEdge(START, "twice")
      .addEdge("twice", END)
      .compile({ checkpointer: new MemorySaver() });
  const ours = () => {
    const answer = askPerson({ reason: "human_approval", message: "Go on?" });
    return answer.status === "resolved" && answer.approved ? "yes" : "no";
  };
  const plain = () => JSON.stringify(interrupt({ message: "Go on?" }));
  const answers = {
    ours: { yes: { action: "approve" }, no: { action: "reject" } },
    plain: { yes: { action: "approve" }, no: { action: "reject" } },
  };
  const asking = { ours, plain };

  it.each([
    ["ours", "ours", ["yes", "no"]],
    ["plain", "plain", ["true", "false"]],
    ["ours", "plain", ["yes", "false"]],
    ["plain", "ours", ["true", "no"]],
  ] as const)(
    "a node asks people each time, also with the same text, and over a failure in between (%s, %s)",
    async (one, other, expected) => {
      await using here = await kit(async function* () {});
      const [holdpoint, operator] = [clientOf(here.test), clientOf(here.test, "operator")];
      let failures = 1;
      const fail = () => {
        failures -= 1;
        if (failures >= 0) throw new Error("the network was away");
      };
      const graph = twice(asking[one], fail, asking[other]);
      const advance = () =>
        advanceRun(graphRun({ graph, threadId: "t1", input: { done: [] } }), {
          holdpoint,
          machine: { now: () => here.test.clock.now(), after: () => () => undefined },
        });
      const first = await advance();
      if (first.kind !== "waiting") throw new Error(first.kind);
      await operator.answer(first.holdIds[0] ?? "", answers[one].yes);
      await expect(advance()).rejects.toThrow("the network was away");
      const second = await advance();
      if (second.kind !== "waiting") throw new Error(second.kind);
      expect(second.holdIds).not.toEqual(first.holdIds);
      expect(await advance()).toEqual(second);
      await operator.answer(second.holdIds[0] ?? "", answers[other].no);
      expect(await advance()).toEqual({ kind: "done", result: { done: expected } });
    },
  );
});
