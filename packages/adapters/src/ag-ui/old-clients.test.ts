/** Clients from before 1.0 on the same endpoint (R13). */

import { HttpAgent as HttpAgent53 } from "ag-ui-client-0.0.53";
import { HttpAgent as HttpAgent54 } from "ag-ui-client-0.0.54";
import { HttpAgent as HttpAgent59 } from "ag-ui-client-0.0.59";
import { describe, expect, it } from "vitest";
import { refunding } from "../testing/agents.ts";
import { clientOf, kit } from "../testing/agui-kit.ts";
import { rawProxy } from "../testing/raw-proxy.ts";

// biome-ignore lint/suspicious/noExplicitAny: three versions of the same types.
type Seen = any;

async function run(agent: Seen, parameters: object): Promise<readonly Seen[]> {
  const events: Seen[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }: Seen) => void events.push(event) });
  return events;
}

describe("finding 12: a client from before interrupts, in front of the proxy", () => {
  const value = { question: "Refund?" };
  const agents = {
    "with interrupts": (input: Seen) => {
      if (input.resume !== undefined) return {};
      const interrupts = [{ id: "up-1", reason: "human_approval", message: "Refund?" }];
      return { end: { outcome: { type: "interrupt", interrupts } } };
    },
    "with CUSTOM on_interrupt": (input: Seen) => {
      if (input.forwardedProps?.command !== undefined) return {};
      return { events: [{ type: "CUSTOM", name: "on_interrupt", value: JSON.stringify(value) }] };
    },
  };

  it.each([
    ["with interrupts", { reason: "human_approval", message: "Refund?" }, { approved: true }],
    ["with CUSTOM on_interrupt", value, "yes"],
  ] as const)(
    "an old client is told once what an agent %s asks, and answers by command.resume",
    async (name, shown, resume) => {
      await using here = await rawProxy(agents[name], { legacyEvents: true });
      const agent: Seen = new HttpAgent53({ url: here.url, threadId: "t1" });
      const first = await run(agent, { runId: "r1" });
      const told = first.filter((event) => event.name === "on_interrupt");
      expect(told.map((event) => JSON.parse(event.value))).toEqual([shown]);
      const command = { resume: typeof resume === "string" ? resume : JSON.stringify(resume) };
      const second = await run(agent, { runId: "r2", forwardedProps: { command } });
      expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
      const heard = here.inputs[1]?.resume?.[0]?.payload ?? here.inputs[1]?.forwardedProps?.command?.resume;
      expect(heard).toEqual(resume);
    },
  );

  it("an old client gets only the released form if the operator did not turn on legacy events", async () => {
    await using here = await rawProxy(agents["with interrupts"]);
    const events = await run(new HttpAgent53({ url: here.url, threadId: "t1" }), { runId: "r1" });
    expect(events.filter((event) => event.type === "CUSTOM")).toEqual([]);
  });
});

describe("R13 older clients", () => {
  it.each([
    ["0.0.54", HttpAgent54],
    ["0.0.59", HttpAgent59],
  ])("the client %s stops at an interrupt and resumes", async (_version, Agent) => {
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

  it.each([
    ["0.0.54", HttpAgent54],
    ["0.0.59", HttpAgent59],
  ])(
    "the client %s is refused when it contradicts an answer given elsewhere, and goes on with its next message",
    async (_version, Agent) => {
      const { agent: script, executed } = refunding();
      await using here = await kit(script);
      const agent: Seen = new (Agent as Seen)({ url: here.url, threadId: "t1" });
      const [open] = (await run(agent, { runId: "r1" })).at(-1).outcome.interrupts;
      await clientOf(here.test, "operator").answer(open.id, { action: "reject" });
      const resume = [{ interruptId: open.id, status: "resolved", payload: { approved: true } }];
      const refused = await run(agent, { runId: "r2", resume });
      expect(refused.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "INTERRUPT_ALREADY_RESOLVED" });
      const next = await run(agent, { runId: "r3" });
      expect(next.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: { outcome: "denied" } });
      expect(executed).toEqual([]);
    },
  );

  it("the client 0.0.53 finishes without an error, and sees the interrupt in the raw event", async () => {
    await using here = await kit(refunding().agent);
    const events = await run(new HttpAgent53({ url: here.url, threadId: "t1" }), { runId: "r1" });
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "interrupt" } });
  });
});
