/** Clients from before 1.0 on the same endpoint (R13). */

import { HttpAgent as HttpAgent53 } from "ag-ui-client-0.0.53";
import { HttpAgent as HttpAgent54 } from "ag-ui-client-0.0.54";
import { HttpAgent as HttpAgent59 } from "ag-ui-client-0.0.59";
import { describe, expect, it } from "vitest";
import { refunding } from "../testing/agents.ts";
import { kit } from "../testing/agui-kit.ts";

// biome-ignore lint/suspicious/noExplicitAny: three versions of the same types.
type Seen = any;

async function run(agent: Seen, parameters: object): Promise<readonly Seen[]> {
  const events: Seen[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }: Seen) => void events.push(event) });
  return events;
}

describe("R13 older clients", () => {
  it.each([
    ["0.0.54", HttpAgent54],
    ["0.0.59", HttpAgent59],
  ])("%s stops and resumes", async (_version, Agent) => {
    const { agent: script, executed } = refunding();
    await using here = await kit(script);
    const agent: Seen = new (Agent as Seen)({ url: here.url, threadId: "t1" });
    const first = await run(agent, { runId: "r1" });
    const { outcome } = first.at(-1);
    expect(outcome).toMatchObject({ type: "interrupt", interrupts: [{ reason: "tool_call" }] });
    const resume = [
      { interruptId: outcome.interrupts[0].id, status: "resolved", payload: { approved: true } },
    ];
    const second = await run(agent, { runId: "r2", resume });
    expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    expect(executed).toHaveLength(1);
  });

  it("0.0.53 finishes without an error, and sees the interrupt in the raw event", async () => {
    await using here = await kit(refunding().agent);
    const events = await run(new HttpAgent53({ url: here.url, threadId: "t1" }), { runId: "r1" });
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "interrupt" } });
  });
});
