/** An answer reaches the question that it was given to, and nothing is done twice, whatever the agent or the network does. */

import { HttpAgent } from "@ag-ui/client";
import { describe, expect, it, vi } from "vitest";
import { parallel, refunding } from "../testing/agents.ts";
import { clientOf, handlerOn, input, type Kit, kit, type Reply } from "../testing/agui-kit.ts";
import type { AgUiAgent, ToolUse } from "./index.ts";

const approve = (interruptId: string, payload: unknown = { approved: true }) => ({
  interruptId,
  status: "resolved",
  payload,
});
const last = ({ events }: Reply) => events.at(-1);
const resume = (entries: readonly object[], runId = "r2") => input("t1", runId, { resume: entries });

async function stopped(here: Kit): Promise<string> {
  return last(await here.post(input("t1", "r1"))).outcome.interrupts[0].id;
}

/** Two questions, one after the other. */
const asking: AgUiAgent = async function* (run) {
  yield "Two questions.";
  const first = await run.interrupt({ reason: "confirmation", message: "One?" });
  const second = await run.interrupt({ reason: "confirmation", message: "Two?" });
  return { answers: [first.status, second.status] };
};

describe("approvals and the call they are for", () => {
  const tool = (name: string, executed: string[]): ToolUse => ({
    name,
    args: {},
    execute: () => {
      executed.push(name);
      return "done";
    },
  });

  it("G12 an approval does not count for what the agent asks instead when it is called again", async () => {
    const executed: string[] = [];
    let name = "refund";
    await using here = await kit(async function* (run) {
      yield "Working.";
      const { kind } = await run.tool(tool(name, executed));
      return { kind };
    });
    const id = await stopped(here);
    name = "drop_database";
    expect(last(await here.post(resume([approve(id)])))).toMatchObject({
      type: "RUN_ERROR",
      code: "ASK_CHANGED",
    });
    expect(executed).toEqual([]);
    name = "refund";
    expect(last(await here.post(resume([approve(id)], "r3")))).toMatchObject({
      result: { kind: "executed" },
    });
    expect(executed).toEqual(["refund"]);
  });

  it("a resume for another question leaves the thread free for new input, which starts a new run", async () => {
    let message = "Pay 1?";
    await using here = await kit(async function* (run) {
      yield "Working.";
      await run.interrupt({ reason: "confirmation", message });
      return null;
    });
    const id = await stopped(here);
    await clientOf(here.test, "operator").answer(id, { action: "confirm" });
    message = "Pay 1000?";
    expect(last(await here.post(input("t1", "r2")))).toMatchObject({ code: "ASK_CHANGED" });
    expect(last(await here.post(input("t1", "r3")))).toMatchObject({
      outcome: { interrupts: [{ message: "Pay 1000?" }] },
    });
  });

  it.each(["replay", "checkpoint"] as const)(
    "an approval never reaches a call that is made at the same time, in the style %s",
    async (style) => {
      const executed: string[] = [];
      const agent: AgUiAgent = async function* (run) {
        yield "Working.";
        await Promise.all([run.tool(tool("a", executed)), run.tool(tool("b", executed))]);
        return null;
      };
      await using here = await kit(agent, { style });
      expect(last(await here.post(input("t1", "r1")))).toMatchObject({ code: "AGENT_ERROR" });
      expect(here.errors.map(String)).toEqual([expect.stringContaining("toolAll")]);
      expect((await here.holdpoint.list({ threadId: "t1" })).holds).toEqual([]);
      expect(executed).toEqual([]);
    },
  );

  it.each(["editedArgs", "edited_args"])(
    "AG-054 an approval changes no arguments by %s where none may be changed",
    async (edits) => {
      const { agent, executed } = refunding({ editable: undefined as never });
      await using here = await kit(agent);
      const id = await stopped(here);
      const changed = await here.post(resume([approve(id, { approved: true, [edits]: { amount: 9999 } })]));
      expect(last(changed)).toMatchObject({ code: "INVALID_PAYLOAD" });
      expect(executed).toEqual([]);
      expect((await here.holdpoint.get(id)).status).toBe("open");
    },
  );

  it("an approval with changes that were not offered, given through another door, runs neither version", async () => {
    const { agent, executed } = refunding({ editable: undefined as never });
    await using here = await kit(agent);
    const id = await stopped(here);
    const answer = { action: "approve", data: { edited_args: { amount: 9999 } } };
    await clientOf(here.test, "operator").answer(id, answer);
    expect(last(await here.post(input("t1", "r2")))).toMatchObject({ result: { outcome: "denied" } });
    expect(executed).toEqual([]);
  });
});

