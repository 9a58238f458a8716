/** A thread between an app and an AG-UI agent that asks before it acts. The app's back end runs beside either server. */

import { type AgUiHandler, createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import type { Site, Wire, World } from "./world.ts";

export interface Conversation {
  readonly threadId: string;
  readonly interruptId: string;
  readonly holdId: string;
  /** How often the agent did what it asked about. */
  executions(): number;
  /** The last event of a run that resumes. */
  resume(answer: { readonly approved: boolean } | "cancelled"): Promise<Wire>;
  /** What a page shows after a reload. */
  reload(): Promise<Wire>;
}

export async function conversation(world: World, threadId: string, message: string): Promise<Conversation> {
  let executions = 0;
  const handlerAt = (site: Site): AgUiHandler =>
    createAgUiHandler({
      holdpoint: site.client("app"),
      identify: () => ({ id: "u1", name: "Ada" }),
      machine: {
        now: () => world.clock.now(),
        after: (ms, wake) => world.clock.at(world.clock.now() + ms, wake),
      },
      async *agent(run) {
        yield "One moment.";
        const { kind } = await run.tool({
          name: "refund",
          args: { order: 7 },
          approval: { message, timeout: "5m" },
          execute() {
            executions += 1;
            return "refunded";
          },
        });
        return { kind };
      },
    });
  const asking = handlerAt(world.placing);
  const resuming = handlerAt(world.answering);
  let runs = 0;
  const post = async (handler: AgUiHandler, more: object) => {
    runs += 1;
    const body = { threadId, runId: `${threadId}-${runs}`, protocolVersion: "1.0", messages: [], ...more };
    const reply = await handler(
      new Request("http://app.example/agent", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    const frames = (await reply.text()).split("\n\n").filter((frame) => frame.startsWith("data: "));
    return JSON.parse((frames.at(-1) ?? "").slice("data: ".length));
  };
  const asked = await post(asking, {});
  const [interrupt] = asked.outcome.interrupts;
  const { body } = await world.placing.call("GET", `/v1/holds?thread_id=${threadId}`, "app");
  return {
    threadId,
    interruptId: interrupt.id,
    holdId: body.holds[0].id,
    executions: () => executions,
    resume: (answer) => {
      const { id: interruptId } = interrupt;
      const entry =
        answer === "cancelled"
          ? { interruptId, status: "cancelled" }
          : { interruptId, status: "resolved", payload: answer };
      return post(resuming, { resume: [entry] });
    },
    async reload() {
      const reply = await resuming(
        new Request(`http://app.example/agent/interrupts?threadId=${encodeURIComponent(threadId)}`),
      );
      return reply.json();
    },
  };
}
