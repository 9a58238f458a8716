/** The recipes that hold wherever the agent is, with the real client over a real port. */

import { buildResumeArray, HttpAgent, isInterruptExpired } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { EventEncoder } from "@ag-ui/encoder";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parallel, refunding } from "../testing/agents.ts";
import { input, type Kit, type MakeKit } from "../testing/agui-kit.ts";

// biome-ignore lint/suspicious/noExplicitAny: the client's events are asserted on as they come.
export type Seen = any;

interface Ran {
  readonly events: readonly Seen[];
  readonly outcome: unknown;
  readonly result: unknown;
  readonly error: Seen;
}

/** Runs once and collects what the subscriber is told. */
export async function runOnce(agent: Seen, parameters: object): Promise<Ran> {
  const events: Seen[] = [];
  let [outcome, result, error]: [unknown, unknown, Seen] = [undefined, undefined, undefined];
  await agent.runAgent(parameters, {
    onEvent: ({ event }: Seen) => void events.push(event),
    onRunFinishedEvent: (params: Seen) => {
      outcome = params.outcome;
      result = params.result;
    },
    onRunErrorEvent: ({ event }: Seen) => {
      error = event;
    },
  });
  return { events, outcome, result, error };
}

export const agentAt = ({ url }: Kit, threadId = "t1", more: object = {}) =>
  new HttpAgent({ url, threadId, ...more });
export const types = (events: readonly Seen[]) => events.map(({ type }) => type);
const resolved = (payload: unknown) => ({ status: "resolved" as const, payload });

async function approveAll(
  agent: HttpAgent,
  runId: string,
  payload: unknown = { approved: true },
): Promise<Ran> {
  const answers = Object.fromEntries(agent.pendingInterrupts.map(({ id }) => [id, resolved(payload)]));
  return runOnce(agent, { runId, resume: buildResumeArray(agent.pendingInterrupts, answers as never) });
}

