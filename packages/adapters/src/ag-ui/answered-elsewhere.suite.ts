/** A stock client in an open session, whose question somebody answers through another door meanwhile. */

import { buildResumeArray, HttpAgent } from "@ag-ui/client";
import type { Json } from "@holdpoint/protocol/rules";
import { describe, expect, it } from "vitest";
import { parallel, refunding } from "../testing/agents.ts";
import { clientOf, type Kit, type MakeKit } from "../testing/agui-kit.ts";
import { runOnce, type Seen } from "./recipes.suite.ts";

const approve = { action: "approve", data: { feedback: "Looks right to me." } };
const reject = { action: "reject", data: { feedback: "Too much." } };

/** A session that has been shown the question, and what it says next. */
async function session(here: Kit, answer: { readonly action: string; readonly data?: object }) {
  const agent: Seen = new HttpAgent({ url: here.url, threadId: "t1" });
  await runOnce(agent, { runId: "r1" });
  const id: string = agent.pendingInterrupts[0]?.id ?? "";
  await clientOf(here.test, "operator").answer(id, answer as never);
  let runs = 1;
  const resume = (entry: object) => {
    runs += 1;
    const resume = buildResumeArray(agent.pendingInterrupts, { [id]: entry } as Seen);
    return runOnce(agent, { runId: `r${runs}`, resume });
  };
  return {
    agent,
    say: (payload: Json) => resume({ status: "resolved", payload }),
    giveUp: () => resume({ status: "cancelled" }),
    async message(content: string) {
      runs += 1;
      agent.addMessage({ id: `m${runs}`, role: "user", content });
      return runOnce(agent, { runId: `r${runs}` });
    },
  };
}

const recordedIn = (events: readonly Seen[]) =>
  events.filter(({ name }) => name === "holdpoint.recorded").flatMap(({ value }) => value.recorded);

