/** A Holdpoint in memory keeps the rules of a real server, and does what a test tells it. */

import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { CancelledError, ExpiredError, Holdpoint, isRefusal, isRetryableError } from "../index.ts";
import { type TestHoldpoint, testHoldpoint } from "./index.ts";

const started: TestHoldpoint[] = [];

function start(options?: Parameters<typeof testHoldpoint>[0]) {
  const test = testHoldpoint(options);
  started.push(test);
  return { test, hp: new Holdpoint({ client: test.client }) };
}

afterEach(async () => {
  vi.useRealTimers();
  for (const each of started.splice(0)) await each.stop();
});

describe("a Holdpoint in memory", () => {
  it("lets a test answer what its agent asks, and the approved work runs once", async () => {
    const { test, hp } = start();
    let runs = 0;
    const agent = async () => {
      const approved = await hp.approve("Refund 80 EUR?", { key: "refund:1042" });
      return approved ? approved.runOnce(() => ({ run: ++runs })) : "refused";
    };
    const refunded = agent();
    const answered = await test.answerNext("approve");
    expect(answered.outcome).toMatchObject({ kind: "decided", action: "approve", by: { name: "tester" } });
    expect(await refunded).toEqual({ run: 1 });
    // The agent crashed and starts again: the recorded result, not a second refund.
    expect(await agent()).toEqual({ run: 1 });
  });

  it("keeps the answer rules of the server: an action that the question does not have is refused", async () => {
    const { test, hp } = start();
    await hp.place({ type: "approval", prompt: "Go?" });
    const error = await test.answerNext("perhaps").catch((thrown: unknown) => thrown);
    expect(isRefusal(error, "invalid_action")).toBe(true);
    expect(await test.open()).toHaveLength(1);
  });

  it("keeps G7: the agent's own client cannot answer", async () => {
    const { hp } = start();
    const { id } = await hp.place({ type: "approval", prompt: "Go?" });
    await expect(hp.answer(id, { action: "approve" })).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("refuses a malformed question with the field that is wrong", async () => {
    const { hp } = start();
    const asked = hp.place({ type: "selection", prompt: "Where?", options: [] });
    await expect(asked).rejects.toMatchObject({ name: "TerminalError", status: 422 });
  });

  it("checks data against the question's schema and gives the parsed answer", async () => {
    const { test, hp } = start();
    const asked = hp.input(z.object({ amount: z.number() }), { prompt: "How much?" });
    await expect(test.answerNext("submit", { amount: "much" })).rejects.toMatchObject({ status: 422 });
    await test.answerNext("submit", { amount: 80 });
    expect(await asked).toEqual({ amount: 80 });
  });

  it("rejects with the person's reason", async () => {
    const { test, hp } = start();
    const asked = hp.ask({ type: "approval", prompt: "Send?" });
    await test.rejectNext("Too blunt.", { by: "mara" });
    const decided = (await asked).orThrow();
    expect(decided).toMatchObject({
      action: "reject",
      data: { feedback: "Too blunt." },
      by: { name: "mara" },
    });
  });

  it("withdraws the oldest hold with a reason", async () => {
    const { test, hp } = start();
    const asked = hp.approve("Send?").catch((error: unknown) => error);
    await test.cancelNext("No longer needed");
    expect(await asked).toBeInstanceOf(CancelledError);
  });

  it("gives two answers at once to two holds, oldest first", async () => {
    const { test, hp } = start();
    const first = hp.choose("First?", ["a", "b"]);
    await test.nextOpen();
    const second = hp.choose("Second?", ["a", "b"]);
    await Promise.all([
      test.answerNext("select", { selected: ["a"] }),
      test.answerNext("select", { selected: ["b"] }),
    ]);
    expect([await first, await second]).toEqual(["a", "b"]);
  });

  it("says what to do when no hold is open", async () => {
    const { test } = start();
    await expect(test.answerNext("approve", {}, { withinMs: 1 })).rejects.toThrow(
      /^No hold was placed within 1 ms\. Start the code that asks before you answer/,
    );
  });
});

describe("the clock of a Holdpoint in memory", () => {
  it("expires a hold when the test moves the time on, and not before", async () => {
    const { test, hp } = start({ now: new Date("2026-03-01T09:00:00Z") });
    const asked = hp.approve("Deploy?", { timeout: "2h" }).catch((error: unknown) => error);
    await test.nextOpen();
    await test.advance("119m");
    expect(await test.open()).toHaveLength(1);
    await test.advance("1m");
    expect(test.now().toISOString()).toBe("2026-03-01T11:00:00.000Z");
    expect(await asked).toBeInstanceOf(ExpiredError);
  });

  it("ends a wait of limited length", async () => {
    const { test, hp } = start();
    const soon = hp.ask({ type: "approval", prompt: "Go?" }, { waitMs: 60_000 });
    await test.nextOpen();
    await test.advance("1m");
    expect((await soon).kind).toBe("pending");
  });

  it("passes ten years in a moment", async () => {
    const { test, hp } = start();
    const asked = hp.ask({ type: "approval", prompt: "Go?", timeout: "3000d" });
    await test.nextOpen();
    await test.advance("3000d");
    expect((await asked).kind).toBe("expired");
  });

  it("works while the runner's fake timers are on", async () => {
    vi.useFakeTimers();
    const { test, hp } = start();
    const asked = hp.ask({ type: "approval", prompt: "Go?", timeout: "1h" });
    await test.nextOpen();
    await test.answerNext("approve");
    expect((await asked).kind).toBe("decided");
  });

  it("refuses an invalid duration", () => {
    const { test } = start();
    expect(() => test.advance("soon")).toThrow('"soon" is no duration. Give milliseconds or a text such as');
    expect(() => test.advance(-1)).toThrow(TypeError);
  });

  it("gives up a wait when its signal aborts, and the hold stays open (G8)", async () => {
    const { test, hp } = start();
    const abort = new AbortController();
    const asked = hp.ask({ type: "approval", prompt: "Go?" }, { signal: abort.signal });
    await test.nextOpen();
    abort.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(await test.open()).toHaveLength(1);
  });
});

describe("planned faults", () => {
  it("a call that fails changes nothing, and the next one works", async () => {
    const { test, hp } = start();
    test.failNext("place");
    const error = await hp.place({ type: "approval", prompt: "Go?" }).catch((thrown: unknown) => thrown);
    expect(isRetryableError(error)).toBe(true);
    expect(await test.open()).toEqual([]);
    await hp.place({ type: "approval", prompt: "Go?" });
    expect(await test.open()).toHaveLength(1);
  });

  it("a given error is thrown as it is", async () => {
    const { test, hp } = start();
    test.failNext("get", new TypeError("broken pipe"));
    await expect(hp.get("hold_1")).rejects.toThrow("broken pipe");
  });

  it("a lost reply leaves the hold behind, and the same key finds it", async () => {
    const { test, hp } = start();
    test.loseReply("place");
    const question = { key: "k", type: "approval", prompt: "Go?" } as const;
    await expect(hp.place(question)).rejects.toMatchObject({ code: "no_reply" });
    const [left] = await test.open();
    expect((await hp.place(question)).id).toBe(left?.id);
  });

  it("a lost report of finished work does not look like failed work: runOnce reports it again (G10)", async () => {
    const { test, hp } = start();
    const placed = await hp.place({ type: "approval", prompt: "Go?" });
    await test.answerNext("approve");
    test.loseReply("finishClaim");
    expect(await placed.runOnce(() => "done")).toBe("done");
    expect((await hp.get(placed.id)).claim?.state).toBe("done");
  });
});
