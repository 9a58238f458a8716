/** The rules a server keeps, with raw requests: what a well-behaved client would never send. */

import { describe, expect, it } from "vitest";
import { parallel, refunding } from "../testing/agents.ts";
import { input, type Kit, kit, type Reply } from "../testing/agui-kit.ts";

const approve = (interruptId: string, payload: unknown = { approved: true }) => ({
  interruptId,
  status: "resolved",
  payload,
});
const last = ({ events }: Reply) => events.at(-1);
const types = ({ events }: Reply) => events.map(({ type }) => type);

/** Runs until it stops, and gives the ids it waits for. */
async function stopped(here: Kit, threadId = "t1", runId = "r1"): Promise<readonly string[]> {
  const reply = await here.post(input(threadId, runId));
  return last(reply).outcome.interrupts.map(({ id }: { id: string }) => id);
}

const resume = (entries: readonly object[], threadId = "t1", runId = "r2") =>
  input(threadId, runId, { resume: entries });

const refusal = (code: string) => ({ type: "RUN_ERROR", code });

describe("the interrupts of a thread", () => {
  it("AG-007, AG-030, AG-031 an interrupt belongs to its own thread only", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    expect(last(await here.post(resume([approve(id)], "t2")))).toMatchObject(refusal("UNKNOWN_INTERRUPT_ID"));
    expect(last(await here.post(resume([approve(id)])))).toMatchObject({ outcome: { type: "success" } });
  });

  it("AG-031 a resume may have an unknown entry beside full coverage, with a warning", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    const reply = await here.post(resume([approve(id), approve("int-of-nobody")]));
    expect(last(reply)).toMatchObject({ outcome: { type: "success" } });
    expect(here.warnings).toHaveLength(1);
  });

  it("AG-032 a resume must cover every open interrupt in one list", async () => {
    const { agent, executed } = parallel(2);
    await using here = await kit(agent);
    const [a = "", b = ""] = await stopped(here);
    expect(last(await here.post(resume([approve(a)])))).toMatchObject(refusal("PARTIAL_RESUME"));
    expect(executed).toEqual([]);
    const { holds } = await here.holdpoint.list({ threadId: "t1", status: "open" });
    expect(holds.map(({ id }) => id).toSorted()).toEqual([a, b].toSorted());
  });

  it("AG-033, AG-042 an open interrupt refuses new input, with an error after RUN_STARTED", async () => {
    await using here = await kit(refunding().agent);
    await stopped(here);
    for (const body of [input("t1", "r2"), resume([])]) {
      const reply = await here.post(body);
      expect(types(reply)).toEqual(["RUN_STARTED", "RUN_ERROR"]);
      expect(last(reply)).toMatchObject(refusal("PENDING_INTERRUPTS"));
    }
  });

  it("AG-034 a resume that names an interrupt twice is refused", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    const twice = resume([approve(id), approve(id, { approved: false })]);
    expect(last(await here.post(twice))).toMatchObject(refusal("DUPLICATE_INTERRUPT_ID"));
  });

  it("AG-036 an interrupt is answered once, and another answer is refused", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const [id = ""] = await stopped(here);
    await here.post(resume([approve(id)]));
    const other = await here.post(resume([approve(id, { approved: false })], "t1", "r3"));
    expect(last(other)).toMatchObject(refusal("INTERRUPT_ALREADY_RESOLVED"));
    expect(executed).toHaveLength(1);
  });

  it("AG-036 a second answerer gets the whole answer that counts", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    const payload = { approved: true, editedArgs: { amount: 7 }, feedback: "fine" };
    await here.post(resume([approve(id, payload)]), { headers: { "x-user": "Grace" } });
    const { events } = await here.post(resume([approve(id, { approved: false })], "t1", "r3"));
    expect(events.at(-1)).toMatchObject(refusal("INTERRUPT_ALREADY_RESOLVED"));
    expect(events.find(({ name }) => name === "holdpoint.refusal")).toEqual({
      type: "CUSTOM",
      name: "holdpoint.refusal",
      value: {
        code: "INTERRUPT_ALREADY_RESOLVED",
        recorded: [
          {
            ...{ interruptId: id, status: "resolved", payload, door: "agui", at: expect.any(String) },
            by: { id: "grace", name: "Grace" },
          },
        ],
      },
    });
  });

  it("AG-040 a client that answers too late is told what happens instead", async () => {
    await using here = await kit(refunding({ approval: { timeout: "1m", onTimeout: "reject" } }).agent);
    const [id = ""] = await stopped(here);
    await here.test.clock.advance(60_000);
    const { events } = await here.post(resume([approve(id)]));
    expect(events.slice(-2)).toMatchObject([
      {
        type: "CUSTOM",
        value: { code: "INTERRUPT_EXPIRED", interruptId: id, default: { action: "reject" } },
      },
      refusal("INTERRUPT_EXPIRED"),
    ]);
    // The run goes on without an answer, and one that comes later still is no less late.
    await here.post(resume([{ interruptId: id, status: "cancelled" }], "t1", "r3"));
    const later = await here.post(resume([approve(id)], "t1", "r4"));
    expect(last(later)).toMatchObject(refusal("INTERRUPT_EXPIRED"));
  });

  it("an interrupt is kept with its thread until it is answered, whatever the retention time", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    const { server } = here.test;
    const [thread] = await server.engine.store.query({ workspace: "default", kind: "thread", limit: 1 });
    const { groupId } = await here.holdpoint.get(id);
    expect(thread?.body["waitsFor"]).toBe(groupId);
  });

  it("AG-037 simultaneous resumes execute once", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const [id = ""] = await stopped(here);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => here.post(resume([approve(id)], "t1", `r${n + 2}`))),
    );
    expect(executed).toHaveLength(1);
    const ends = replies.map((reply) => last(reply).code ?? last(reply).outcome.type);
    expect(ends).toContain("success");
    expect(ends.every((end) => end === "success" || end === "THREAD_BUSY")).toBe(true);
  });

  it("AG-044 an interrupt survives the process: schema, expiry and coverage hold after a restart", async () => {
    const { agent, executed } = refunding({ approval: { timeout: "1h" } });
    await using first = await kit(agent);
    const [id = ""] = await stopped(first);
    const [late = ""] = await stopped(first, "t2");
    await using later = await first.restart();
    expect(last(await later.post(input("t1", "r2")))).toMatchObject(refusal("PENDING_INTERRUPTS"));
    expect(last(await later.post(resume([approve(id, { approved: 1 })])))).toMatchObject(
      refusal("INVALID_PAYLOAD"),
    );
    expect(last(await later.post(resume([approve(id)])))).toMatchObject({ outcome: { type: "success" } });
    expect(executed).toHaveLength(1);
    await later.test.clock.advance(3_600_000);
    expect(last(await later.post(resume([approve(late)], "t2")))).toMatchObject(refusal("INTERRUPT_EXPIRED"));
    expect(executed).toHaveLength(1);
  });

  it("AG-060 an interrupt has what its reason promises: a call, a schema, or a yes-or-no question", async () => {
    await using here = await kit(async function* (run) {
      yield "Three kinds.";
      const input = { reason: "input_required", message: "Where to?" };
      await run.interruptAll([input, { reason: "confirmation", message: "Sure?" }]);
      return null;
    });
    const { interrupts } = last(await here.post(input("t1", "r1"))).outcome;
    expect(interrupts).toMatchObject([
      { reason: "input_required", responseSchema: {} },
      { reason: "confirmation" },
    ]);
    const [where, sure] = interrupts.map(({ id }: { id: string }) => id);
    const answers = (confirmed: unknown) => [approve(where, { city: "Bath" }), approve(sure, confirmed)];
    expect(last(await here.post(resume(answers("perhaps"))))).toMatchObject(refusal("INVALID_PAYLOAD"));
    expect(last(await here.post(resume(answers(true))))).toMatchObject({ outcome: { type: "success" } });
  });

  it("AG-045 an interrupt is not looked up by parentRunId", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    const reply = await here.post({ ...resume([approve(id)]), parentRunId: "some-other-run" });
    expect(last(reply)).toMatchObject({ outcome: { type: "success" } });
  });

  it("AG-019, AG-020, AG-051, AG-060 interrupts have unique ids, a readable time and a complete call", async () => {
    const { agent } = parallel(3);
    await using here = await kit(agent);
    const reply = await here.post(input("t1", "r1"));
    const { interrupts } = last(reply).outcome;
    expect(new Set(interrupts.map(({ id }: { id: string }) => id)).size).toBe(3);
    const ended = reply.events
      .filter(({ type }) => type === "TOOL_CALL_END")
      .map(({ toolCallId }) => toolCallId);
    expect(interrupts.map(({ toolCallId }: { toolCallId: string }) => toolCallId)).toEqual(ended);
    await using timed = await kit(refunding({ approval: { timeout: "1h" } }).agent);
    const { expiresAt } = last(await timed.post(input("t1", "r1"))).outcome.interrupts[0];
    expect(Date.parse(expiresAt)).toBe(timed.test.clock.now() + 3_600_000);
  });
});

