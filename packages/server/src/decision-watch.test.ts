import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { watchDecisions } from "./decision-watch.ts";
import type { Command } from "./domains.ts";
import { matchSeats } from "./kernel/decision/matching.ts";
import { ADMIN, holdIn } from "./testing/core-samples.ts";
import { engineKit } from "./testing/engine-kit.ts";
import { samplePerson } from "./testing/people.ts";

const HOLDS = 30;

/** An engine with many holds that ada decides, and the checks that wait or run in it. `gate`: what they wait for first. */
async function watched(gate?: Promise<void>) {
  const kit = engineKit();
  const { engine, run } = kit;
  const { accounts: _accounts, status: _status, madeAt: _madeAt, ...ada } = samplePerson("ada");
  await run({ kind: "add_person", person: ada }, ADMIN);
  const decision = { approve: [{ need: 1, from: ["person:ada"] }] };
  const ids = Array.from({ length: HOLDS }, (_, n) => `h${n}`);
  await Promise.all(
    ids.map((id) => kit.hold({ kind: "place_hold", hold: holdIn({ id, salt: `salt-${id}`, decision }) })),
  );
  const checked: string[] = [];
  const count = { now: 0, most: 0 };
  const runs = engine.run.bind(engine) as (command: Command) => ReturnType<typeof engine.run>;
  vi.spyOn(engine, "run").mockImplementation((async (command: Command) => {
    if (command.kind !== "check_decision") return runs(command);
    checked.push(command.holdId);
    count.now += 1;
    count.most = Math.max(count.most, count.now);
    await gate;
    const result = await runs(command);
    count.now -= 1;
    return result;
  }) as typeof engine.run);
  const faults: unknown[] = [];
  const stop = watchDecisions(engine, (fault) => faults.push(fault));
  let name = 0;
  const change = () => {
    name += 1;
    return run({ kind: "change_person", personId: "ada", patch: { name: `Ada ${name}` } }, ADMIN);
  };
  return { ...kit, ids, checked, count, faults, stop, change };
}

describe("when a person changes", () => {
  test("every open hold with a decision is checked, a few at a time (W1)", async () => {
    const { ids, checked, count, faults, stop, change } = await watched();
    await change();
    await stop();
    expect(checked.toSorted()).toEqual(ids.toSorted());
    expect(count.most).toBeLessThanOrEqual(2);
    expect(faults).toEqual([]);
  });

  test("commands of others are decided between the checks (W1)", async () => {
    const { checked, stop, change, stored, run } = await watched();
    await change();
    while (checked.length === 0) await turn();
    const result = await run({ kind: "answer_hold", holdId: "h9", action: "reject", data: {}, door: "rest" });
    expect(result.ok).toBe(true);
    expect(checked.length).toBeLessThan(HOLDS);
    await stop();
    expect((await stored("h9"))?.body.status).toBe("decided");
  });

  test("changes during a pass cause one more pass, however many there are (W2)", async () => {
    const gate = Promise.withResolvers<void>();
    const { ids, checked, stop, change } = await watched(gate.promise);
    for (let n = 0; n < 6; n += 1) await change();
    gate.resolve();
    await stop();
    expect(checked.toSorted()).toEqual([...ids, ...ids].toSorted());
  });

  test("a pass that fails is reported, and the next change is checked again (W2)", async () => {
    const { ids, checked, faults, store, stop, change } = await watched();
    store.failOnce("query", new Error("away"));
    await change();
    while (faults.length === 0) await turn();
    expect(checked).toEqual([]);
    await change();
    await stop();
    expect(checked).toHaveLength(ids.length);
  });

  test("no check begins after the watch has stopped", async () => {
    const { checked, stop, change } = await watched();
    await stop();
    await change();
    await turn();
    expect(checked).toEqual([]);
  });
});

test("the check of a rule whose ten stages take from one team of 4,000 makes no long pause (G13)", () => {
  const stages = Array.from({ length: 10 }, (_, stage) => stage);
  const voters = Array.from({ length: 4_000 }, (_, n) => `p${n}`).map((person) => ({
    ...{ person, seats: [{ person, stages }] },
  }));
  const needs = stages.map(() => 2);
  const begun = performance.now();
  const { given, standsFor } = matchSeats(voters, needs);
  // It takes about 20 ms. If every voter without a seat searched the whole network again, it would take more than a second.
  expect(performance.now() - begun).toBeLessThan(500);
  expect([given, standsFor.size]).toEqual([needs, 20]);
});
