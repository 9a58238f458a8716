/** Calls under a standing permission (P1–P3), with a server that answers as the test says. */

import {
  type Check,
  type StandingCalls as Record,
  RetryableError,
  TerminalError,
} from "@holdpoint/protocol/client";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { StandingCalls } from "./standing-calls.ts";

const GIVEN = { verdict: "allow", rulesVersion: 3, standingMs: 250 } as Check;
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise(setImmediate);
};

function stage(reply: (n: number) => Promise<Check> = async () => GIVEN) {
  const clock = new ManualClock({ startAt: 0 });
  const records: Record[] = [];
  const troubles: string[] = [];
  const calls = new StandingCalls({
    client: {
      recordStandingCalls: async (record) => {
        records.push(record);
        return reply(records.length);
      },
    },
    clock,
    session: "s",
    onTrouble: ({ message }) => troubles.push(message),
  });
  const take = (args: object = {}, tool = "read") => calls.takes({ tool, args: args as never }, undefined);
  const recorded = () => records.reduce((sum, { calls: list }) => sum + list.length, 0);
  return { clock, records, troubles, calls, take, recorded };
}

describe("a standing permission", () => {
  test("is for one tool, and begins when its request was sent (P1)", async () => {
    const { calls, take, clock } = stage(async () => ({ ...GIVEN, rulesVersion: 2 }));
    expect(take()).toBe(false);
    await clock.advance(100);
    calls.learn("read", GIVEN, 0);
    expect([take(), take({}, "write")]).toEqual([true, false]);
    await clock.advance(149);
    expect([clock.now(), take()]).toEqual([249, true]);
    await clock.advance(1);
    expect([clock.now(), take()]).toEqual([250, false]);
  });

  test.each([
    ["asks", { ...GIVEN, verdict: "ask" }],
    ["names a hold", { ...GIVEN, hold: { id: "h" } }],
    ["gives no time", { verdict: "allow", rulesVersion: 3 }],
    ["gives time that is no number", { ...GIVEN, standingMs: "250" }],
    ["gives more time than any server", { ...GIVEN, standingMs: 1e9 }],
    ["gives no version", { verdict: "allow", standingMs: 250 }],
  ])("is not taken from a reply that %s", (_what, reply) => {
    const { calls, take } = stage();
    calls.learn("read", reply as Check, 0);
    expect(take()).toBe(false);
  });

  test("ends for every tool when a reply shows that other rules were published, and an older reply changes nothing", () => {
    const { calls, take } = stage();
    calls.learn("read", GIVEN, 0);
    calls.learn("write", { ...GIVEN, rulesVersion: 4 }, 0);
    expect(take()).toBe(false);
    calls.learn("read", GIVEN, 0);
    expect(take()).toBe(false);
  });

  test("does not count where the caller's own rules do not allow the call", () => {
    const { calls } = stage();
    calls.learn("read", GIVEN, 0);
    for (const verdict of ["ask", "deny"] as const)
      expect(calls.takes({ tool: "read", args: {} }, { digest: "d", verdict })).toBe(false);
    expect(calls.takes({ tool: "read", args: {} }, { digest: "d", verdict: "allow" })).toBe(true);
  });

  test("is renewed by the reply to a record, and ends when the reply does not renew it", async () => {
    const { calls, take, clock, recorded } = stage(async (n) =>
      n === 1 ? GIVEN : { ...GIVEN, standingMs: 0 },
    );
    calls.learn("read", GIVEN, 0);
    take();
    await clock.advance(10);
    await calls.close();
    await clock.advance(240);
    expect(take()).toBe(true);
    await calls.close();
    expect(take()).toBe(false);
    expect(recorded()).toBe(2);
  });

  test("does not count for arguments that the server could not record afterwards", () => {
    const { calls, take } = stage();
    calls.learn("read", GIVEN, 0);
    let deep: object = {};
    for (let n = 0; n < 30; n += 1) deep = { deep };
    for (const args of [
      deep,
      { text: "x".repeat(20_000) },
      { list: Array.from({ length: 3_000 }, () => 1) },
      { text: "\ud800" },
      { text: "\u0000" },
      { "\ud800": 1 },
      JSON.parse('{ "__proto__": 1 }'),
    ])
      expect(take(args)).toBe(false);
    expect(take({ text: "\u00e9", list: [1, null, { a: true }] })).toBe(true);
  });
});

describe("calls under a standing permission", () => {
  test("are recorded soon, many in one request, by tool and with all arguments", async () => {
    const { calls, take, records, clock, recorded } = stage();
    calls.learn("read", GIVEN, 0);
    calls.learn("write", GIVEN, 0);
    for (let n = 0; n < 600; n += 1) take({ n }, n % 6 === 0 ? "write" : "read");
    await clock.advance(20);
    expect([records.length, recorded()]).toEqual([2, 600]);
    expect(records[0]).toMatchObject({ tool: "write", rulesVersion: 3, session: "s" });
    expect(records.flatMap((record) => record.calls)).toHaveLength(600);
  });

  test("are checked one by one when a thousand of them are not recorded yet (P2)", async () => {
    const reply = Promise.withResolvers<Check>();
    const { calls, take, recorded, clock } = stage(() => reply.promise);
    calls.learn("read", GIVEN, 0);
    for (let n = 0; n < 1_000; n += 1) expect(take({ n })).toBe(true);
    expect(take()).toBe(false);
    void clock.advance(20);
    await until(() => recorded() > 0);
    expect(take()).toBe(false);
    reply.resolve(GIVEN);
    await calls.close();
    expect(take()).toBe(true);
  });

  test("are kept and recorded later when the server is away; no further call runs meanwhile (P1, P3)", async () => {
    const away = new RetryableError({ message: "away" });
    const { calls, take, records, clock } = stage((n) =>
      n === 1 ? Promise.reject(away) : Promise.resolve(GIVEN),
    );
    calls.learn("read", GIVEN, 0);
    take({ n: 1 });
    await clock.advance(20);
    expect([records.length, take()]).toEqual([1, false]);
    await clock.advance(1_000);
    expect(records.map((record) => record.calls)).toEqual([[{ n: 1 }], [{ n: 1 }]]);
  });

  test("that the server refuses to record are reported, and end the permission", async () => {
    const refused = new TerminalError({ code: "not_allowed", status: 403, message: "no" });
    const { calls, take, troubles } = stage(() => Promise.reject(refused));
    calls.learn("read", GIVEN, 0);
    take();
    await calls.close();
    expect(troubles).toEqual(["1 allowed calls of read were not recorded: no"]);
    expect(take()).toBe(false);
  });

  test("that cannot be recorded before the program ends are reported", async () => {
    const { calls, take, troubles } = stage(() => Promise.reject(new RetryableError({ message: "away" })));
    calls.learn("read", GIVEN, 0);
    take();
    await calls.close();
    expect(troubles).toEqual(["1 allowed calls could not be recorded"]);
  });
});
