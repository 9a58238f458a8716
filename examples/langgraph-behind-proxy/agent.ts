/**
 * A LangGraph.js agent served over AG-UI. It knows nothing of Holdpoint: it stops with `interrupt()`, tells its interrupts by
 * their ids, and goes on with the answers it is sent. Its checkpoints are in the file it is given.
 */

import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { sqliteDriver } from "./sqlite-driver.ts";

const [database = ":memory:", ledger, port = "0"] = process.argv.slice(2);

const State = Annotation.Root({
  paid: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});

const paying = (name: string) => () => {
  const { approved } = interrupt({ message: `Pay ${name}?` }) as { approved?: boolean };
  if (approved === true && ledger !== undefined) appendFileSync(ledger, `${name}\n`);
  return { paid: approved === true ? [name] : [] };
};

const graph = new StateGraph(State)
  .addNode("ada", paying("Ada"))
  .addNode("grace", paying("Grace"))
  .addEdge(START, "ada")
  .addEdge(START, "grace")
  .addEdge("ada", END)
  .addEdge("grace", END)
  .compile({ checkpointer: new SqliteSaver(sqliteDriver(database) as never) });

interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly resume?: readonly { readonly interruptId: string; readonly payload?: unknown }[];
}

const APPROVAL = { type: "object", properties: { approved: { type: "boolean" } }, required: ["approved"] };

/** One run: begun or resumed, and how it ended. */
async function run({ threadId, resume }: RunInput): Promise<object> {
  const config = { configurable: { thread_id: threadId } };
  // An interrupt that was abandoned is answered with nothing, which approves nothing.
  const answers = resume?.map(({ interruptId, payload = {} }) => [interruptId, payload]);
  const command = answers === undefined ? { paid: [] } : new Command({ resume: Object.fromEntries(answers) });
  await graph.invoke(command as never, config);
  const { tasks, values } = await graph.getState(config);
  const interrupts = tasks
    .flatMap((task) => task.interrupts)
    .map(({ id, value }) => ({
      id,
      reason: "human_approval",
      message: value.message,
      responseSchema: APPROVAL,
    }));
  if (interrupts.length > 0) return { outcome: { type: "interrupt", interrupts } };
  return { outcome: { type: "success" }, result: values };
}

const server = createServer(async (request, reply) => {
  const input = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as RunInput;
  const { threadId, runId } = input;
  const send = (event: object) => reply.write(`data: ${JSON.stringify(event)}\n\n`);
  if (ledger !== undefined && input.resume !== undefined) appendFileSync(ledger, "resumed\n");
  reply.writeHead(200, { "content-type": "text/event-stream" });
  send({ type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" });
  try {
    send({ type: "RUN_FINISHED", threadId, runId, ...(await run(input)) });
  } catch {
    send({ type: "RUN_ERROR", message: "The agent failed." });
  }
  reply.end();
});
server.listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`agent at http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
