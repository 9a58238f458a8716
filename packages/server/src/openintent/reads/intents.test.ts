import { expect, test } from "vitest";
import { DEV, WORKSPACE } from "../../testing/core-samples.ts";
import { engineKit } from "../../testing/engine-kit.ts";
import { createIntent } from "../../testing/intent-samples.ts";
import { Timers } from "../../timers/timers.ts";
import { Intents } from "./intents.ts";

const UPSTREAM = "intent_00000000000000000000000001";
const DEPENDENTS = ["intent_d1", "intent_d2", "intent_d3", "intent_d4"];

/** An intent on which long ones depend, suspended: some of them do not know it yet. */
async function leftBehind() {
  const kit = engineKit();
  const long = { dependsOn: [UPSTREAM], gate: "soft", state: { text: "x".repeat(600_000) } };
  await kit.run(createIntent(UPSTREAM), DEV);
  for (const id of DEPENDENTS) await kit.run(createIntent(id, long), DEV);
  const made = { holdId: "hold_1", salt: "salt" };
  const status = "suspended_awaiting_input";
  await kit.run({ kind: "set_status", intentId: UPSTREAM, status, ifVersion: 1, made }, DEV);
  const { store, engine } = kit;
  const load = async (id: string) =>
    (await store.load([{ workspace: WORKSPACE, kind: "intent", id, read: true }]))[0]?.body;
  const statuses = async () => (await Promise.all(DEPENDENTS.map(load))).map((found) => found?.status);
  return {
    ...kit,
    intents: new Intents(engine),
    behind: async () => (await load(UPSTREAM))?.behind,
    statuses,
  };
}

test("who reads an intent does not wait for what follows it", async () => {
  const { intents, behind } = await leftBehind();
  const before = await behind();
  expect(before?.dependents).toHaveLength(2);
  await intents.get(WORKSPACE, UPSTREAM);
  expect(await behind()).toEqual(before);
});

test("reading an intent sets the timer of what follows it again, which an earlier version takes away when it writes the row", async () => {
  const { intents, behind, statuses, store, engine, clock } = await leftBehind();
  const key = { workspace: WORKSPACE, kind: "intent", id: UPSTREAM };
  const timers = new Timers({ engine });
  await (await store.begin()).commit({ puts: [], events: [], timers: [{ key, dueAt: null }], outbox: [] });
  await timers.start();
  await clock.advance(60_000);
  expect(await behind()).toBeDefined();
  await intents.get(WORKSPACE, UPSTREAM);
  await clock.advance(1);
  expect([await behind(), await statuses()]).toEqual([undefined, DEPENDENTS.map(() => "blocked")]);
  await timers.stop();
});