export function answeredElsewhere(where: string, kit: MakeKit): void {
  describe(`finding 3: a stock client ${where}, when somebody answered elsewhere`, () => {
    it("AG-035: a client that agrees continues with the recorded answer, and is told which one counts", async () => {
      const { agent: script, executed } = refunding();
      await using here = await kit(script);
      const open = await session(here, approve);
      const ran = await open.say({ approved: true });
      expect(ran).toMatchObject({ outcome: "success", result: { outcome: "executed" } });
      expect(recordedIn(ran.events)).toMatchObject([
        { status: "resolved", payload: { approved: true, feedback: "Looks right to me." } },
      ]);
      expect(executed).toHaveLength(1);
      expect(open.agent.pendingInterrupts).toEqual([]);
      expect((await open.message("And another.")).error).toBeUndefined();
    });

    it("a client continues with a rejection that it agrees with in other words", async () => {
      for (const agreeing of [{ approved: false }, { approved: false, feedback: "No." }]) {
        const { agent: script, executed } = refunding();
        await using here = await kit(script);
        const open = await session(here, reject);
        expect(await open.say(agreeing)).toMatchObject({ outcome: "success", result: { outcome: "denied" } });
        expect(executed).toEqual([]);
        expect((await open.message("Something else.")).error).toBeUndefined();
      }
    });

    it("G14: a client that says yes to a rejected call runs nothing, reads why, and can continue", async () => {
      const { agent: script, executed } = refunding();
      await using here = await kit(script);
      const open = await session(here, reject);
      const { error } = await open.say({ approved: true });
      expect(error).toMatchObject({
        code: "INTERRUPT_ALREADY_RESOLVED",
        message: expect.stringMatching(/reject by ada, through rest.*not counted/),
      });
      expect(open.agent.pendingInterrupts).toEqual([]);
      expect(await open.message("Go on.")).toMatchObject({ result: { outcome: "denied" } });
      expect((await open.message("Something else.")).error).toBeUndefined();
      expect(executed).toEqual([]);
    });

    it.each(["says no to", "gives up"])(
      "G14: a client that %s what was approved runs nothing by it, and can continue",
      async (how) => {
        const { agent: script, executed } = refunding();
        await using here = await kit(script);
        const open = await session(here, approve);
        const { error } = await (how === "gives up" ? open.giveUp() : open.say({ approved: false }));
        expect(error).toMatchObject({ code: "INTERRUPT_ALREADY_RESOLVED" });
        expect(executed).toEqual([]);
        expect(open.agent.pendingInterrupts).toEqual([]);
        // The approval stands: the next run goes on with it.
        expect(await open.message("Go on.")).toMatchObject({ result: { outcome: "executed" } });
        expect(executed).toHaveLength(1);
      },
    );

    it("a client's other open questions stay open", async () => {
      const { agent: script, executed } = parallel(2);
      await using here = await kit(script);
      const open = await session(here, reject);
      const [first, second] = open.agent.pendingInterrupts.map(({ id }: Seen) => id);
      const yes = { status: "resolved", payload: { approved: true } };
      const resume = buildResumeArray(open.agent.pendingInterrupts, { [first]: yes, [second]: yes } as Seen);
      expect((await runOnce(open.agent, { runId: "both", resume })).error).toMatchObject({
        code: "INTERRUPT_ALREADY_RESOLVED",
      });
      expect(executed).toEqual([]);
      expect(open.agent.pendingInterrupts.map(({ id }: Seen) => id)).toEqual([second]);
      const rest = buildResumeArray(open.agent.pendingInterrupts, { [second]: yes } as Seen);
      expect(await runOnce(open.agent, { runId: "rest", resume: rest })).toMatchObject({
        result: { kinds: ["denied", "executed"] },
      });
    });

    it("a client that wants other arguments than the approved ones is refused, and neither runs", async () => {
      const { agent: script, executed } = refunding();
      await using here = await kit(script);
      const open = await session(here, { action: "approve", data: { edited_args: { amount: 5 } } });
      const other = await open.say({ approved: true, editedArgs: { amount: 500 } });
      expect(other.error).toMatchObject({ code: "INTERRUPT_ALREADY_RESOLVED" });
      expect(executed).toEqual([]);
      expect(await open.message("Go on.")).toMatchObject({ result: { outcome: "executed" } });
      expect(executed).toEqual([{ amount: 5 }]);
    });

    it("a client whose text differs from the recorded one is told so, and continues", async () => {
      const answers: Seen[] = [];
      await using here = await kit(async function* (run) {
        yield "A question.";
        const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
        answers.push(await run.interrupt({ reason: "input_required", responseSchema: schema }));
        return "done";
      });
      const open = await session(here, { action: "submit", data: { city: "Bern" } });
      expect((await open.say({ city: "Basel" })).error).toMatchObject({ code: "INTERRUPT_ALREADY_RESOLVED" });
      expect(await open.message("Go on.")).toMatchObject({ outcome: "success", result: "done" });
      expect(answers.at(-1)).toMatchObject({ payload: { city: "Bern" } });
    });

    it.each([
      ["agrees", { approved: true }],
      ["disagrees", { approved: false }],
    ] as const)(
      "a client that %s when the work is over runs nothing again, and can continue",
      async (how, payload) => {
        const { agent: script, executed } = refunding();
        await using here = await kit(script);
        const open = await session(here, approve);
        await here.post({ threadId: "t1", runId: "elsewhere", protocolVersion: "1.0", messages: [] });
        const late = await open.say(payload);
        if (how === "agrees")
          expect(late).toMatchObject({ outcome: "success", result: { outcome: "executed" } });
        else expect(late.error).toMatchObject({ code: "INTERRUPT_ALREADY_RESOLVED" });
        expect(executed).toHaveLength(1);
        expect(open.agent.pendingInterrupts).toEqual([]);
        expect((await open.message("Something else.")).error).toBeUndefined();
      },
    );
  });
}
