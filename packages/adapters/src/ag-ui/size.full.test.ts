/** Conversations of nearly 10 MiB, through every step. */

import { HttpAgent } from "@ag-ui/client";
import { describe, expect, it } from "vitest";
import { refunding } from "../testing/agents.ts";
import { input, kit, type Reply } from "../testing/agui-kit.ts";

const MIB = 1024 * 1024;
const FRAME_MAX = 10 * MIB;
const last = ({ events }: Reply) => events.at(-1);
const letter = (mib: number) => ({ id: "m1", role: "user" as const, content: "x".repeat(mib * MIB) });
const longestFrame = ({ text }: Reply) => Math.max(...text.split("\n\n").map((frame) => frame.length));

describe("a conversation of nearly 10 MiB", () => {
  it("AG-079 a conversation of nearly 10 MiB stops and continues in frames that the client accepts", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const client = new HttpAgent({ url: here.url, threadId: "t1", initialMessages: [letter(9)] });
    await client.runAgent({ runId: "r1" });
    const [interrupt] = client.pendingInterrupts;
    expect(client.messages[0]).toEqual(letter(9));
    const answer = { interruptId: interrupt?.id ?? "", status: "resolved" as const };
    const reply = await here.post(
      input("t1", "r2", { resume: [{ ...answer, payload: { approved: true } }] }),
    );
    expect(last(reply)).toMatchObject({ outcome: { type: "success" } });
    expect(executed).toHaveLength(1);
    const told = await here.post(input("t1", "r3", { resume: [{ ...answer, payload: { approved: true } }] }));
    expect(longestFrame(told)).toBeGreaterThan(9 * MIB);
    expect(longestFrame(told)).toBeLessThan(FRAME_MAX);
  });

  it("a conversation that outgrows the limit keeps its answers, and continues when less is sent with the same resume", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const stopped = last(await here.post(input("t1", "r1")));
    const resume = [
      { interruptId: stopped.outcome.interrupts[0].id, status: "resolved", payload: { approved: true } },
    ];
    const large = await here.post(input("t1", "r2", { resume, messages: [letter(10 - 3000 / MIB)] }));
    expect(last(large)).toMatchObject({ type: "RUN_ERROR", code: "CONVERSATION_TOO_LARGE" });
    const kept = await here.holdpoint.getThread("t1");
    const messages = kept?.data["messages"];
    const small = await here.post(input("t1", "r3", { resume, messages }));
    expect(last(small)).toMatchObject({ outcome: { type: "success" } });
    expect(executed).toHaveLength(1);
  });
});