describe("runs whose connection is lost", () => {
  /** A process that places its second question and dies before it has written that down. */
  async function lost(here: Kit): Promise<string> {
    const { client } = clientOf(here.test);
    let isDead = false;
    const dying = new Proxy(client, {
      get: (target, name) => {
        if (name === "keepThread" && isDead) return () => Promise.reject(new Error("dead"));
        if (name !== "placeGroup") return bound(target, name);
        return async (group: Parameters<typeof client.placeGroup>[0]) => {
          const placed = await client.placeGroup(group);
          isDead = group.holds[0]?.prompt === "Two?";
          return placed;
        };
      },
    });
    await using dead = await handlerOn(here.test, asking, { holdpoint: dying });
    const id = await stopped(dead);
    await dead.post(resume([approve(id, true)]));
    await here.test.clock.advance(31_000);
    return id;
  }

  it("a lost run asks a later question once, and the question is found open and can be answered", async () => {
    await using here = await kit(asking);
    const first = await lost(here);
    const again = last(await here.post(resume([approve(first, true)], "r3")));
    const [{ id }] = again.outcome.interrupts;
    expect((await here.holdpoint.list({ threadId: "t1" })).holds).toHaveLength(2);
    expect(last(await here.post(resume([approve(id, true)], "r4")))).toMatchObject({
      result: { answers: ["resolved", "resolved"] },
    });
  });

  it("a lost run continues at once if its question was answered meanwhile", async () => {
    await using here = await kit(asking);
    const first = await lost(here);
    const { holds } = await here.holdpoint.list({ threadId: "t1", status: "open" });
    await clientOf(here.test, "operator").answer(holds[0]?.id ?? "", { action: "confirm" });
    expect(last(await here.post(resume([approve(first, true)], "r3")))).toMatchObject({
      outcome: { type: "success" },
      result: { answers: ["resolved", "resolved"] },
    });
  });

  it("AG-078 a run whose client disconnected keeps the thread until its work is done, which runs once", async () => {
    const doing = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const done: string[] = [];
    await using here = await kit(async function* (run) {
      yield "Working.";
      await run.interrupt({ reason: "confirmation" });
      for (const step of ["a", "b"]) {
        await run.step(async () => {
          done.push(step);
          doing.resolve();
          await finish.promise;
          return step;
        });
      }
      return { done };
    });
    const id = await stopped(here);
    const leaving = new AbortController();
    const left = fetch(here.url, {
      method: "POST",
      signal: leaving.signal,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(resume([approve(id, true)])),
    }).then((reply) => reply.text());
    await doing.promise;
    leaving.abort();
    await expect(left).rejects.toThrow();
    expect(last(await here.post(resume([approve(id, true)], "r3")))).toMatchObject({ code: "THREAD_BUSY" });
    finish.resolve();
    const next = await vi.waitFor(async () => {
      const reply = await here.post(resume([approve(id, true)], "r4"));
      expect(last(reply).type).toBe("RUN_FINISHED");
      return reply;
    });
    expect(last(next).result).toEqual({ done: ["a", "b"] });
  });
});