export function recipes(where: string, kit: MakeKit): void {
  afterEach(() => vi.restoreAllMocks());

  describe(`recipes with HttpAgent 1.0.0 ${where}`, () => {
    it("R1 a client stops, resumes and gets the result of the old tool call", async () => {
      const { agent: script, executed } = refunding();
      await using here = await kit(script);
      const agent = agentAt(here);
      const first = await runOnce(agent, { runId: "r1" });
      expect(first.outcome).toBe("interrupt");
      expect(agent.pendingInterrupts).toHaveLength(1);
      const [interrupt] = agent.pendingInterrupts;
      expect(interrupt).toMatchObject({ reason: "tool_call", metadata: { payload: { tool: "refund" } } });
      const second = await approveAll(agent, "r2");
      expect(second).toMatchObject({ outcome: "success", result: { outcome: "executed" }, error: undefined });
      expect(agent.pendingInterrupts).toEqual([]);
      expect(second.events.find(({ type }) => type === "TOOL_CALL_RESULT")).toMatchObject({
        toolCallId: interrupt?.toolCallId,
      });
      expect(types(second.events)).not.toContain("TOOL_CALL_START");
      expect(executed).toEqual([{ amount: 40, to: "ada" }]);
    });

    it("R2 client and server both guard pending interrupts", async () => {
      await using here = await kit(refunding().agent);
      const agent = agentAt(here);
      await runOnce(agent, { runId: "r1" });
      const before = here.requests();
      await expect(agent.runAgent({})).rejects.toThrow();
      expect(here.requests()).toBe(before);
      const fresh = await runOnce(agentAt(here), { runId: "r2" });
      expect(fresh.error).toMatchObject({ code: "PENDING_INTERRUPTS" });
      expect(await approveAll(agent, "r3")).toMatchObject({ outcome: "success" });
    });

    it("R3 a partial resume is refused and executes nothing", async () => {
      const { agent: script, executed } = parallel(2);
      await using here = await kit(script);
      const agent = agentAt(here);
      await runOnce(agent, { runId: "r1" });
      const [one] = agent.pendingInterrupts;
      const resume = [{ interruptId: one?.id ?? "", ...resolved({ approved: true }) }];
      const { error } = await runOnce(agentAt(here), { runId: "r2", resume });
      expect(error).toMatchObject({ code: "PARTIAL_RESUME" });
      expect(executed).toEqual([]);
      expect(await approveAll(agent, "r3")).toMatchObject({ outcome: "success" });
    });

    it("R4 the tool runs with exactly the edited arguments", async () => {
      const { agent: script, executed } = refunding();
      await using here = await kit(script);
      const agent = agentAt(here);
      await runOnce(agent, { runId: "r1" });
      await approveAll(agent, "r2", { approved: true, editedArgs: { amount: 25 } });
      expect(executed).toEqual([{ amount: 25 }]);
    });

    it("R5 AG-057 a client approves two of three interrupts and abandons the third", async () => {
      const { agent: script, executed } = parallel();
      await using here = await kit(script);
      const agent = agentAt(here);
      await runOnce(agent, { runId: "r1" });
      const [a, b, c] = agent.pendingInterrupts;
      const resume = buildResumeArray(agent.pendingInterrupts, {
        [a?.id ?? ""]: resolved({ approved: true }),
        [b?.id ?? ""]: { status: "cancelled" },
        [c?.id ?? ""]: resolved({ approved: true }),
      });
      const { result } = await runOnce(agent, { runId: "r2", resume });
      expect(result).toEqual({ kinds: ["executed", "cancelled", "executed"] });
      expect(executed).toEqual([{ index: 0 }, { index: 2 }]);
      const told = agent.messages.filter(({ role }) => role === "tool");
      expect(told.map((message) => (message as Seen).content)).toEqual([
        "paid 0",
        "Not executed: it was cancelled.",
        "paid 2",
      ]);
    });

    it("R6 AG-040 AG-041 an expired interrupt can only be abandoned", async () => {
      const { agent: script, executed } = refunding({ approval: { timeout: "1s" } });
      await using here = await kit(script);
      const agent = agentAt(here);
      await runOnce(agent, { runId: "r1" });
      const [interrupt] = agent.pendingInterrupts;
      await here.test.clock.advance(1_000);
      expect(isInterruptExpired(interrupt as Seen, new Date(here.test.clock.now()))).toBe(true);
      const id = interrupt?.id ?? "";
      const late = await here.post(
        input("t1", "r2", { resume: [{ interruptId: id, ...resolved({ approved: true }) }] }),
      );
      expect(late.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "INTERRUPT_EXPIRED" });
      const gone = await runOnce(agent, { runId: "r3", resume: [{ interruptId: id, status: "cancelled" }] });
      expect(gone).toMatchObject({ outcome: "success", result: { outcome: "cancelled" } });
      expect(executed).toEqual([]);
    });

    it("R7, AG-038, AG-077 a payload that does not fit is refused, and the corrected one is accepted", async () => {
      await using here = await kit(refunding().agent);
      const agent = agentAt(here);
      await runOnce(agent, { runId: "r1" });
      const wrong = await approveAll(agent, "r2", { approved: "true" });
      expect(wrong.error).toMatchObject({
        code: "INVALID_PAYLOAD",
        message: expect.stringContaining("/approved"),
      });
      expect(agent.pendingInterrupts).toHaveLength(1);
      const misfit = await approveAll(agent, "r3", { approved: true, editedArgs: { amount: "much" } });
      expect(misfit.error).toMatchObject({
        code: "INVALID_PAYLOAD",
        message: expect.stringContaining("amount"),
      });
      expect(await approveAll(agent, "r4")).toMatchObject({ outcome: "success" });
    });

    it("R8 AG-035 a repeated resume reports the same end without executing again, also after a restart", async () => {
      const { agent: script, executed } = parallel();
      await using here = await kit(script);
      const agent = agentAt(here);
      await runOnce(agent, { runId: "r1" });
      const ids = agent.pendingInterrupts.map(({ id }) => id);
      const resume = ids.map((interruptId) => ({ interruptId, ...resolved({ approved: true }) }));
      const first = await runOnce(agent, { runId: "r2", resume });
      const again = await runOnce(agentAt(here), { runId: "r3", resume: resume.toReversed() });
      expect(again).toMatchObject({ outcome: "success", result: first.result });
      expect(types(again.events)).toEqual([
        "RUN_STARTED",
        "STATE_SNAPSHOT",
        "MESSAGES_SNAPSHOT",
        "RUN_FINISHED",
      ]);
      await using later = await here.restart();
      const third = await runOnce(agentAt(later), { runId: "r4", resume });
      expect(third).toMatchObject({ outcome: "success", result: first.result });
      expect(executed).toHaveLength(3);
    });

    it("R9 AG-046 AG-047 snapshots are sent before the end, with the ids that were streamed", async () => {
      await using here = await kit(refunding().agent);
      const agent = agentAt(here);
      const { events } = await runOnce(agent, { runId: "r1" });
      const order = types(events);
      expect(order.slice(-3)).toEqual(["STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
      const snapshot = events.findLast(({ type }) => type === "STATE_SNAPSHOT").snapshot;
      expect(agent.state).toEqual(snapshot);
      const ids = agent.messages.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it("R10, AG-016, AG-018, AG-065, AG-067 every frame fits the client's schemas, without a warning", async () => {
      const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
      await using here = await kit(refunding().agent);
      const first = await here.post(input("t1", "r1"));
      const { interrupts } = first.events.at(-1).outcome;
      const resume = [{ interruptId: interrupts[0].id, ...resolved({ approved: true }) }];
      const second = await here.post(input("t1", "r2", { resume }));
      for (const { text, events } of [first, second]) {
        expect(text).not.toContain("\r");
        const encoder = new EventEncoder({ accept: "text/event-stream" });
        expect(text).toBe(events.map((event) => encoder.encodeSSE(event)).join(""));
        for (const event of events) {
          expect(EventSchemas.parse(event)).toEqual(event);
          expect(JSON.stringify(event)).not.toContain(":null");
        }
      }
      const agent = agentAt(here, "t2");
      await runOnce(agent, { runId: "r1" });
      await approveAll(agent, "r2");
      const complaints = warn.mock.calls.flat().filter((text) => /\[ag-ui\]/.test(String(text)));
      expect(complaints).toEqual([]);
    });
  });
}
