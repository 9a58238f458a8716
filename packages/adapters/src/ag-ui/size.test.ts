/** Conversations as large as can be, and larger: nothing a client cannot take, nothing lost. */

import { describe, expect, it } from "vitest";
import { refunding } from "../testing/agents.ts";
import { input, kit, type Reply } from "../testing/agui-kit.ts";

const MIB = 1024 * 1024;
const FRAME_MAX = 10 * MIB;
const last = ({ events }: Reply) => events.at(-1);
const letter = (mib: number, id = "m1") => ({ id, role: "user" as const, content: "x".repeat(mib * MIB) });
const longestFrame = ({ text }: Reply) => Math.max(...text.split("\n\n").map((frame) => frame.length));

describe("what is too large", () => {
  it("AG-079 an event that is too large ends the run, and is not sent", async () => {
    await using here = await kit(async function* () {
      yield "x".repeat(FRAME_MAX);
      return null;
    });
    const reply = await here.post(input("t1", "r1"));
    expect(last(reply)).toMatchObject({ type: "RUN_ERROR", code: "EVENT_TOO_LARGE" });
    expect(longestFrame(reply)).toBeLessThan(1024);
  });

  it("AG-079 a body over 10 MiB is refused before any stream", async () => {
    await using here = await kit(refunding().agent);
    expect((await here.post(input("t1", "r1", { state: "x".repeat(FRAME_MAX) }))).status).toBe(413);
  });

  it("a conversation that is too large to store is refused before the agent is called, and the thread stays unchanged", async () => {
    let calls = 0;
    await using here = await kit(async function* () {
      calls += 1;
      yield "Hello.";
      return null;
    });
    const reply = await here.post(input("t1", "r1", { messages: [letter(9.8)] }));
    expect(last(reply)).toMatchObject({ type: "RUN_ERROR", code: "CONVERSATION_TOO_LARGE" });
    expect(here.errors).toEqual([]);
    expect(calls).toBe(0);
    expect(last(await here.post(input("t1", "r2")))).toMatchObject({ outcome: { type: "success" } });
  });

  it("AG-079 a conversation that grows too large sends no oversized frame and asks nobody a question that could not be resumed", async () => {
    await using here = await kit(async function* (run) {
      yield "x".repeat(5 * MIB);
      yield "y".repeat(5 * MIB);
      await run.interrupt({ reason: "confirmation", message: "Go on?" });
      return null;
    });
    const reply = await here.post(input("t1", "r1"));
    expect(last(reply)).toMatchObject({ type: "RUN_ERROR", code: "CONVERSATION_TOO_LARGE" });
    expect(longestFrame(reply)).toBeLessThan(6 * MIB);
    expect((await here.holdpoint.list({ status: "open" })).holds).toEqual([]);
  });
});