describe("what an agent sends", () => {
  it("A3 an event that cannot be sent ends the run with its code, and the next run is served", async () => {
    let value: unknown = 10n;
    await using here = await kit(async function* () {
      yield { type: "CUSTOM", name: "acme:number", value };
      return { fine: true };
    });
    expect(last(await here.post(input("t1", "r1")))).toMatchObject({ code: "AGENT_ERROR" });
    await here.test.clock.advance(16_000);
    value = 10;
    expect(last(await here.post(input("t1", "r2")))).toMatchObject({ result: { fine: true } });
  });

  it("AG-047 a message sent in chunks is in the snapshot as the client assembled it", async () => {
    await using here = await kit(async function* (run) {
      yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m9", role: "assistant", delta: "hel" };
      yield { type: "TEXT_MESSAGE_CHUNK", delta: "lo" };
      yield { type: "TOOL_CALL_CHUNK", toolCallId: "c9", toolCallName: "look", delta: '{"a":' };
      yield { type: "TOOL_CALL_CHUNK", delta: "1}" };
      await run.interrupt({ reason: "confirmation" });
      return null;
    });
    const agent = new HttpAgent({ url: here.url, threadId: "t1" });
    await agent.runAgent({ runId: "r1" });
    const call = { id: "c9", type: "function", function: { name: "look", arguments: '{"a":1}' } };
    expect(agent.messages).toEqual([
      { id: "m9", role: "assistant", content: "hello" },
      { id: "c9", role: "assistant", toolCalls: [call] },
    ]);
  });

  it.each([
    ["more than a claim takes", "x".repeat(1_200_000), 1_200_000],
    ["no JSON", 10n, 0],
  ])("AG-035 the result of a call that is %s leaves no doubt that it ran", async (_what, result, length) => {
    let executed = 0;
    let failures = 1;
    await using here = await kit(async function* (run) {
      yield "Reading.";
      const outcome = await run.tool({
        name: "read",
        args: {},
        execute: () => {
          executed += 1;
          return result as string;
        },
      });
      if (failures-- > 0) throw new Error("once more");
      return { length: outcome.kind === "executed" ? String(outcome.result ?? "").length : -1 };
    });
    const id = await stopped(here);
    expect(last(await here.post(resume([approve(id)])))).toMatchObject({ code: "AGENT_ERROR" });
    expect(last(await here.post(resume([approve(id)], "r3")))).toMatchObject({ result: { length } });
    expect(executed).toBe(1);
  });
});

it.each([".", "..", "a\0b", "\ud800"])("AG-043 %j is refused as a thread id", async (threadId) => {
  await using here = await kit(refunding().agent);
  const { status, text } = await here.post(input(threadId, "r1"));
  expect([status, JSON.parse(text)]).toMatchObject([400, { path: "/threadId" }]);
});

function bound(target: object, name: PropertyKey): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === "function" ? value.bind(target) : value;
}

it("goOn continues a thread whose questions are answered, once, and starts no new run", async () => {
  const { agent, executed } = refunding();
  let calls = 0;
  await using here = await kit((run) => {
    calls += 1;
    return agent(run);
  });
  await here.handler.goOn("t1");
  expect(calls).toBe(0);
  const { events } = await here.post(input("t1", "r1"));
  const [{ id }] = events.at(-1).outcome.interrupts;
  await here.handler.goOn("t1");
  expect(executed).toEqual([]);
  await clientOf(here.test, "operator").answer(id, { action: "approve" });
  await here.handler.goOn("t1");
  expect(executed).toHaveLength(1);
  const before = calls;
  await here.handler.goOn("t1");
  expect(calls).toBe(before);
});

it("AG-032 a partial answer is kept where the handler allows it, and the run ends on the rest", async () => {
  const { agent, executed } = parallel(3);
  await using here = await kit(agent);
  const { events } = await here.post(input("t1", "r1"));
  const ids: readonly string[] = events.at(-1).outcome.interrupts.map(({ id }: { id: string }) => id);
  const [one = "", two = "", three = ""] = ids;
  const keep = { query: "?partialResume=keep" };
  const some = await here.post(resume([approve(one), approve(two)]), keep);
  expect(last(some).outcome.interrupts).toMatchObject([{ id: three }]);
  const unknown = await here.post(resume([approve("hold_other")], "r3"), keep);
  expect(last(unknown)).toMatchObject({ code: "UNKNOWN_INTERRUPT_ID" });
  const misfit = await here.post(resume([approve(three, { approved: "yes" })], "r4"), keep);
  expect(last(misfit)).toMatchObject({ code: "INVALID_PAYLOAD" });
  expect(executed).toEqual([]);
  expect((await here.post(resume([], "r5"), { query: "?partialResume=some" })).status).toBe(400);
  const done = await here.post(resume([approve(three)], "r6"), keep);
  expect(last(done)).toMatchObject({ outcome: { type: "success" } });
  expect(executed).toHaveLength(3);
});
