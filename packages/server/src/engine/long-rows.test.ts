import { expect, test } from "vitest";
import { DOMAINS } from "../domains.ts";
import { Table } from "../kernel/table.ts";
import { DEV, holdIn, OPERATOR, WORKSPACE } from "../testing/core-samples.ts";
import { engineKit, type TestStore } from "../testing/engine-kit.ts";
import { createIntent } from "../testing/intent-samples.ts";
import { Timers } from "../timers/timers.ts";

const LONG = "x".repeat(600_000);
const ids = (count: number) => Array.from({ length: count }, (_, at) => `h${at}`);

const place = (id: string, text: string, expiresInMs?: number) => {
  const expires = expiresInMs === undefined ? {} : { expires: { afterMs: expiresInMs } };
  const ask = { type: "approval", prompt: "Go?", context: { text } } as const;
  return { kind: "place_hold", hold: holdIn({ id, salt: `salt-${id}`, ask, ...expires }) } as const;
};
const answer = (holdId: string) =>
  ({ kind: "answer_hold", holdId, action: "approve", data: {}, door: "rest" }) as const;

/** Which holds each commit has events of. */
const committed = (store: TestStore, from: number) =>
  store.commits.slice(from).map(({ events }) => events.map(({ stream }) => stream.slice("hold:".length)));

test("G13: a batch takes as many commands as its long rows have room for, in order, and the next one goes on", async () => {
  const { run, store } = engineKit();
  for (const id of ids(5)) await run(place(id, LONG));
  await run(place("short", "x"));
  const from = store.commits.length;
  const answered = await Promise.all([...ids(5), "short"].map((id) => run(answer(id))));
  expect(answered.every(({ ok }) => ok)).toBe(true);
  expect(committed(store, from)).toEqual([
    ["h0", "h1"],
    ["h2", "h3"],
    ["h4", "short"],
  ]);
});

test("G13: after long rows a batch loads few commands, so that rows are not loaded again and again", async () => {
  const { run, store } = engineKit();
  for (const id of ids(40)) await run(place(id, LONG));
  const from = store.loads.length;
  await Promise.all(ids(40).map((id) => run(answer(id))));
  const holds = store.loads
    .slice(from)
    .flat()
    .filter(({ kind }) => kind === "hold");
  expect(holds.length).toBeLessThan(3 * 40);
});

test("G13: a batch ends after so many long holds are placed as long rows have room, and the next ones follow in order", async () => {
  const { run, store } = engineKit();
  const placed = await Promise.all(ids(5).map((id) => run(place(id, LONG))));
  expect(placed.every(({ ok }) => ok)).toBe(true);
  expect(committed(store, 0)).toEqual([["h0", "h1"], ["h2", "h3"], ["h4"]]);
});

test("G13: a long hold that is placed alone does not make the batches after it small", async () => {
  const { run, store } = engineKit();
  await run(place("long", LONG.repeat(3)));
  await Promise.all(ids(5).map((id) => run(place(id, "x"))));
  expect(committed(store, 0)).toEqual([["long"], ids(5)]);
});

test("commands about one entity keep their order where a batch is cut (G1)", async () => {
  const { run, store } = engineKit();
  for (const id of ids(3)) await run(place(id, LONG));
  await run(place("short", "x"));
  const from = store.commits.length;
  const results = await Promise.all([
    ...ids(3).map((id) => run(answer(id))),
    run({ ...answer("short"), action: "approve" }),
    run({ ...answer("short"), action: "reject" }),
  ]);
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, false]);
  expect(committed(store, from)).toEqual([
    ["h0", "h1"],
    ["h2", "short"],
  ]);
});

test("a command runs however long its rows are, and what waits behind it runs in the next batch", async () => {
  const { run, store } = engineKit();
  for (const id of ids(3)) await run(place(id, LONG.repeat(3)));
  const from = store.commits.length;
  const results = await Promise.all(ids(3).map((id) => run(answer(id))));
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(committed(store, from)).toEqual([["h0"], ["h1"], ["h2"]]);
});

test("G13: timers of long rows that are due together fire in several commits, each once and none resting", async () => {
  const { run, store, clock, engine, stored } = engineKit();
  for (const id of ids(5)) await run(place(id, LONG, 50));
  const faults: unknown[] = [];
  const late: number[] = [];
  const timers = new Timers({
    engine,
    onFired: (lateMs) => late.push(lateMs),
    onFault: (fault) => faults.push(fault),
  });
  const from = store.commits.length;
  await timers.start();
  await clock.advance(60_000);
  expect(committed(store, from)).toEqual([["h0", "h1"], ["h2", "h3"], ["h4"]]);
  expect(store.commits.slice(from).every(({ rests }) => rests === undefined)).toBe(true);
  expect([late.length, faults]).toEqual([5, []]);
  for (const id of ids(5)) expect((await stored(id))?.body.status).toBe("expired");
  expect(await store.nextTimerAt()).toBeNull();
  await timers.stop();
});

