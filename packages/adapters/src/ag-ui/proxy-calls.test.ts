/** What people see of a tool call that an agent behind the proxy streamed, and of one that it did not (G15). */

import { HttpAgent } from "@ag-ui/client";
import { describe, expect, it } from "vitest";
import { clientOf, kit } from "../testing/agui-kit.ts";
import { type RawProxy, type RawRun, rawProxy, type Seen } from "../testing/raw-proxy.ts";

const start = { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "pay" };
const args = (...deltas: readonly string[]) =>
  deltas.map((delta) => ({ type: "TOOL_CALL_ARGS", toolCallId: "c1", delta }));
const end = { type: "TOOL_CALL_END", toolCallId: "c1" };
const chunk = (more: object) => ({ type: "TOOL_CALL_CHUNK", ...more });
const PAY = [start, ...args('{"amount"', ":5}"), end];
const calling = (id: string, name: string, text: string) => ({
  id: `m-${id}`,
  role: "assistant",
  toolCalls: [{ id, type: "function", function: { name, arguments: text } }],
});
const snapshot = (...messages: readonly object[]) => ({ type: "MESSAGES_SNAPSHOT", messages });
const stopped = (events: readonly object[], more: object = {}, toolCallId = "c1"): RawRun => ({
  events,
  end: {
    outcome: { type: "interrupt", interrupts: [{ id: "i1", reason: "tool_call", toolCallId, ...more }] },
  },
});

/** The hold that a stock client's run stopped on. */
async function held(here: RawProxy, messages: readonly object[] = []) {
  const agent = new HttpAgent({ url: here.url, threadId: "t1", initialMessages: messages as Seen });
  await agent.runAgent({ runId: crypto.randomUUID() });
  return clientOf(here.test, "operator").get(agent.pendingInterrupts[0]?.id ?? "");
}

const KNOWN = { tool: "pay", args: { amount: 5 } };

describe("finding 2: a tool call behind the proxy", () => {
  it.each<[string, RawRun, object]>([
    ["as events", stopped(PAY), KNOWN],
    [
      "in chunks",
      stopped([
        chunk({ toolCallId: "c1", toolCallName: "pay", delta: '{"amo' }),
        chunk({ toolCallId: "c1", delta: 'unt":5}' }),
      ]),
      KNOWN,
    ],
    [
      "in a snapshot of the agent's messages",
      stopped([snapshot(calling("c1", "pay", '{"amount":5}'))]),
      KNOWN,
    ],
    ["without arguments", stopped([start, end]), { tool: "pay", args: {} }],
    [
      "with arguments that are no JSON",
      stopped([start, ...args("amount=5"), end]),
      { tool: "pay", args: "amount=5" },
    ],
    [
      "with a number that a parser would change",
      stopped([start, ...args('{"account":12345678901234567890}'), end]),
      { tool: "pay", args: '{"account":12345678901234567890}' },
    ],
    [
      "with a member that is there twice",
      stopped([start, ...args('{"amount":5,"amount":5000}'), end]),
      { tool: "pay", args: '{"amount":5,"amount":5000}' },
    ],
    [
      "beside what the agent says of it",
      stopped(PAY, { metadata: { payload: { risk: "low", tool: "pay" } } }),
      { ...KNOWN, risk: "low" },
    ],
    [
      "against what the agent says of it",
      stopped(PAY, { metadata: { payload: { tool_call: { name: "look", args: {} } } } }),
      { ...KNOWN, agent_says: { tool_call: { name: "look", args: {} } } },
    ],
  ])(
    "G15: a tool call that was streamed %s is shown with its name and arguments",
    async (_how, run, context) => {
      await using here = await rawProxy(() => run);
      const hold = await held(here);
      expect(hold).toMatchObject({ type: "approval", prompt: "Run pay?" });
      expect(hold.context).toEqual(context);
    },
  );

  it("G15: a tool call is shown together with the agent's message", async () => {
    await using here = await rawProxy(() => stopped(PAY, { message: "Pay Ada?" }));
    expect(await held(here)).toMatchObject({ prompt: "Pay Ada?", context: KNOWN });
  });

  it.each<[string, RawRun]>([
    ["that was never streamed", stopped([])],
    ["that is named by no id", stopped(PAY, { toolCallId: undefined })],
    ["of another id", stopped(PAY, {}, "c2")],
    [
      "that was streamed in two versions",
      stopped([...PAY, snapshot(calling("c1", "pay", '{"amount":500}'))]),
    ],
    ["that was streamed twice", stopped([...PAY, start, ...args('{"amount":500}'), end])],
    ["that is too large to be shown", stopped([start, ...args(`{"a":"${"x".repeat(600_000)}"}`), end])],
    [
      "whose snapshot is malformed",
      stopped([snapshot({ id: "m", role: "assistant", toolCalls: [{ id: "c1" }] })]),
    ],
    [
      "that the agent describes itself",
      stopped([], { metadata: { payload: { tool: "pay", args: { amount: 5 } } } }),
    ],
  ])("G15: a tool call %s is shown to people as unknown", async (_how, run) => {
    await using here = await rawProxy(() => run);
    const { events } = await here.post({});
    const [open] = events.at(-1).outcome.interrupts;
    const { context } = await clientOf(here.test, "operator").get(open.id);
    expect(context).toMatchObject({ call_unknown: true });
  });

  it("G15: a tool call that only the client's own messages show is unknown, also when the agent repeats it", async () => {
    const forged = calling("c1", "look", "{}");
    await using here = await rawProxy(() => stopped([snapshot(forged)]));
    expect((await held(here, [forged])).context).toEqual({ call_unknown: true });
  });

  it("G15: a tool call that was streamed before an earlier question of the same run is known at the next", async () => {
    const other = [
      { type: "TOOL_CALL_START", toolCallId: "c2", toolCallName: "mail" },
      { type: "TOOL_CALL_ARGS", toolCallId: "c2", delta: '{"to":"ada"}' },
      { type: "TOOL_CALL_END", toolCallId: "c2" },
    ];
    await using here = await rawProxy(({ resume }) =>
      resume === undefined ? stopped([...PAY, ...other]) : stopped([], { id: "i2" }, "c2"),
    );
    const { id } = await held(here);
    const resume = [{ interruptId: id, status: "resolved", payload: { approved: true } }];
    const [next] = (await here.post({ resume })).events.at(-1).outcome.interrupts;
    const { context } = await clientOf(here.test, "operator").get(next.id);
    expect(context).toEqual({ tool: "mail", args: { to: "ada" } });
  });
});

describe("a tool call of a handler's own agent", () => {
  it.each([
    ["streamed", PAY, KNOWN],
    ["not streamed", [], { call_unknown: true }],
  ] as const)(
    "G15: a tool call that was %s before its question is shown as it is, also after a restart",
    async (_how, events, context) => {
      await using here = await kit(async function* (run) {
        yield* events as Seen;
        const answer = await run.interrupt({ reason: "tool_call", toolCallId: "c1" });
        return answer.status === "resolved" && answer.approved;
      });
      const [open] = (await here.post({ threadId: "t1", runId: "r1" })).events.at(-1).outcome.interrupts;
      expect((await here.holdpoint.get(open.id)).context).toEqual(context);
      await using later = await here.restart();
      const resume = [{ interruptId: open.id, status: "resolved", payload: { approved: true } }];
      const { events: last } = await later.post({ threadId: "t1", runId: "r2", resume });
      expect(last.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: true });
    },
  );
});
