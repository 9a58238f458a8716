import { type HoldClient, isRefusal, isRetryableError } from "@holdpoint/protocol/client";
import { failure, until } from "@holdpoint/protocol/http/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import { Holdpoint } from "./holdpoint.ts";
import type { Pending } from "./outcome.ts";
import { setup } from "./setup.fixture.ts";
import { testHoldpoint } from "./testing/index.ts";

const ask = { type: "approval", prompt: "Go?" } as const;
const CANCEL = /POST .*\/cancel/;

describe("check", () => {
  it("sends a tool call to the rules, and throws when the client cannot check calls", async () => {
    await using test = testHoldpoint();
    const hp = new Holdpoint({ client: test.client });
    const asked = await hp.check("refund", { amount: 80 }, { threadId: "t1" });
    expect(asked).toMatchObject({ verdict: "ask", tool: "refund", hold: { status: "open", threadId: "t1" } });
    await test.answerNext("approve");
    const allowed = await hp.check("refund", { amount: 80 });
    expect(allowed).toMatchObject({ verdict: "allow", hold: { id: asked.hold?.id } });
    await expect(hp.check("refund", {}, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    const bare = new Holdpoint({ client: { get: test.client.get } as never });
    expect(() => bare.check("refund", {})).toThrow("cannot check tool calls");
  });
});

describe("a vote", () => {
  it("is withdrawn by the person who cast it", async () => {
    await using test = testHoldpoint();
    const { id } = await test.client.place(ask);
    const mara = new Holdpoint({ client: test.person("mara") });
    expect(isRefusal(await failure(mara.withdrawVote(id)), "no_vote")).toBe(true);
  });
});

describe("ask", () => {
  it("places the hold, waits and returns the decision", async () => {
    await using kit = await setup();
    const asking = kit.hp.ask({ ...ask, key: "refund:1" });
    await until(() => kit.server.holds.size === 1);
    kit.server.decide("hold_1", "approve", { note: "fine" });
    const outcome = await asking;
    expect(outcome).toMatchObject({
      kind: "decided",
      action: "approve",
      data: { note: "fine" },
      holdId: "hold_1",
    });
  });

  it("after a crash finds the answer that came meanwhile, under the same key", async () => {
    await using kit = await setup();
    const stop = new AbortController();
    const first = failure(kit.hp.ask({ ...ask, key: "refund:1" }, { signal: stop.signal }));
    await until(() => kit.server.holds.size === 1);
    stop.abort("the process died");
    expect(await first).toBe("the process died");
    kit.server.decide("hold_1", "reject");
    const outcome = await kit.another().ask({ ...ask, key: "refund:1" });
    expect(outcome).toMatchObject({ kind: "decided", action: "reject" });
    expect(kit.server.holds.size).toBe(1);
  });

  it("returns an expiry with its default, and names nobody", async () => {
    await using kit = await setup();
    const asking = kit.hp.ask({ ...ask, key: "k", timeout: "1h", onTimeout: "reject" });
    await until(() => kit.server.holds.size === 1);
    kit.server.settle("hold_1", {
      kind: "expired",
      default: { action: "reject" },
      at: "2026-03-01T10:00:00Z",
    });
    const outcome = await asking;
    expect(outcome).toMatchObject({ kind: "expired", default: { action: "reject" } });
    expect(outcome).not.toHaveProperty("by");
  });

  it("returns pending only when it was told how long to wait", async () => {
    await using kit = await setup();
    const asking = kit.hp.ask(ask, { waitMs: 10_000 });
    await until(() => kit.server.polls.size === 1);
    await kit.runtime.advance(10_000);
    const outcome = await asking;
    expect(outcome.kind).toBe("pending");
    expectTypeOf(outcome.kind).toEqualTypeOf<"decided" | "expired" | "cancelled" | Pending["kind"]>();
    expectTypeOf<Awaited<ReturnType<typeof askForever>>["kind"]>().toEqualTypeOf<
      "decided" | "expired" | "cancelled"
    >();
  });

  it("has the actions of the five types in its own types", () => {
    type Outcome = Awaited<ReturnType<typeof askForever>>;
    expectTypeOf<Extract<Outcome, { kind: "decided" }>["action"]>().toEqualTypeOf<
      "approve" | "edit" | "reject"
    >();
  });

  it("works with any hold client", async () => {
    await using kit = await setup();
    const client: HoldClient = kit.hp.client;
    const over = new Holdpoint({ client });
    const asking = over.ask(ask);
    await until(() => kit.server.holds.size === 1);
    kit.server.decide("hold_1");
    expect((await asking).kind).toBe("decided");
  });
});

function askForever(hp: Holdpoint) {
  return hp.ask(ask);
}

describe("outcome", () => {
  it("reads once unless it is told to wait", async () => {
    await using kit = await setup();
    const hold = await kit.hp.place(ask);
    expect((await kit.hp.outcome(hold)).kind).toBe("pending");
    kit.server.decide(hold.id);
    expect((await kit.hp.outcome(hold.id)).kind).toBe("decided");
    const waiting = kit.hp.outcome(await kit.hp.place(ask), { waitMs: 20_000 });
    await until(() => kit.server.polls.size === 1);
    kit.server.decide("hold_2", "reject");
    expect(await waiting).toMatchObject({ action: "reject" });
  });
});

describe("any", () => {
  it("returns the first decision and leaves the other holds open", async () => {
    await using kit = await setup();
    const [one, two] = [await kit.hp.place(ask), await kit.hp.place(ask)];
    const waiting = kit.hp.any([one, two.id]);
    await until(() => kit.server.streams.length === 1);
    kit.server.decide(two.id, "approve");
    expect(await waiting).toMatchObject({ index: 1, outcome: { kind: "decided", holdId: two.id } });
    expect(kit.server.holds.get(one.id)?.status).toBe("open");
    await until(() => kit.server.streams.length === 0);
  });

  it("withdraws the other holds when told to, and does not take a withdrawal for a decision", async () => {
    await using kit = await setup();
    const waiting = kit.hp.any(
      [
        { ...ask, key: "a" },
        { ...ask, key: "b" },
        { ...ask, key: "c" },
      ],
      { cancelLosers: true },
    );
    await until(() => kit.server.streams.length === 1);
    kit.server.settle("hold_3", { kind: "expired", at: "2026-03-01T10:00:00Z" });
    kit.server.decide("hold_1", "reject");
    expect(await waiting).toMatchObject({ index: 0, outcome: { action: "reject" } });
    expect([...kit.server.holds.values()].map(({ status }) => status)).toEqual([
      "decided",
      "cancelled",
      "expired",
    ]);
    expect(kit.server.calls(CANCEL)[0]?.body).toEqual({ reason: "hold_1 was decided first" });
  });

  it("returns the last ending when nobody decided anything", async () => {
    await using kit = await setup();
    const holds = [await kit.hp.place(ask), await kit.hp.place(ask)];
    const waiting = kit.hp.any(holds);
    await until(() => kit.server.streams.length === 1);
    kit.server.settle("hold_1", { kind: "expired", at: "2026-03-01T10:00:00Z" });
    kit.server.settle("hold_2", { kind: "expired", at: "2026-03-01T11:00:00Z" });
    expect((await waiting).outcome.kind).toBe("expired");
  });

  it("ends when the signal aborts, and when any hold is refused", async () => {
    await using kit = await setup();
    const hold = await kit.hp.place(ask);
    expect(await failure(kit.hp.any([hold], { signal: AbortSignal.abort("no") }))).toBe("no");
    expect(isRefusal(await failure(kit.hp.any([hold, "hold_none"])), "not_found")).toBe(true);
    expect(await failure(kit.hp.any([]))).toBeInstanceOf(TypeError);
    await until(() => kit.server.streams.length === 0);
  });
});

describe("all", () => {
  it("returns every outcome in the order of the holds", async () => {
    await using kit = await setup();
    const waiting = kit.hp.all([
      { ...ask, key: "a" },
      { ...ask, key: "b" },
    ]);
    await until(() => kit.server.streams.length === 1);
    const [first, second] = ["a", "b"].map(
      (key) => [...kit.server.holds.values()].find((hold) => hold.key === key)!.id,
    );
    kit.server.decide(second!, "reject");
    kit.server.decide(first!, "approve");
    expect((await waiting).map((outcome) => outcome.orThrow().action)).toEqual(["approve", "reject"]);
  });
});

describe("all, when one is refused", () => {
  it("stops waiting for the others", async () => {
    await using kit = await setup();
    const hold = await kit.hp.place(ask);
    expect(isRefusal(await failure(kit.hp.all([hold, "hold_none"])), "not_found")).toBe(true);
    await until(() => kit.server.streams.length === 0);
    expect(kit.runtime.waiting).toBe(0);
  });
});

describe("runOnce", () => {
  async function approved(hp: Holdpoint, decide: (id: string) => void) {
    const { id } = await hp.place({ ...ask, key: "k" });
    decide(id);
    return (await hp.ask({ ...ask, key: "k" })).orThrow();
  }

  it("claims what was approved, runs it and reports success", async () => {
    await using kit = await setup();
    const outcome = await approved(kit.hp, (id) => kit.server.decide(id));
    expect(await kit.hp.runOnce(outcome, async () => 42)).toBe(42);
    expect(kit.server.calls(/claim$/)[0]?.body).toEqual({ digest: "digest of hold_1" });
    expect(kit.server.holds.get("hold_1")?.claim?.state).toBe("done");
  });

  it("does not run what somebody else has claimed", async () => {
    await using kit = await setup();
    const outcome = await approved(kit.hp, (id) => kit.server.decide(id));
    const runs: string[] = [];
    const error = await kit.hp.runOnce(outcome, () => {
      runs.push("first");
      return failure(kit.another().runOnce(outcome, () => runs.push("second")));
    });
    expect(isRefusal(error, "claim_taken")).toBe(true);
    expect(runs).toEqual(["first"]);
  });

  it("returns the recorded result to a repeat", async () => {
    await using kit = await setup();
    const outcome = await approved(kit.hp, (id) => kit.server.decide(id));
    await kit.hp.runOnce(outcome, () => ({ order: 7 }));
    const again = kit.another().runOnce(outcome, () => ({ order: 8 }));
    expect(await again).toEqual({ order: 7 });
  });

  it("G14 runs nothing after an approval with changed arguments, unless the author takes them from the outcome", async () => {
    await using kit = await setup();
    const outcome = await approved(kit.hp, (id) =>
      kit.server.decide(id, "approve", { edited_args: { cents: 5 } }),
    );
    expect(await failure(kit.hp.runOnce(outcome, (_claim) => "paid 80 EUR"))).toMatchObject({
      code: "edited_args",
      holdId: "hold_1",
    });
    expect(kit.server.calls(/claim/)).toEqual([]);
    const pay = () => (outcome.data as { editedArgs?: unknown }).editedArgs;
    expect(await kit.hp.runOnce(outcome, pay, { takesEdits: true })).toEqual({ cents: 5 });
  });

  it("returns the result of work that ran although its report was lost", async () => {
    await using kit = await setup();
    const outcome = await approved(kit.hp, (id) => kit.server.decide(id));
    const outstanding: unknown[] = [];
    const result = await kit.hp.runOnce(
      outcome,
      async () => {
        await kit.server[Symbol.asyncDispose]();
        return 42;
      },
      { onOutstanding: ({ error }) => outstanding.push(error) },
    );
    expect(result).toBe(42);
    expect(outstanding.map(isRetryableError)).toEqual([true]);
  });

  it("reports a failure without its reason, and throws the reason", async () => {
    await using kit = await setup();
    const outcome = await approved(kit.hp, (id) => kit.server.decide(id));
    const work = async () => {
      throw new Error("password=hunter2");
    };
    expect(await failure(kit.hp.runOnce(outcome, work))).toMatchObject({ message: "password=hunter2" });
    expect(kit.server.holds.get("hold_1")?.claim?.state).toBe("failed");
    expect(JSON.stringify(kit.server.seen.map(({ body }) => body))).not.toContain("hunter2");
  });
});
