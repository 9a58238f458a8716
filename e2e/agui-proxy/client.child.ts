/** An app with the real client, in a process of its own: run and answer one, or come back and see how the thread stands. */

import { buildResumeArray, HttpAgent } from "@ag-ui/client";

const [url = "", key = "", what = ""] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const said = (word: string, value: unknown) => process.stdout.write(`${word} ${JSON.stringify(value)}\n`);

async function answerOne(): Promise<void> {
  const agent = new HttpAgent({ url: `${url}?partialResume=keep`, threadId: "t1", headers });
  await agent.runAgent({ runId: "r1" });
  const [mine] = agent.pendingInterrupts;
  if (mine === undefined) throw new Error("nothing was asked");
  // The other one is somebody else's to answer.
  agent.pendingInterrupts = [mine];
  const resume = buildResumeArray([mine], { [mine.id]: { status: "resolved", payload: { approved: true } } });
  await agent.runAgent({ runId: "r2", resume });
  said("answered", { mine, left: agent.pendingInterrupts });
  // Its user has the app open until it is killed.
  process.stdin.resume();
}

async function comeBack(): Promise<void> {
  const agent = new HttpAgent({ url: `${url}/connect`, threadId: "t1", headers });
  let ended: unknown = null;
  await agent.runAgent(
    { runId: "r3" },
    {
      onRunFinishedEvent: ({ outcome, event }) => {
        ended = { outcome, result: event.result };
      },
      onRunErrorEvent: ({ event }) => {
        ended = { code: event.code };
      },
    },
  );
  said("back", { ended, pending: agent.pendingInterrupts });
}

await (what === "answer-one" ? answerOne() : comeBack());
