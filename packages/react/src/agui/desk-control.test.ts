/** The desk over the protocol's own client and a scripted endpoint. */

import { HttpAgent } from "@ag-ui/client";
import { describe, expect, it } from "vitest";
import { type DeskControl, type DeskOptions, deskControl, type InterruptibleAgent } from "./desk-control.ts";

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const one = { id: "i1", reason: "input_required", responseSchema: SCHEMA };
const other = { id: "i2", reason: "confirmation" };

// biome-ignore lint/suspicious/noExplicitAny: bodies are asserted on as they come.
type Body = any;

const started = { type: "RUN_STARTED", threadId: "t1", runId: "r" };
const finished = (outcome: object, more: object = {}) => ({
  ...started,
  type: "RUN_FINISHED",
  outcome,
  ...more,
});
const interrupted = (...interrupts: readonly object[]) => finished({ type: "interrupt", interrupts });
const success = finished({ type: "success" });

/** Replies one after the other; a list is a stream, anything else is thrown. */
function scripted(replies: readonly (readonly object[] | Error | Response)[], options: DeskOptions = {}) {
  const sent: Body[] = [];
  const waiting = [...replies];
  const fetch = async (_url: unknown, init: { readonly body: string }) => {
    sent.push(JSON.parse(init.body));
    const reply = waiting.shift() ?? [];
    if (reply instanceof Error) throw reply;
    if (reply instanceof Response) return reply;
    const text = reply.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  };
  const agent = new HttpAgent({ url: "http://agent/x", threadId: "t1", fetch } as never);
  const control = deskControl(agent as unknown as InterruptibleAgent, options);
  control.open();
  return { agent, control, sent };
}

const listOf = (body: object) => (async () => Response.json(body)) as unknown as typeof fetch;
const resolved = (payload: Body) => ({ status: "resolved", payload }) as const;

async function filled(control: DeskControl): Promise<void> {
  control.draft("i1", resolved({ city: "Bath" }));
  control.draft("i2", resolved({ confirmed: true }));
  await control.submit();
}

describe("the desk of interrupts", () => {
  it("AG-096 the desk sends all answers in one resume, and blocks new input before that", async () => {
    const { agent, control, sent } = scripted([
      [started, interrupted(one, other)],
      [started, success],
    ]);
    await agent.runAgent({});
    expect(control.view()).toMatchObject({ phase: "waiting", pending: [one, other] });
    expect(control.isBlocked()).toBe(true);
    control.draft("i1", resolved({ city: "Bath" }));
    expect(control.canSubmit()).toBe(false);
    await control.submit();
    expect(sent).toHaveLength(1);
    await filled(control);
    expect(sent[1].resume).toEqual([
      { interruptId: "i1", status: "resolved", payload: { city: "Bath" } },
      { interruptId: "i2", status: "resolved", payload: { confirmed: true } },
    ]);
    expect(control.view()).toMatchObject({ phase: "idle", pending: [] });
    expect(control.isBlocked()).toBe(false);
  });

  it("AG-093 the desk finds an answer that does not fit its schema before anything is sent", async () => {
    const { agent, control, sent } = scripted([
      [started, interrupted(one)],
      [started, success],
    ]);
    await agent.runAgent({});
    control.draft("i1", resolved({}));
    await control.submit();
    expect(sent).toHaveLength(1);
    expect(control.view().problems["i1"]).toHaveLength(1);
    control.draft("i1", resolved({ city: "Bath" }));
    expect(control.view().problems).toEqual({});
    await control.submit();
    expect(sent).toHaveLength(2);
  });

  it("AG-098 the desk sends an abandoned interrupt as cancelled, not as a denial", async () => {
    const { agent, control, sent } = scripted([
      [started, interrupted(other)],
      [started, success],
    ]);
    await agent.runAgent({});
    control.draft("i2", { status: "cancelled" });
    await control.submit();
    expect(sent[1].resume).toEqual([{ interruptId: "i2", status: "cancelled" }]);
  });

  it.each([
    ["an error of the run", [started, { type: "RUN_ERROR", code: "THREAD_BUSY", message: "Busy." }], "Busy."],
    ["a stream that breaks off", [started], "broke off"],
    ["a refusal by status", Response.json({ error: "no" }, { status: 500 }), "500"],
    ["a lost connection", new Error("offline"), "offline"],
  ])(
    "AG-102 D1 D2 the desk shows %s, and a retry repeats the very same answer",
    async (_, trouble, words) => {
      const { agent, control, sent } = scripted([[started, interrupted(other)], trouble, [started, success]]);
      await agent.runAgent({});
      control.draft("i2", resolved({ confirmed: true }));
      await Promise.all([control.submit(), control.submit()]);
      expect(sent).toHaveLength(2);
      expect(control.view()).toMatchObject({ phase: "failed", pending: [other] });
      expect(control.view().error?.message).toContain(words);
      await control.submit();
      expect(sent[2].resume).toEqual(sent[1].resume);
      expect(control.view().phase).toBe("idle");
    },
  );

  it("AG-101 AG-099 the desk is restored from the server's list, and refills the client's own", async () => {
    const history = [
      {
        interrupt: other,
        status: "resolved",
        payload: { confirmed: true },
        by: "Ada",
        at: "2026-01-01T00:00:00Z",
      },
    ];
    const fetch = listOf({ threadId: "t1", interrupts: [one], history });
    const { agent, control, sent } = scripted([[started, success]], { url: "http://agent/x", fetch });
    await control.restore();
    expect(agent.pendingInterrupts).toEqual([one]);
    expect(control.view()).toMatchObject({ phase: "waiting", pending: [one], history });
    control.draft("i1", resolved({ city: "Bath" }));
    await control.submit();
    expect(sent[0].resume).toHaveLength(1);
  });

  it("AG-097 the desk lets an expired interrupt only be abandoned", async () => {
    const late = { ...other, expiresAt: "2026-01-01T00:00:00Z" };
    const { agent, control } = scripted([[started, interrupted(late)]], {
      now: () => Date.parse(late.expiresAt),
    });
    await agent.runAgent({});
    control.draft("i2", resolved({ confirmed: true }));
    expect(control.canSubmit()).toBe(false);
    control.draft("i2", { status: "cancelled" });
    expect(control.canSubmit()).toBe(true);
  });

  it("AG-094 the desk knows a call's arguments as they were streamed", async () => {
    const call = { toolCallId: "c1" };
    const { agent, control } = scripted([
      [
        started,
        { type: "TOOL_CALL_START", toolCallName: "pay", ...call },
        { type: "TOOL_CALL_ARGS", delta: '{"amount":', ...call },
        { type: "TOOL_CALL_ARGS", delta: "40}", ...call },
        { type: "TOOL_CALL_END", ...call },
        success,
      ],
    ]);
    await agent.runAgent({});
    expect(control.argsOf("c1")).toEqual({ amount: 40 });
    expect(control.argsOf("c2")).toBeUndefined();
    expect(control.argsOf(undefined)).toBeUndefined();
  });

  it("G15 the desk takes the arguments of the newest message with the call, and none that are no object", async () => {
    const calling = (id: string, args: string) => ({ toolCalls: [{ id, function: { arguments: args } }] });
    const messages = [calling("c1", '{"amount":1}'), calling("c1", '{"amount":2}'), calling("c2", "[1]"), {}];
    const agent = { threadId: "t1", pendingInterrupts: [], messages } as unknown as InterruptibleAgent;
    const control = deskControl(agent);
    expect(control.argsOf("c1")).toEqual({ amount: 2 });
    expect(control.argsOf("c2")).toBeUndefined();
  });
});