test("a timer whose command has no room left in the batch runs in the next one, and runDue tells its result", async () => {
  const tickOf: Table["tickOf"] = ({ id }) => ({
    ...answer(id.replace("t", "h")),
    workspace: WORKSPACE,
    by: OPERATOR,
  });
  const { run, store, engine } = engineKit({ table: Object.assign(new Table(DOMAINS), { tickOf }) });
  for (const id of ids(4)) await run(place(id, LONG));
  const timers = [0, 1, 2, 3].map((at) => ({
    key: { workspace: WORKSPACE, kind: "group", id: `t${at}` },
    dueAt: 1,
  }));
  const batch = await store.begin();
  await batch.commit({ puts: [], events: [], timers, outbox: [] });
  const from = store.commits.length;
  const fired = await engine.runDue({ limit: 10, restMs: 1_000 });
  expect(fired.map(({ key, result }) => [key.id, "ok" in result && result.ok])).toEqual([
    ["t0", true],
    ["t1", true],
    ["t2", true],
    ["t3", true],
  ]);
  expect(committed(store, from)).toEqual([
    ["h0", "h1"],
    ["h2", "h3"],
  ]);
  expect(store.commits.slice(from).every(({ rests }) => rests === undefined)).toBe(true);
});

const upstream = "intent_00000000000000000000000001";
const suspend = {
  kind: "set_status",
  intentId: upstream,
  status: "suspended_awaiting_input",
  ifVersion: 1,
  made: { holdId: "hold_1", salt: "salt" },
} as const;
const dependentsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `intent_d${at.toString().padStart(3, "0")}`);

/** An intent on which others depend that are as long as `state`. */
async function dependedOn(count: number, text: string) {
  const kit = engineKit();
  await kit.run(createIntent(upstream), DEV);
  for (const id of dependentsOf(count))
    await kit.run(createIntent(id, { dependsOn: [upstream], gate: "soft", state: { text } }), DEV);
  return { ...kit, from: kit.store.commits.length, loadsFrom: kit.store.loads.length };
}

test("G13: rows that are needed only if there is room are left out of a batch that has enough long ones, and the batch goes on", async () => {
  const { run, store, from, clock, engine } = await dependedOn(5, LONG);
  await run(place("short", "x"));
  const results = await Promise.all([run(suspend, DEV), run(answer("short"))]);
  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  const intentsIn = () =>
    store.commits
      .slice(from)
      .map(({ puts }) => puts.filter(({ key }) => key.id.startsWith("intent_d")).length);
  // The first of them is loaded whatever there is, and one more has room.
  expect(intentsIn()).toEqual([0, 2]);
  const timers = new Timers({ engine });
  await timers.start();
  await clock.advance(0);
  expect(intentsIn()).toEqual([0, 2, 2, 1]);
  await timers.stop();
});

test("G13: many short rows that are needed only if there is room are loaded in a few loads, and change in one commit", async () => {
  const { run, store, from, loadsFrom } = await dependedOn(200, "x");
  await run(suspend, DEV);
  expect(store.commits.slice(from).map(({ puts }) => puts.length)).toEqual([201]);
  expect(store.loads.length - loadsFrom).toBeLessThan(10);
});

test("G13: once there is no room, no more rows are asked for that are only needed if there is room", async () => {
  const { run, store, loadsFrom } = await dependedOn(100, "x".repeat(100_000));
  await run(suspend, DEV);
  const asked = store.loads
    .slice(loadsFrom)
    .flat()
    .filter(({ id }) => id.startsWith("intent_d"));
  expect(asked.length).toBeLessThan(20);
});

test("a row that one command needs at all is loaded for another that needs it only if there is room", async () => {
  const { run, store, from } = await dependedOn(4, LONG);
  const last = "intent_d003";
  const rename = { kind: "patch_state", intentId: last, ifVersion: 1, made: suspend.made } as const;
  const patches = [{ op: "set", path: "/other", value: 1 }] as const;
  const results = await Promise.all([run({ ...rename, patches }, DEV), run(suspend, DEV)]);
  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  const changed = store.commits.slice(from).map(({ puts }) => puts.map(({ key }) => key.id));
  expect(changed[0]).toContain(last);
  expect(changed.flat()).toContain("intent_d000");
});
