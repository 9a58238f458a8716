import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { describe, expect, it } from "vitest";
import { kit } from "../testing/agui-kit.ts";
import { rawProxy } from "../testing/raw-proxy.ts";
import type { AgUiAgent } from "./index.ts";

// biome-ignore lint/suspicious/noExplicitAny: the client's events are asserted on as they come.
type Seen = any;

async function run(agent: Seen, parameters: object): Promise<readonly Seen[]> {
  const events: Seen[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }: Seen) => void events.push(event) });
  return events;
}

const subagentEvents = (events: readonly Seen[]) => events.filter(({ type }) => type.startsWith("SUBAGENT_"));

/** Hands a part of its work to a subagent, which asks. */
const delegating: AgUiAgent = async function* (agentRun) {
  yield { type: "SUBAGENT_STARTED", subagentRunId: "sub-1", name: "payer" };
  const asked = { reason: "confirmation", message: "Pay 40?", subagentRunId: "sub-1" };
  const { status } = await agentRun.interrupt(asked);
  yield { type: "SUBAGENT_FINISHED", subagentRunId: "sub-1", outcome: { type: "success" } };
  return { status };
};

describe("an interrupt inside a subagent", () => {
  it.each(["replay", "checkpoint"] as const)(
    "AG-059 an interrupt names its subagent, which is suspended before the run ends, and the parent's run is resumed (%s)",
    async (style) => {
      await using here = await kit(delegating, { style });
      const agent = new HttpAgent({ url: here.url, threadId: "t1" });
      const first = await run(agent, { runId: "r1" });
      for (const event of first)
        expect(EventSchemas.safeParse(event).success, JSON.stringify(event)).toBe(true);
      const { interrupts } = first.at(-1).outcome;
      expect(interrupts).toMatchObject([{ message: "Pay 40?", subagentRunId: "sub-1" }]);
      expect(subagentEvents(first)).toMatchObject([
        { type: "SUBAGENT_STARTED", subagentRunId: "sub-1" },
        {
          type: "SUBAGENT_FINISHED",
          subagentRunId: "sub-1",
          outcome: { type: "suspended", interruptIds: [interrupts[0].id] },
        },
      ]);
      const resume = [{ interruptId: interrupts[0].id, status: "resolved", payload: { confirmed: true } }];
      const second = await run(agent, { runId: "r2", resume });
      expect(subagentEvents(second)).toMatchObject([
        { type: "SUBAGENT_STARTED", subagentRunId: "sub-1", name: "payer" },
        { type: "SUBAGENT_FINISHED", subagentRunId: "sub-1", outcome: { type: "success" } },
      ]);
      expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: { status: "resolved" } });
    },
  );

  it("AG-059 a subagent that the agent leaves open ends with the run", async () => {
    await using here = await kit(async function* () {
      yield { type: "SUBAGENT_STARTED", subagentRunId: "sub-1", name: "payer" };
      return {};
    });
    const events = await run(new HttpAgent({ url: here.url, threadId: "t1" }), { runId: "r1" });
    expect(subagentEvents(events).at(-1)).toMatchObject({ outcome: { type: "success" } });
    expect(events.at(-1).type).toBe("RUN_FINISHED");
  });

  it("AG-059 through the proxy the subagent's question is a hold, and the agent's run goes on with the answer", async () => {
    await using here = await rawProxy((input: Seen) => {
      if (input.resume !== undefined) return {};
      const interrupts = [{ id: "up-1", reason: "confirmation", message: "Pay 40?", subagentRunId: "sub-1" }];
      const suspended = { type: "suspended", interruptIds: ["up-1"] };
      return {
        events: [
          { type: "SUBAGENT_STARTED", subagentRunId: "sub-1", name: "payer" },
          { type: "SUBAGENT_FINISHED", subagentRunId: "sub-1", outcome: suspended },
        ],
        end: { outcome: { type: "interrupt", interrupts } },
      };
    });
    const agent = new HttpAgent({ url: here.url, threadId: "t1" });
    const first = await run(agent, { runId: "r1" });
    const [{ id, subagentRunId }] = first.at(-1).outcome.interrupts;
    expect(subagentRunId).toBe("sub-1");
    // The agent's own ids mean nothing to the client, which knows the interrupts by their holds.
    expect(subagentEvents(first).at(-1).outcome).toEqual({ type: "suspended" });
    const resume = [{ interruptId: id, status: "resolved", payload: { confirmed: true } }];
    const second = await run(agent, { runId: "r2", resume });
    expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    expect(here.inputs[1].resume).toMatchObject([{ interruptId: "up-1", status: "resolved" }]);
  });
});