describe("a resumed run", () => {
  it.each(["replay", "checkpoint"] as const)(
    "AG-048, AG-049, AG-105, AG-107 a resumed run reports the same in the style %s",
    async (style) => {
      const { agent, executed } = refunding();
      await using here = await kit(agent, { style });
      const first = await here.post(input("t1", "r1", { state: { step: "start" } }));
      const [interrupt] = last(first).outcome.interrupts;
      const state = first.events.findLast(({ type }) => type === "STATE_SNAPSHOT").snapshot;
      const messages = first.events.findLast(({ type }) => type === "MESSAGES_SNAPSHOT").messages;
      const second = await here.post({ ...resume([approve(interrupt.id)]), state, messages });
      expect(types(second)).toEqual([
        "RUN_STARTED",
        "TOOL_CALL_RESULT",
        "STATE_SNAPSHOT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
      ]);
      expect(state).toEqual({ step: "asking" });
      expect(executed).toHaveLength(1);
    },
  );

  it("AG-052, AG-053 a denied call gets a result without being executed", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const [id = ""] = await stopped(here);
    const reply = await here.post(resume([approve(id, { approved: false })]));
    expect(executed).toEqual([]);
    expect(types(reply)).not.toContain("TOOL_CALL_START");
    const result = reply.events.find(({ type }) => type === "TOOL_CALL_RESULT");
    expect(result).toMatchObject({ content: "Not executed: a person denied it." });
    expect(last(reply)).toMatchObject({ result: { outcome: "denied" } });
  });

  it("AG-023, AG-055, AG-056 a resumed run keeps proposal, answer and result, and gives no metadata to the tool", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const [id = ""] = await stopped(here);
    const entry = {
      ...approve(id, { approved: true, editedArgs: { amount: 5 } }),
      metadata: { signature: "s" },
    };
    await here.post(resume([entry]));
    expect(executed).toEqual([{ amount: 5 }]);
    const hold = await here.holdpoint.get(id);
    expect(hold.context).toMatchObject({ args: { amount: 40, to: "ada" } });
    expect(hold.outcome).toMatchObject({
      data: { edited_args: { amount: 5 } },
      by: { kind: "app", claimed: { name: "Ada" } },
    });
    expect(hold.claim).toMatchObject({ state: "done", detail: { result: { refunded: true } } });
    const kept = await here.holdpoint.getThread("t1");
    expect(kept?.data["notes"]).toMatchObject([{ interrupt_id: id, metadata: { signature: "s" } }]);
  });

  it("AG-058 a resumed run may stop again with new ids, and the same resume returns the newer question", async () => {
    await using here = await kit(async function* (run) {
      yield "Two questions.";
      const a = await run.interrupt({ reason: "confirmation", message: "One?" });
      const b = await run.interrupt({ reason: "confirmation", message: "Two?" });
      return { statuses: [a.status, b.status] };
    });
    const [one = ""] = await stopped(here);
    const again = last(await here.post(resume([approve(one, true)]))).outcome;
    expect(again).toMatchObject({ type: "interrupt", interrupts: [{ message: "Two?" }] });
    const repeated = last(await here.post(resume([approve(one, true)], "t1", "r3"))).outcome;
    expect(repeated).toEqual(again);
    const [{ id: two }] = again.interrupts;
    expect(last(await here.post(resume([approve(two, false)], "t1", "r4")))).toMatchObject({
      result: { statuses: ["resolved", "resolved"] },
    });
  });

  it("AG-035 a step runs once, however often the agent is called again", async () => {
    let drawn = 0;
    await using here = await kit(async function* (run) {
      const number = await run.step(() => {
        drawn += 1;
        return drawn;
      });
      yield `Drawn ${number}.`;
      await run.interrupt({ reason: "confirmation" });
      return { number };
    });
    const [id = ""] = await stopped(here);
    await using later = await here.restart();
    expect(last(await later.post(resume([approve(id, true)])))).toMatchObject({ result: { number: 1 } });
    expect(drawn).toBe(1);
  });

  it("AG-102 a resume that failed can be repeated, and what was executed is not executed again", async () => {
    let executed = 0;
    let failures = 1;
    await using here = await kit(async function* (run) {
      yield "Working.";
      await run.tool({ name: "pay", args: {}, execute: () => `paid ${++executed}` });
      if (failures-- > 0) throw new Error("secret trouble");
      return { executed };
    });
    const [id = ""] = await stopped(here);
    const failed = await here.post(resume([approve(id)]));
    expect(last(failed)).toMatchObject(refusal("AGENT_ERROR"));
    expect(failed.text).not.toContain("secret");
    expect(here.errors).toHaveLength(1);
    expect(last(await here.post(resume([approve(id)], "t1", "r3")))).toMatchObject({
      result: { executed: 1 },
    });
  });

  it("AG-028 a stopped run ends in the form that the client understands", async () => {
    await using here = await kit(async function* (run) {
      yield "Stopping.";
      run.stop();
      return {};
    });
    expect(last(await here.post(input("t1", "r1")))).toMatchObject({ outcome: { type: "cancelled" } });
    expect(last(await here.post({ threadId: "t2", runId: "r1" }))).toMatchObject(refusal("RUN_CANCELLED"));
  });

  it("AG-029 a call to the app's own tool is a success with that call pending", async () => {
    await using here = await kit(async function* (run) {
      yield "Over to you.";
      run.callClient({ name: "pickColour", args: { from: ["red"] } });
      return null;
    });
    const reply = await here.post(input("t1", "r1"));
    const { toolCallId } = reply.events.find(({ type }) => type === "TOOL_CALL_START");
    expect(last(reply).outcome).toEqual({ type: "success", pendingToolCallIds: [toolCallId] });
  });

  it("AG-050 a run contains no keys", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    const { text } = await here.post(resume([approve(id)]));
    for (const key of Object.values(here.test.keys)) expect(text).not.toContain(key);
  });
});

