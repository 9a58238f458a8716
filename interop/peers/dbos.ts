/** A DBOS workflow that receives its answer as a message. The question is the workflow's input, the result its output. */

import { DBOS, type WorkflowHandle } from "@dbos-inc/dbos-sdk";
import { durabilityOf } from "../../packages/server/bench/durability.ts";
import { type Answer, serveAgent } from "./front.ts";

const databaseUrl = process.env["DATABASE_URL"] ?? "";

interface Result {
  readonly status: string;
  readonly action: string | undefined;
}

async function refund(_question: unknown): Promise<Result> {
  const answer = await DBOS.recv<Answer>("answer", { timeoutSeconds: 3_600 });
  return { status: "decided", action: answer?.action };
}
const agent = DBOS.registerWorkflow(refund, { name: "refund" });

DBOS.setConfig({ name: "bench", systemDatabaseUrl: databaseUrl, logLevel: "error" });
await DBOS.launch();
// The handle of the process that started a workflow hears of its end at once; one that was looked up polls.
const running = new Map<string, WorkflowHandle<Result>>();

serveAgent(
  {
    async ask(question) {
      const handle = await DBOS.startWorkflow(agent)(question);
      running.set(handle.workflowID, handle);
      return handle.workflowID;
    },
    async wait(id) {
      const result = await running.get(id)?.getResult();
      running.delete(id);
      return result;
    },
    answer: (id, answer) => DBOS.send(id, answer, "answer"),
  },
  await durabilityOf(databaseUrl),
);
