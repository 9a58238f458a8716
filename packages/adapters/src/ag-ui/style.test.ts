import { stopsForPeople } from "../testing/style.suite.ts";
import { type AgUiAgent, createAgUiHandler } from "./index.ts";

stopsForPeople("a function that is replayed", () => async ({ test, holdpoint, pay }) => {
  const agent: AgUiAgent = async function* (run) {
    yield "Two payments.";
    const payment = (name: string) => ({
      name: "pay",
      args: { name },
      approval: { message: `Pay ${name}?` },
      execute: () => {
        pay(name);
        return "paid";
      },
    });
    await run.toolAll([payment("ada"), payment("grace")]);
  };
  const machine = { now: () => test.clock.now(), after: () => () => undefined };
  const handler = createAgUiHandler({
    agent,
    holdpoint,
    identify: () => ({ id: "u1", name: "Ada" }),
    machine,
  });
  let runs = 0;
  let isDone = false;
  return {
    async advance() {
      // A client that comes back asks how the thread stands before it runs anything.
      runs += 1;
      const body = JSON.stringify({
        threadId: "t1",
        runId: `r${runs}`,
        messages: [],
        protocolVersion: "1.0",
      });
      const ask = async (path: string) => {
        const headers = { "content-type": "application/json" };
        return (await handler(new Request(`http://agent${path}`, { method: "POST", headers, body }))).text();
      };
      const before = await ask("/connect");
      const known =
        before.includes("MESSAGES_SNAPSHOT") && before.includes("pay") ? before : await ask("/run");
      isDone ||= known.includes('"success"');
      if (isDone) return "done";
      return known.includes("THREAD_BUSY") ? "busy" : "waiting";
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
});