describe("the event stream of a run", () => {
  it("AG-024, AG-068, AG-069, AG-070, AG-071 a stream begins with RUN_STARTED, closes what is open, and ends once", async () => {
    await using here = await kit(async function* (run) {
      yield { type: "STEP_STARTED", stepName: "s" };
      yield { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" };
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "half" };
      await run.interrupt({ reason: "confirmation" });
      return null;
    });
    const reply = await here.post(input("t1", "r1"));
    const names = { threadId: "t1", runId: "r1" };
    expect(reply.events[0]).toEqual({ type: "RUN_STARTED", ...names, protocolVersion: "1.0" });
    expect(last(reply)).toMatchObject({ type: "RUN_FINISHED", ...names });
    const newer = await here.post({ ...input("t2", "r2"), protocolVersion: "1.1" });
    expect(newer.events[0]).toMatchObject({ threadId: "t2", runId: "r2", protocolVersion: "1.0" });
    expect(types(reply)).toContain("TEXT_MESSAGE_END");
    expect(types(reply)).toContain("STEP_FINISHED");
    expect(types(reply).filter((type) => type.startsWith("RUN_"))).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    await using wrong = await kit(async function* () {
      yield { type: "TEXT_MESSAGE_END", messageId: "never-opened" };
      return null;
    });
    expect(last(await wrong.post(input("t1", "r1")))).toMatchObject(refusal("AGENT_ERROR"));
  });

  it("AG-063, AG-064, AG-075 the reply is server-sent events unless the client asks for another type", async () => {
    await using here = await kit(refunding().agent);
    for (const accept of ["*/*", "text/event-stream", "application/json"]) {
      const reply = await here.post(input(accept, "r1"), { headers: { accept } });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toBe("text/event-stream");
    }
  });

  it("AG-066 a stream sends keep-alives while the agent thinks", async () => {
    let think: () => void = () => undefined;
    await using here = await kit(async function* () {
      yield "Thinking.";
      await new Promise<void>((resolve) => {
        think = resolve;
      });
      return null;
    });
    const response = await fetch(here.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input("t1", "r1")),
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const readUntil = async (wanted: string) => {
      while (!text.includes(wanted)) text += new TextDecoder().decode((await reader.read()).value);
    };
    await readUntil("TEXT_MESSAGE_END");
    await here.test.clock.advance(15_000);
    await readUntil(": still here\n\n");
    think();
    await readUntil("RUN_FINISHED");
  });

  it("AG-043, AG-026 an invalid request starts no stream", async () => {
    await using here = await kit(refunding().agent);
    const status = async (body: unknown, type = "application/json") =>
      (await here.post(body, { headers: { "content-type": type } })).status;
    expect(await status("{")).toBe(400);
    expect(await status({ threadId: "t1", runId: "r1", messages: 5 })).toBe(400);
    expect(await status({ threadId: "t1", runId: "r1" }, "text/plain")).toBe(415);
    expect(await status({ threadId: "t1", runId: "r1" }, "application/vnd.x+json; charset=utf-8")).toBe(200);
    expect((await here.post(input("t1", "r1"), { query: "?interruptForm=other" })).status).toBe(400);
    expect((await fetch(here.url)).status).toBe(405);
  });

  it("AG-072 our own signals are CUSTOM events, and clients accept them", async () => {
    await using here = await kit(async function* () {
      yield { type: "CUSTOM", name: "acme:progress", value: 0.5 };
      return null;
    });
    expect(types(await here.post(input("t1", "r1")))).toContain("CUSTOM");
  });
});

describe("draft and legacy wire forms", () => {
  const draft = (body: object) => ({ threadId: "t1", ...body });

  it("R12, AG-010, AG-008, AG-009 the draft's bodies are accepted, and bodies that do not say what they answer are refused", async () => {
    await using here = await kit(refunding().agent);
    const at = { query: "?interruptForm=draft" };
    const first = last(await here.post(draft({ runId: "r1" }), at));
    expect(first).toMatchObject({ outcome: "interrupt", interrupt: { reason: "tool_call" } });
    const interruptId = first.interrupt.id;
    const again = async (answer: object) => last(await here.post(draft({ runId: "r2", resume: answer }), at));
    expect(await again({})).toMatchObject(refusal("MISSING_INTERRUPT_ID"));
    expect(await again({ payload: { approved: true } })).toMatchObject(refusal("MISSING_INTERRUPT_ID"));
    expect(await again({ interruptId })).toMatchObject(refusal("INVALID_PAYLOAD"));
    const approved = { interruptId, payload: { approved: true } };
    expect(await again({ ...approved, threadId: "t2" })).toMatchObject(refusal("THREAD_MISMATCH"));
    expect(await again({ ...approved, threadId: "t1" })).toMatchObject({ outcome: "success" });
  });

  it("R12, AG-087 one thread can mix both wire forms", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const asked = last(await here.post(draft({ runId: "r1" }), { query: "?interruptForm=draft" }));
    const list = [approve(asked.interrupt.id)];
    expect(last(await here.post(resume(list)))).toMatchObject({ outcome: { type: "success" } });
    const [id = ""] = await stopped(here, "t1", "r3");
    const answer = { interruptId: id, payload: { approved: true } };
    expect(last(await here.post(draft({ runId: "r4", resume: answer })))).toMatchObject({
      outcome: "success",
    });
    expect(executed).toHaveLength(2);
  });

  it("AG-089 the draft form shows several interrupts one after the other, and executes nothing before the last answer", async () => {
    const { agent, executed } = parallel(3);
    await using here = await kit(agent);
    let end = last(await here.post(draft({ runId: "r0" }), { query: "?interruptForm=draft" }));
    for (let n = 1; n <= 3; n += 1) {
      expect(end.outcome).toBe("interrupt");
      expect(executed).toEqual([]);
      const answer = { interruptId: end.interrupt.id, payload: { approved: true } };
      end = last(await here.post(draft({ runId: `r${n}`, resume: answer })));
    }
    expect(end).toMatchObject({ outcome: "success" });
    expect(executed).toHaveLength(3);
  });

  it("AG-091 LangGraph's spelling is accepted, and on_interrupt is sent where it is wanted", async () => {
    await using here = await kit(refunding().agent, { legacyEvents: true });
    const first = await here.post(draft({ runId: "r1", messages: [] }));
    const custom = first.events.find(({ type }) => type === "CUSTOM");
    expect(custom).toMatchObject({ name: "on_interrupt" });
    expect(JSON.parse(custom.value)).toMatchObject({ reason: "tool_call" });
    const command = { resume: { approved: true } };
    const second = await here.post(draft({ runId: "r2", messages: [], forwardedProps: { command } }));
    expect(last(second)).toMatchObject({ type: "RUN_FINISHED", result: { outcome: "executed" } });
    await using silent = await kit(refunding().agent);
    expect(types(await silent.post(input("t1", "r1")))).not.toContain("CUSTOM");
  });
});
